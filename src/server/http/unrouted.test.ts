import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { stream } from '../answers/answer.js'
import { routeTable } from '../route-table.js'
import { startTestServer, type TestServer } from '../test-server.fixture.js'
import { route } from './route.js'

const ERROR = {
  message: expect.any(String),
  code: 'bad_request',
  type: 'invalid_request',
  link: expect.stringMatching(/#bad_request$/),
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: routeTable })
})

/** What the server says to these bytes until it closes the connection. */
function say(bytes: string | Buffer, { port }: TestServer = server): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (chunk) => (received += chunk)).on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

const statusOf = (answer: string): number => Number(answer.split(' ', 2)[1])
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))

describe('21.14 L210: an unknown route', () => {
  test('is 404 with an error object, and asks for no key', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
      const { status, headers, json } = await server.send(method, '/nope', { key: null })
      expect([status, headers['content-type'], json]).toEqual([404, 'application/json', ERROR])
    }
    expect((await server.send('GET', '/nope')).json.message).toBe(
      'There is no route "/nope". GET /openapi.json describes all routes.',
    )
  })

  test.each([
    ['/indixes/movies', 'Near it there is /indexes/{index_uid} (GET, PATCH, DELETE).'],
    ['/indexes/movies/serch', 'Near it there is /indexes/{index_uid}/search (GET, POST).'],
    ['/indexes/movies/setings/synonyms', 'Near it there is /indexes/{index_uid}/settings/synonyms (GET, PUT, DELETE).'],
    ['/experimental-feature', 'Near it there is /experimental-features (GET, PATCH).'],
    ['/keys/a/b', 'Near it there is /keys/{key} (GET, PATCH, DELETE).'],
  ])('%s: the message names the routes that come near', async (path, hint) => {
    expect((await server.send('GET', path)).json.message).toContain(hint)
  })

  test('no more than four routes are named, and a long path is cut', async () => {
    const { message } = (await server.send('GET', `/indexes/movies/${'x'.repeat(50_000)}`)).json
    expect(message.match(/\/indexes\/\{index_uid\}\//g)).toHaveLength(4)
    expect(message.length).toBeLessThan(600)
  })

  test('HEAD has the status and no body', async () => {
    const { status, text } = await server.send('HEAD', '/nope')
    expect([status, text]).toEqual([404, ''])
  })
})

describe('21.14 L210: a wrong method', () => {
  test('is 405 with Allow and an error object that names the methods', async () => {
    for (const method of ['PUT', 'OPTIONS', 'TRACE']) {
      const { status, headers, json } = await server.send(method, '/indexes', { key: null })
      expect([status, headers.allow, json]).toEqual([405, 'GET, POST', ERROR])
      expect(json.message).toBe(`The route "/indexes" does not take ${method}; its methods are GET, POST.`)
    }
  })

  test('HEAD has the status, Allow and no body', async () => {
    const { status, headers, text } = await server.send('HEAD', '/indexes')
    expect([status, headers.allow, text]).toEqual([405, 'GET, POST', ''])
  })
})

describe('21.14 L210: malformed HTTP', () => {
  const HEAD = 'Host: x\r\nContent-Type: application/json\r\n'

  test.each([
    ['no request line', 'hello\r\n\r\n', 'method'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\n\r\n', 'method'],
    ['an unknown version', 'GET / HTTP/7.3\r\nHost: x\r\n\r\n', 'HTTP/1.1'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 'header'],
    ['a length that is no number', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n', 'Content-Length'],
    [
      'two lengths',
      `POST /keys HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'contradict',
    ],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', 'Host'],
  ])('%s is 400 with an error object', async (_name, bytes, word) => {
    const answer = await say(bytes)
    expect([statusOf(answer), bodyOf(answer)]).toEqual([400, ERROR])
    expect(bodyOf(answer).message).toContain(word)
  })

  test('a body whose chunks are broken is 400 with an error object', async () => {
    const headers = `${HEAD}Authorization: Bearer MASTER_KEY\r\nTransfer-Encoding: chunked\r\n`
    const answer = await say(`POST /keys HTTP/1.1\r\n${headers}\r\n2\r\n{}\r\nzz\r\n`)
    expect([statusOf(answer), bodyOf(answer)]).toEqual([400, ERROR])
    expect(bodyOf(answer).message).toContain('chunk')
  })

  test('a head that is too long is 431 with an error object, which a client reads that goes on sending', async () => {
    const answer = await say(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(3_000_000)}`)
    expect([statusOf(answer), bodyOf(answer)]).toEqual([431, ERROR])
    expect(bodyOf(answer).message).toContain('131072 bytes')
  })

  test('an expectation that nobody knows is 417 with an error object', async () => {
    const answer = await say('GET /health HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
    expect([statusOf(answer), bodyOf(answer)]).toEqual([417, ERROR])
  })

  test('nothing is written into the middle of another answer', async () => {
    const endless = route({
      method: 'GET',
      path: '/endless',
      action: null,
      handle: () => stream({ status: 200, chunks: chunksWithoutEnd(), contentType: 'text/plain' }),
    })
    const other = await startTestServer({ routes: [endless], masterKey: null })
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(other.port, '127.0.0.1', () => socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n'))
      let received = ''
      socket.once('data', () => socket.write('no http\r\n\r\n'))
      socket.on('data', (chunk) => (received += chunk)).on('close', () => resolve(received))
      socket.on('error', () => {})
    })
    expect(answer).toMatch(/^HTTP\/1.1 200/)
    expect(answer).not.toContain('400 Bad Request')
  })
})

async function* chunksWithoutEnd() {
  yield 'first'
  await new Promise(() => {})
}
