import { expect, test } from 'vitest'
import { startTestServer } from '../test-server.fixture.js'

test('a server of its own says that it belongs to no cluster, to whoever may know', async () => {
  const server = await startTestServer()
  const created = await server.send('POST', '/keys', {
    body: { actions: ['cluster.get'], indexes: ['*'], expiresAt: null },
  })
  const { status, text } = await server.send('GET', '/cluster', { key: created.json.key })
  expect([status, text]).toEqual([200, '{"enabled":false}'])
  const other = await server.send('POST', '/keys', { body: { actions: ['search'], indexes: ['*'], expiresAt: null } })
  expect((await server.send('GET', '/cluster', { key: other.json.key })).status).toBe(403)
})

test('the cluster concerns all indexes', async () => {
  const server = await startTestServer()
  const body = { actions: ['cluster.get'], indexes: ['shop'], expiresAt: null }
  const { json } = await server.send('POST', '/keys', { body })
  expect(json.code).toBe('index_scoped_api_key_with_global_action')
})
