import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { FailureError, failure } from '../../errors/index.js'
import { boolParam, object, optional, queryParam, text as textShape } from '../../shape/index.js'
import { empty, json } from '../answers/answer.js'
import { startTestServer } from '../test-server.fixture.js'
import { jsonBody, type Route, route } from './route.js'

const JSON_TYPE = { 'content-type': 'application/json' }

const show = route({ method: 'GET', path: '/echo', action: null, handle: ({ rawQuery }) => json(200, { rawQuery }) })

const start = (...routes: Route[]) => startTestServer({ routes, masterKey: null })

describe('order of checks', () => {
  const ordered = (bodyFirst: boolean) =>
    route({
      method: 'POST',
      path: '/indexes/{index_uid}/thing',
      action: 'documents.add',
      query: { flag: queryParam(boolParam, 'invalid_task_reverse') },
      body: jsonBody(object({ name: optional(textShape, 'invalid_api_key_name') })),
      bodyFirst,
      feature: { name: 'network', doing: 'This' },
      handle: () => empty(204),
    })

  test('key, query, body, feature, index uid: the first that fails decides', async () => {
    const server = await startTestServer({ routes: [ordered(false)] })
    const bad = '/indexes/not%20valid/thing'
    const code = async (path: string, sent: object) => (await server.send('POST', path, sent)).json?.code
    expect(await code(`${bad}?flag=x`, { key: 'nobody', body: '{' })).toBe('invalid_api_key')
    expect(await code(`${bad}?flag=x`, { body: '{', headers: JSON_TYPE })).toBe('invalid_task_reverse')
    expect(await code(`${bad}?flag=true`, { body: '{' })).toBe('missing_content_type')
    expect(await code(bad, { body: '{', headers: JSON_TYPE })).toBe('malformed_payload')
    expect(await code(bad, { body: { name: 3 } })).toBe('invalid_api_key_name')
    expect(await code(bad, { body: {} })).toBe('feature_not_enabled')
    await server.context.features.change({ network: true })
    expect(await code(bad, { body: {} })).toBe('invalid_index_uid')
    expect(await code('/indexes/valid/thing', { body: {} })).toBeUndefined()
  })

  test('a route may ask for its body first', async () => {
    const server = await startTestServer({ routes: [ordered(true)] })
    const path = '/indexes/a/thing?flag=x'
    expect((await server.send('POST', path, { body: { name: 3 } })).json.code).toBe('invalid_api_key_name')
    expect((await server.send('POST', path, { body: {} })).json.code).toBe('invalid_task_reverse')
  })
})

describe('failures', () => {
  const failing = (error: unknown) =>
    route({
      method: 'GET',
      path: '/fails',
      action: null,
      handle() {
        throw error
      },
    })

  test('a surprise is an internal error that tells nothing, and is logged', async () => {
    const server = await start(failing(new Error('password 1234')))
    const answer = await server.send('GET', '/fails')
    expect(answer.status).toBe(500)
    expect(answer.json).toMatchObject({ code: 'internal', type: 'internal' })
    expect(answer.text).not.toContain('1234')
    expect(server.logged.join('')).toContain('password 1234')
  })

  test('a full disk has its own code', async () => {
    const server = await start(failing(Object.assign(new Error('write'), { code: 'ENOSPC' })))
    const answer = await server.send('GET', '/fails')
    expect([answer.status, answer.json.code]).toEqual([422, 'no_space_left_on_device'])
  })

  test('a failure thrown from deep inside is answered as it is', async () => {
    const server = await start(failing(new FailureError(failure('index_not_found', 'books'))))
    const answer = await server.send('GET', '/fails')
    expect(answer.json).toEqual({
      message: 'There is no index "books".',
      code: 'index_not_found',
      type: 'invalid_request',
      link: 'https://docs.meilisearch.com/errors#index_not_found',
    })
  })

  test('the base of links can be chosen', async () => {
    const server = await startTestServer({ args: ['--errors-url', 'https://docs.example/errors'] })
    const answer = await server.send('GET', '/version', { key: 'nobody' })
    expect(answer.json.link).toBe('https://docs.example/errors#invalid_api_key')
  })
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}

test('a client that leaves aborts the signal of its call', async () => {
  const left = deferred()
  const waiting = deferred()
  const patient = route({
    method: 'GET',
    path: '/patient',
    action: null,
    async handle({ signal }) {
      signal.addEventListener('abort', () => left.resolve('left'))
      waiting.resolve(undefined)
      await left.promise
      return empty(204)
    },
  })
  const server = await start(patient)
  const socket = connect(server.port, '127.0.0.1', () => socket.write('GET /patient HTTP/1.1\r\nHost: x\r\n\r\n'))
  await waiting.promise
  socket.destroy()
  expect(await left.promise).toBe('left')
})

test('keys that are named in paths and parameters stay out of the log', async () => {
  const server = await startTestServer()
  const { key, uid } = (await server.send('GET', '/keys')).json.results[0]
  for (const path of [`/keys/${key}`, `//keys/${key}/`, `/keys/%${key.charCodeAt(0).toString(16)}${key.slice(1)}`]) {
    expect((await server.send('GET', path)).json.uid).toBe(uid)
  }
  await server.send('DELETE', `/keys/${key.slice(0, 40)}`)
  await server.send('GET', `/key/${key}`)
  await server.send('GET', `/nope?apiKey=${key}&x=1`)
  await server.send('GET', `/keys/${uid}`)
  expect(server.logged.join('')).not.toContain(key.slice(10, 30))
  const records = server.logged.map((line) => JSON.parse(line))
  expect(records.at(-2)).toMatchObject({ path: '/nope', query: 'apiKey=XXX...&x=1' })
  expect(records.at(-1)).toMatchObject({ path: `/keys/${uid}`, status: 200 })
  const counted = server.context.requestMetrics.requestCounts()
  expect(counted.some(({ path }) => path.includes(key.slice(10, 30)))).toBe(false)
})

test('every request leaves one record', async () => {
  const server = await start(show)
  const headers = { host: 'shop.example', 'user-agent': 'curl', 'x-meilisearch-client': 'JS (v1)' }
  await server.send('GET', '/echo?a=1', { headers })
  await server.send('GET', '/nope')
  const [first, second] = server.logged.map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    level: 'INFO',
    method: 'GET',
    host: 'shop.example',
    path: '/echo',
    query: 'a=1',
    userAgent: 'JS (v1)',
    status: 200,
  })
  expect(second).toMatchObject({ path: '/nope', status: 404 })
})
