import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { object, optional, text } from '../../shape/index.js'
import { empty, json, jsonText, stream } from '../answers/answer.js'
import { startTestServer, type TestServer } from '../test-server.fixture.js'
import { DOCUMENT_TYPES } from './media-type.js'
import { jsonBody, rawBody, route } from './route.js'

const PATIENCE = { headMs: 3000, idleMs: 1000, leastBytes: 100, periodMs: 1500, lookEveryMs: 50 }

const echo = route({
  method: 'POST',
  path: '/echo',
  action: null,
  body: jsonBody(object({ name: optional(text, 'bad_request') })),
  handle: ({ body }) => json(200, body),
})

const documents = route({
  method: 'POST',
  path: '/documents',
  action: null,
  body: rawBody(DOCUMENT_TYPES),
  async handle({ body }) {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return json(200, { size })
  },
})

/** Reads nothing for longer than clients are waited for, then all. */
const busy = route({
  method: 'POST',
  path: '/busy',
  action: null,
  body: rawBody(DOCUMENT_TYPES),
  async handle({ body }) {
    await after(2 * PATIENCE.idleMs)
    let size = 0
    for await (const chunk of body) size += chunk.length
    return json(200, { size })
  },
})

const thinks = route({
  method: 'GET',
  path: '/thinks',
  action: null,
  async handle() {
    await after(2 * PATIENCE.idleMs)
    return empty(204)
  },
})

const HUGE = Buffer.alloc(32 << 20, '1')
const huge = route({ method: 'GET', path: '/huge', action: null, handle: () => jsonText(200, HUGE) })

async function* talk() {
  yield 'first'
  await after(2 * PATIENCE.idleMs)
  yield 'last'
}

const talks = route({
  method: 'GET',
  path: '/talks',
  action: null,
  handle: () => stream({ status: 200, chunks: talk(), contentType: 'text/plain' }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: [echo, documents, busy, thinks, huge, talks],
    masterKey: null,
    patience: PATIENCE,
  })
})

const head = (path: string, length: number, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`

function open(): { socket: Socket; ended: Promise<string> } {
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  return { socket, ended }
}

test('22.2.8: a head that does not end is refused', async () => {
  const { socket, ended } = open()
  socket.write('GET /echo HTTP/1.1\r\nHost: x\r\n')
  expect(await ended).toMatch(/^HTTP\/1.1 408 /)
})

test('22.2.8: a body of which nothing comes any more is refused', async () => {
  const answers = ['/echo', '/documents'].map((path) => {
    const { socket, ended } = open()
    socket.write(`${head(path, 1_000_000)}{"name":`)
    return ended
  })
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 408 /)
})

test('22.2.8: a body of which too little comes is refused, however regularly', async () => {
  const { socket, ended } = open()
  socket.write(head('/documents', 1_000_000))
  const drip = setInterval(() => socket.write('x'), 50)
  expect(await ended).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(drip)
})

test('22.2.8: a body that makes progress may take longer than any of the limits', async () => {
  const { socket, ended } = open()
  socket.write(head('/documents', 5000).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  for (let i = 0; i < 50; i++) {
    socket.write('x'.repeat(100))
    await after(50)
  }
  expect(await ended).toContain('{"size":5000}')
})

test('22.2.8: a client is not to blame while the server does not read, or thinks', async () => {
  const body = Buffer.alloc(3 << 20, 'x')
  const sent = { body, headers: { 'content-type': 'text/csv' } }
  const [answered, thought, said] = await Promise.all([
    server.send('POST', '/busy', sent),
    server.send('GET', '/thinks'),
    server.send('GET', '/talks'),
  ])
  expect([answered.json, thought.status, said.text]).toEqual([{ size: body.length }, 204, 'firstlast'])
})

test('22.2.8: an answer that is not taken is given up', async () => {
  const { socket, ended } = open()
  socket.pause()
  socket.write('GET /huge HTTP/1.1\r\nHost: x\r\n\r\n')
  await after(3 * PATIENCE.idleMs)
  socket.resume()
  expect((await ended).length).toBeLessThan(HUGE.length)
})

test('22.2.8: an answer that is taken slowly arrives', async () => {
  const { socket, ended } = open()
  socket.write('GET /huge HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  await ended
  expect(bytes).toBeGreaterThan(HUGE.length)
})
