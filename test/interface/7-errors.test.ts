/** Section 7 of the interface document, line by line. */
import type { OutgoingHttpHeaders } from 'node:http'
import { createConnection } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../src/errors/catalogue.js'
import published from '../fixtures/error-codes.json' with { type: 'json' }
import type { TestServer } from '../server.js'
import { ANONYMOUS, startGuarded } from './walk.js'

let server: TestServer

const codes = Object.keys(published)

beforeAll(async () => {
  server = await startGuarded()
})

const OBJECT = {
  message: expect.stringMatching(/./),
  code: expect.stringMatching(/^[a-z0-9_]+$/),
  type: expect.stringMatching(/^(internal|invalid_request|auth|system)$/),
  link: expect.stringMatching(/#[a-z0-9_]+$/),
}

describe('L210: all errors use the object', () => {
  test.each<[name: string, method: string, path: string, sent: unknown, status: number, headers?: OutgoingHttpHeaders]>(
    [
      ['an unknown route', 'GET', '/nowhere', undefined, 404],
      ['an unknown route below a known one', 'GET', '/indexes/films/nowhere', undefined, 404],
      ['a method that a route has not', 'DELETE', '/health', undefined, 405],
      ['a missing index', 'GET', '/indexes/none', undefined, 404],
      ['a body that is no JSON', 'POST', '/indexes', '{', 400],
      ['a wrong value', 'POST', '/indexes', { uid: 1 }, 400],
      ['a missing content type', 'POST', '/indexes', '{}', 415, { 'content-type': undefined }],
      ['a missing credential', 'GET', '/indexes', undefined, 401, ANONYMOUS],
      ['a wrong credential', 'GET', '/indexes', undefined, 403, { authorization: 'Bearer wrong' }],
    ],
  )('%s', async (_name, method, path, sent, status, headers = {}) => {
    const answer = await server.request(method, path, sent, headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(OBJECT)
    expect(codes).toContain(answer.body.code)
  })

  test('a wrong method names those that there are', async () => {
    expect((await server.request('DELETE', '/health')).headers.allow).toMatch(/\bGET\b/)
  })

  test.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n'],
    ['a header that is none', 'GET /health HTTP/1.1\r\nhost: x\r\nno colon here\r\n\r\n'],
    ['a wrong length', 'POST /indexes HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n'],
  ])('malformed HTTP: %s', async (_name, bytes) => {
    const answer = await rawAnswer(server.port, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual(OBJECT)
  })
})

test('L216, L217: a missing header is 401 for webhooks and documents', async () => {
  for (const path of ['/webhooks', '/indexes/films/documents']) {
    const { status, body } = await server.request('GET', path, undefined, ANONYMOUS)
    expect([status, body.code, body.type]).toEqual([401, 'missing_authorization_header', 'auth'])
  }
})

test('L218: an index that does not exist', async () => {
  const { status, body } = await server.request('GET', '/indexes/none/documents')
  expect([status, body.code, body.type]).toEqual([404, 'index_not_found', 'invalid_request'])
})

test('L222, L224: the codes are those of the document, and no others', () => {
  // Beside those of several servers, which one of its own never answers with.
  const own = Object.keys(catalogue).filter((code) => !/^(cluster|shard_map)_/.test(code))
  expect(own.sort()).toEqual(codes.sort())
})

/** All that comes back for these bytes. */
function rawAnswer(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
