import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Description, type Document } from './fuzz/description.js'
import { described, fuzz } from './fuzz/run.js'
import { TestServer } from './server.js'

const masterKey = 'a-master-key-of-enough-bytes'
let server: TestServer

beforeAll(async () => {
  server = await TestServer.start({ masterKey })
})

afterAll(() => server.close())

test('random requests to every route are answered, never with a 5xx, and refusals are error objects', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
  console.log(`fuzz: seed ${seed}, 3000 requests`)
  const problems = await fuzz({ port: server.port, masterKey, seed, count: 3000 })
  expect(problems.slice(0, 5).join('\n')).toBe('')
  expect(server.isRunning).toBe(true)
  expect((await server.request('GET', '/health')).status).toBe(200)
}, 300_000)

test('requests with one mistake are answered as the description of the interface says', async () => {
  // A code that the description forgot must not be found by chance: `npm run fuzz -- --described` looks for those.
  const seed = Number(process.env.FUZZ_SEED ?? 20_261_116)
  console.log(`fuzz: seed ${seed}, 3000 described requests`)
  const description = new Description((await server.request<Document>('GET', '/openapi.json')).body)
  const source = described(description, masterKey)
  const problems = await fuzz({ port: server.port, masterKey, seed, count: 3000, source })
  expect(problems.slice(0, 5).join('\n')).toBe('')
  expect(server.isRunning).toBe(true)
}, 300_000)

const post = 'POST /indexes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

test.each([
  ['no version', 'GET /health\r\n\r\n'],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['an unknown method', 'NOPE /health HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a path with bytes beyond ASCII', 'GET /indexes/\xe9 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a long path', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['a header name with a blank', 'GET /health HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n'],
  ['a long header', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a length that is no number', `${post}Content-Length: x\r\n\r\n`],
  ['two framings of the body', `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`],
  ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00'],
])('a request with %s is refused at most, and leaves the server well', async (_name, bytes) => {
  const answer = await exchange(bytes)
  const status = answer.split(' ')[1] ?? '400'
  expect(status).toMatch(/^[24]\d\d$/)
  expect((await server.request('GET', '/health')).status).toBe(200)
})

/** Everything the server writes until it closes the connection, or falls silent. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setTimeout(500, () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
