import { connect } from 'node:net'
import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { object, optional, text as textShape } from '../../shape/index.js'
import { empty, json, stream } from '../answers/answer.js'
import { exchange, startTestServer, type TestServer } from '../test-server.fixture.js'
import { DOCUMENT_TYPES } from './media-type.js'
import { jsonBody, type Route, rawBody, route } from './route.js'

const JSON_TYPE = { 'content-type': 'application/json' }

const echo = route({
  method: 'POST',
  path: '/echo',
  action: null,
  body: jsonBody(object({ name: optional(textShape, 'invalid_api_key_name') })),
  handle: ({ body }) => json(200, body),
})

const show = route({ method: 'GET', path: '/echo', action: null, handle: ({ rawQuery }) => json(200, { rawQuery }) })

const documents = route({
  method: 'PUT',
  path: '/documents',
  action: null,
  body: rawBody(DOCUMENT_TYPES),
  async handle({ body }) {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return json(202, { type: `${body.mediaType.type}/${body.mediaType.subtype}`, size })
  },
})

const one = route({ method: 'GET', path: '/a/{id}', action: null, handle: ({ params }) => json(200, params) })
const fixed = route({ method: 'POST', path: '/a/b', action: null, handle: () => empty(204) })
const root = route({ method: 'GET', path: '/', action: null, handle: () => json(200, 'root') })

const LINES = Array.from({ length: 20_000 }, (_, i) => `line ${i * 7}`)
const large = route({ method: 'GET', path: '/large', action: null, handle: () => json(200, LINES) })

async function* twoChunks() {
  yield 'one,'
  yield Buffer.from('two')
}

const flow = route({
  method: 'GET',
  path: '/flow',
  action: null,
  handle: () => stream({ status: 200, chunks: twoChunks(), contentType: 'text/plain' }),
})

const start = (...routes: Route[]) =>
  startTestServer({ routes, masterKey: null, args: ['--http-payload-size-limit', '1000'] })

let server: TestServer
beforeAll(async () => {
  server = await start(show, echo, documents, one, fixed, root, large, flow)
})

describe('paths and methods', () => {
  test('HEAD, TRACE, PROPFIND and a plain OPTIONS are 405 on known paths and 404 on others', async () => {
    for (const method of ['HEAD', 'TRACE', 'OPTIONS', 'PROPFIND']) {
      expect((await server.send(method, '/echo')).status).toBe(405)
      expect((await server.send(method, '/nope')).status).toBe(404)
    }
  })

  test('a fixed segment wins over a parameter whatever the method', async () => {
    expect((await server.send('GET', '/a/c')).json).toEqual({ id: 'c' })
    expect((await server.send('GET', '/a/b')).status).toBe(405)
    expect((await server.send('POST', '/a/b')).status).toBe(204)
  })

  test.each(['/a/x/', '//a///x//', '/a//x', 'http://elsewhere/a/x', '/a/x#part'])(
    '%s reaches the same route',
    async (path) => {
      expect((await server.send('GET', path)).json).toEqual({ id: 'x' })
    },
  )

  test('only slashes are the root', async () => {
    expect((await server.send('GET', '///')).json).toBe('root')
    expect((await server.send('GET', '/?x=1')).json).toBe('root')
  })

  test.each([
    ['/a/my%20shop', 'my shop'],
    ['/a/a%2Fb', 'a/b'],
    ['/a/%C3%A9', 'é'],
    ['/a/100%', '100%'],
    ['/a/%zz%41', '%zzA'],
    ['/a/%FF', '\uFFFD'],
    [`/a/${'x'.repeat(511)}`, 'x'.repeat(511)],
  ])('%s is decoded', async (path, id) => {
    expect((await server.send('GET', path)).json).toEqual({ id })
  })

  test('the query string stays as it is', async () => {
    expect((await server.send('GET', '/echo/?a=//b/&c=%2F/')).json).toEqual({ rawQuery: 'a=//b/&c=%2F/' })
  })
})

