import { expect, test } from 'vitest'
import { startTestServer } from '../test-server.fixture.js'

test('health needs no key and looks at no header', async () => {
  const server = await startTestServer()
  for (const headers of [{}, { authorization: 'Basic x' }]) {
    const { status, text, headers: received } = await server.send('GET', '/health', { key: null, headers })
    expect([status, text, received['content-type']]).toEqual([200, '{"status":"available"}', 'application/json'])
  }
})

test('a server that must be restarted is not healthy', async () => {
  const server = await startTestServer({ context: { health: { mustRestart: true } } })
  const { status, json } = await server.send('GET', '/health')
  expect([status, json]).toEqual([500, { status: 'mustRestart' }])
})

test('the version states the interface, whatever the query string', async () => {
  const server = await startTestServer()
  const { status, json } = await server.send('GET', '/version?x=1')
  expect([status, json]).toEqual([200, { commitSha: 'unknown', commitDate: 'unknown', pkgVersion: '1.49.0' }])
  expect((await server.send('HEAD', '/version')).status).toBe(405)
})
