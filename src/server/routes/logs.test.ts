import { get, type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.fixture.js'

const enabled = () => startTestServer({ args: ['--experimental-enable-logs-route'] })

/** Opens a stream and waits until the server has accepted it. */
function listen(server: TestServer, body: object = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer MASTER_KEY', 'content-type': 'application/json' }
    const sent = request({ port: server.port, method: 'POST', path: '/logs/stream', headers, agent: false }, resolve)
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

function firstLine(stream: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    stream.on('data', (chunk) => {
      received += chunk
      if (received.includes('\n')) resolve(received.slice(0, received.indexOf('\n')))
    })
  })
}

test('a stream shows what is logged, until it is closed', async () => {
  const server = await enabled()
  const stream = await listen(server, { mode: 'json' })
  expect(stream.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-accel-buffering': 'no' })
  const line = firstLine(stream)
  await server.send('GET', '/health')
  expect(JSON.parse(await line)).toMatchObject({ method: 'GET', path: '/health', status: 200 })
  const ended = new Promise((resolve) => stream.on('end', resolve))
  expect((await server.send('DELETE', '/logs/stream')).status).toBe(204)
  await ended
  expect((await server.send('DELETE', '/logs/stream')).status).toBe(204)
})

test('only one can listen at a time, and the next when the first has left', async () => {
  const server = await enabled()
  const first = await listen(server)
  const second = await server.send('POST', '/logs/stream', { body: {} })
  expect([second.status, second.json.code]).toEqual([400, 'bad_request'])
  first.destroy()
  await expect.poll(async () => (await listen(server)).statusCode, { interval: 5 }).toBe(200)
})

test('a target chooses what is shown', async () => {
  const server = await enabled()
  const stream = await listen(server, { target: 'off,other=trace' })
  const line = firstLine(stream)
  await server.send('GET', '/health')
  server.context.log.child('other').debug('hello')
  expect(await line).toMatch(/DEBUG other: hello/)
  stream.destroy()
})

test('a closing server ends the stream', async () => {
  const server = await enabled()
  const stream = await listen(server)
  const ended = new Promise((resolve) => stream.on('end', resolve).resume())
  await server.close()
  await ended
})

test('the console can be told to say less', async () => {
  const server = await enabled()
  expect((await server.send('POST', '/logs/stderr', { body: { target: 'error' } })).status).toBe(204)
  const before = server.logged.length
  await server.send('GET', '/health')
  expect(server.logged).toHaveLength(before)
  await server.send('POST', '/logs/stderr', { body: {} })
  await server.send('GET', '/health')
  expect(server.logged.length).toBeGreaterThan(before)
})

test('a wrong body is refused even while the feature is off', async () => {
  const server = await startTestServer()
  const code = async (path: string, body: object) => (await server.send('POST', path, { body })).json.code
  for (const body of [
    { mode: 'tamo' },
    { mode: true },
    { target: true },
    { target: '' },
    { target: '==' },
    { x: 1 },
    { profileMemory: 'x' },
  ]) {
    expect([body, await code('/logs/stream', body)]).toEqual([body, 'bad_request'])
  }
  expect(await code('/logs/stderr', { target: 'a=b=c' })).toBe('bad_request')
  expect(await code('/logs/stderr', { mode: 'json' })).toBe('bad_request')
  expect(await code('/logs/stream', { profileMemory: true })).toBe('invalid_settings_typo_tolerance')
  expect(await code('/logs/stream', { profileMemory: true, mode: 'profile' })).toBe('feature_not_enabled')
  expect(await code('/logs/stream', {})).toBe('feature_not_enabled')
  expect(await code('/logs/stderr', {})).toBe('feature_not_enabled')
  expect((await server.send('DELETE', '/logs/stream')).json.code).toBe('feature_not_enabled')
})

test('a listener who does not read is not waited for', async () => {
  const server = await enabled()
  const stream = await listen(server)
  stream.pause()
  const log = server.context.log.child('other')
  const line = 'x'.repeat(100_000)
  for (let i = 0; i < 300; i++) log.info(line)
  const answer = await new Promise<number | undefined>((resolve) =>
    get({ port: server.port, path: '/health', agent: false }, (incoming) => resolve(incoming.resume().statusCode)),
  )
  expect(answer).toBe(200)
  stream.destroy()
})