describe('CORS', () => {
  test('a preflight is answered on any path without a key', async () => {
    const server = await startTestServer()
    const headers = {
      origin: 'http://shop.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-a, x-b',
    }
    for (const path of ['/keys', '/nope']) {
      const answer = await server.send('OPTIONS', path, { headers, key: null })
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-max-age': '86400',
        'access-control-allow-headers': 'x-a, x-b',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      const methods = answer.headers['access-control-allow-methods']?.split(', ').sort()
      expect(methods).toEqual(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'])
    }
  })

  test('every answer to a page may be read by it, and only then', async () => {
    const server = await startTestServer()
    const origin = { origin: 'http://shop.example' }
    for (const [method, path] of [
      ['GET', '/health'],
      ['GET', '/keys'],
      ['GET', '/nope'],
      ['PUT', '/keys'],
    ] as const) {
      const withOrigin = await server.send(method, path, { headers: origin, key: null })
      const without = await server.send(method, path, { key: null })
      expect(withOrigin.headers['access-control-allow-origin']).toBe('*')
      expect(without.headers['access-control-allow-origin']).toBeUndefined()
      expect(withOrigin.headers['access-control-allow-credentials']).toBeUndefined()
      expect(without.headers.vary).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
    }
  })
})

describe('request bodies', () => {
  test('a missing content type is told from a wrong one', async () => {
    expect((await server.send('POST', '/echo', { body: '{}' })).json.code).toBe('missing_content_type')
    for (const type of ['', 'text/plain', 'json', 'application', 'json/application', 'application/csv']) {
      const answer = await server.send('POST', '/echo', { body: '{}', headers: { 'content-type': type } })
      expect([answer.status, answer.json.code]).toEqual([415, 'invalid_content_type'])
    }
  })

  test.each(['application/json; charset=latin-1', 'application/vnd.x+json', 'text/json', 'APPLICATION/JSON'])(
    '%s is JSON',
    async (type) => {
      const answer = await server.send('POST', '/echo', { body: '{"name":"é"}', headers: { 'content-type': type } })
      expect(answer.json).toEqual({ name: 'é' })
    },
  )

  test('documents are taken in three types exactly', async () => {
    const put = (type: string) => server.send('PUT', '/documents', { body: 'x', headers: { 'content-type': type } })
    expect((await put('text/csv; header=present')).json).toEqual({ type: 'text/csv', size: 1 })
    expect((await put('application/x-ndjson')).json.type).toBe('application/x-ndjson')
    expect((await put('application/vnd.x+json')).json.code).toBe('invalid_content_type')
  })

  test.each([
    ['', 'missing_payload'],
    ['  \n', 'malformed_payload'],
    ['{"name":"a"', 'malformed_payload'],
    ['{} x', 'malformed_payload'],
    ['{"name":1e999}', 'malformed_payload'],
    ['['.repeat(128) + ']'.repeat(128), 'malformed_payload'],
    ['[]', 'bad_request'],
    ['{"nome":"a"}', 'bad_request'],
    ['{"name":3}', 'invalid_api_key_name'],
  ])('the body %s is %s', async (body, code) => {
    const answer = await server.send('POST', '/echo', { body, headers: JSON_TYPE })
    expect([answer.status, answer.json.code]).toEqual([400, code])
  })

  test('text that is not UTF-8 is malformed', async () => {
    const body = Buffer.from('{"name":"é"}', 'latin1')
    expect((await server.send('POST', '/echo', { body, headers: JSON_TYPE })).json.code).toBe('malformed_payload')
  })

  test.each([
    ['gzip', gzipSync],
    ['GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body in %s is decompressed', async (coding, compress) => {
    const sent = { body: compress('{"name":"fox"}'), headers: { ...JSON_TYPE, 'content-encoding': coding } }
    expect((await server.send('POST', '/echo', sent)).json).toEqual({ name: 'fox' })
    expect((await server.send('PUT', '/documents', sent)).json).toMatchObject({ size: 14 })
  })

  test.each(['zstd', 'gzip, gzip', 'x'])(
    'the coding %s is not understood, so its bytes are no JSON',
    async (coding) => {
      const sent = { body: gzipSync('{}'), headers: { ...JSON_TYPE, 'content-encoding': coding } }
      expect((await server.send('POST', '/echo', sent)).json.code).toBe('malformed_payload')
    },
  )

  test.each([
    ['gzip', gzipSync('{"name":"fox"}').subarray(0, 20)],
    ['gzip', Buffer.from('no gzip')],
    ['deflate', Buffer.from('no deflate')],
    ['br', brotliCompressSync('{"name":"a longer text"}').subarray(0, 5)],
    ['br', Buffer.from('no brotli at all')],
  ])('a broken %s stream is a bad request', async (coding, body) => {
    for (const [method, path] of [
      ['POST', '/echo'],
      ['PUT', '/documents'],
    ] as const) {
      const answer = await server.send(method, path, { body, headers: { ...JSON_TYPE, 'content-encoding': coding } })
      expect([answer.status, answer.json?.code]).toEqual([400, 'bad_request'])
    }
  })

  test('the limit holds to the byte, for the announced, the sent and the decompressed size', async () => {
    const bodyOf = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`
    const post = (body: string | Uint8Array, headers = {}) =>
      server.send('POST', '/echo', { body, headers: { ...JSON_TYPE, ...headers } })
    expect((await post(bodyOf(1000))).status).toBe(200)
    expect((await post(bodyOf(1001))).json).toMatchObject({ code: 'payload_too_large', type: 'invalid_request' })
    expect((await post(gzipSync(bodyOf(1000)), { 'content-encoding': 'gzip' })).status).toBe(200)
    expect((await post(gzipSync(bodyOf(1001)), { 'content-encoding': 'gzip' })).status).toBe(413)
    const send = (path: string, method: string) =>
      exchange(server.port, {
        method,
        path,
        headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' },
        body: Buffer.from(bodyOf(1001)),
      })
    expect((await send('/echo', 'POST')).status).toBe(413)
    expect((await send('/documents', 'PUT')).status).toBe(413)
  })

  test('a bomb is stopped at the limit', async () => {
    const body = gzipSync(Buffer.alloc(20_000_000), { level: 1 })
    const sent = { body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }
    expect((await server.send('POST', '/echo', sent)).status).toBe(413)
  })

  test('a client that sends more than is read still sees the answer', async () => {
    const answer = await server.send('POST', '/echo', { body: Buffer.alloc(5_000_000) })
    expect(answer.json.code).toBe('missing_content_type')
  })

  test('a client that goes away in the middle of its body disturbs nobody', async () => {
    const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na'
    for (const target of ['POST /echo', 'PUT /documents']) {
      await new Promise((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(`${target} HTTP/1.1\r\n${head}`, () => socket.destroy())
        })
        socket.on('close', resolve)
      })
    }
    expect((await server.send('POST', '/echo', { body: {} })).status).toBe(200)
    expect(server.logged.filter((line) => line.includes('ERROR'))).toEqual([])
  })
})

describe('response encoding', () => {
  test.each([
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
    ['deflate', 'deflate', inflateSync],
    ['BR;Q=0.1', 'br', brotliDecompressSync],
  ])('Accept-Encoding: %s gives %s', async (header, coding, decompress) => {
    const answer = await server.send('GET', '/echo', { headers: { 'accept-encoding': header } })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers.vary).toMatch(/, accept-encoding$/)
    expect(JSON.parse(decompress(answer.bytes).toString())).toEqual({ rawQuery: '' })
  })

  test.each(['*', 'identity', 'zstd', 'br;q=0, gzip;q=0', ''])(
    'Accept-Encoding: %s gives a plain answer',
    async (header) => {
      const answer = await server.send('GET', '/echo', { headers: { 'accept-encoding': header } })
      expect(answer.headers['content-encoding']).toBeUndefined()
      expect(answer.json).toEqual({ rawQuery: '' })
    },
  )

  test.each(['identity;q=0', '*;q=0', 'zstd, *;q=0'])('Accept-Encoding: %s leaves nothing to send', async (header) => {
    const answer = await server.send('GET', '/echo', { headers: { 'accept-encoding': header } })
    expect(answer.status).toBe(406)
    expect(answer.headers.vary).toMatch(/Accept-Encoding/)
    expect(answer.json).toMatchObject({ code: 'bad_request', message: expect.stringContaining('gzip') })
  })

  test('a coding excluded by name but allowed by a better one is used', async () => {
    const headers = { 'accept-encoding': 'identity;q=0, gzip' }
    expect((await server.send('GET', '/echo', { headers })).headers['content-encoding']).toBe('gzip')
  })

  test('errors are compressed like successes, empty answers never', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const error = await server.send('POST', '/echo', { headers })
    expect(JSON.parse(gunzipSync(error.bytes).toString()).code).toBe('missing_content_type')
    const bare = await server.send('POST', '/a/b', { headers })
    expect([bare.status, bare.headers['content-encoding'], bare.text]).toEqual([204, undefined, ''])
  })

  test('large answers arrive whole in every coding', async () => {
    const decompressors = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }
    for (const [coding, decompress] of Object.entries(decompressors)) {
      const { bytes } = await server.send('GET', '/large', { headers: { 'accept-encoding': coding } })
      expect(JSON.parse(decompress(bytes).toString())).toEqual(LINES)
    }
  })

  test('a stream is sent chunk by chunk, compressed or not', async () => {
    expect((await server.send('GET', '/flow')).text).toBe('one,two')
    const packed = await server.send('GET', '/flow', { headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(packed.bytes).toString()).toBe('one,two')
  })
})
