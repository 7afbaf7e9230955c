import { beforeAll, describe, expect, test } from 'vitest'
import { startTaskServer, type TaskServer } from './task-server.fixture.js'

const NIL = '00000000-0000-0000-0000-000000000000'
const UNKNOWN = '11111111-1111-4111-8111-111111111111'

let shared: TaskServer

beforeAll(async () => {
  shared = await startTaskServer()
})

const create = (server: TaskServer, body: object) => server.send('POST', '/webhooks', { body })

test('a webhook is created, shown with its secrets masked, changed and deleted', async () => {
  const server = await startTaskServer()
  const created = await create(server, { url: 'https://x.io', headers: { authorization: 'TOKEN', b: 'c' } })
  const { uuid } = created.json
  expect(created.status).toBe(201)
  expect(Object.entries(created.json)).toEqual([
    ['uuid', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['isEditable', true],
    ['url', 'https://x.io'],
    ['headers', { authorization: 'XXX...', b: 'c' }],
  ])
  expect((await server.send('GET', `/webhooks/${uuid}`)).json).toEqual(created.json)
  expect((await server.send('GET', '/webhooks')).json).toEqual({ results: [created.json] })
  expect(server.context.webhooks.list()[0]?.headers.get('authorization')).toBe('TOKEN')

  const changed = await server.send('PATCH', `/webhooks/${uuid}`, { body: { headers: { b: null, d: 'e' } } })
  expect([changed.status, changed.json]).toEqual([
    200,
    { ...created.json, headers: { authorization: 'XXX...', d: 'e' } },
  ])
  const emptied = await server.send('PATCH', `/webhooks/{${uuid}}`, { body: { headers: null } })
  expect(emptied.json).toEqual({ ...created.json, headers: {} })
  const { headers: _, ...bare } = created.json
  expect((await server.send('GET', '/webhooks')).json).toEqual({ results: [bare] })

  const deleted = await server.send('DELETE', `/webhooks/${uuid}`)
  expect([deleted.status, deleted.text]).toEqual([204, ''])
  expect((await server.send('GET', `/webhooks/${uuid}`)).json.code).toBe('webhook_not_found')
})

test.each([
  [{}, 'invalid_webhook_url'],
  [{ url: null }, 'invalid_webhook_url'],
  [{ url: '' }, 'invalid_webhook_url'],
  [{ url: 'not-a-url' }, 'invalid_webhook_url'],
  [{ url: 3 }, 'invalid_webhook_url'],
  [{ url: 'https://x.io', headers: 'a' }, 'invalid_webhook_headers'],
  [{ url: 'https://x.io', headers: { a: 1 } }, 'invalid_webhook_headers'],
  [{ url: 'https://x.io', headers: { 'with space': 'a' } }, 'invalid_webhook_headers'],
  [{ url: 'https://x.io', headers: { a: 'b\nc' } }, 'invalid_webhook_headers'],
  [{ url: 'https://x.io', uuid: UNKNOWN }, 'immutable_webhook_uuid'],
  [{ url: 'https://x.io', isEditable: false }, 'immutable_webhook_is_editable'],
  [{ url: 'https://x.io', bogus: 1 }, 'bad_request'],
  [[], 'bad_request'],
])('%j is refused with %s', async (body, code) => {
  const { status, json } = await create(shared, body)
  expect([status, json.code]).toEqual([400, code])
})

describe('changes that are refused', () => {
  test.each([
    ['PATCH', `/webhooks/${NIL}`, 400, 'immutable_webhook'],
    ['DELETE', `/webhooks/${NIL}`, 400, 'immutable_webhook'],
    ['PATCH', '/webhooks/nonsense', 400, 'invalid_webhook_uuid'],
    ['DELETE', '/webhooks/nonsense', 400, 'invalid_webhook_uuid'],
    ['GET', '/webhooks/nonsense', 400, 'invalid_webhook_uuid'],
    ['PATCH', `/webhooks/${UNKNOWN}`, 404, 'webhook_not_found'],
    ['DELETE', `/webhooks/${UNKNOWN}`, 404, 'webhook_not_found'],
    ['GET', `/webhooks/${UNKNOWN}`, 404, 'webhook_not_found'],
    ['GET', `/webhooks/${NIL}`, 404, 'webhook_not_found'],
  ])('%s %s: %d %s', async (method, path, status, code) => {
    const found = await shared.send(method, path, method === 'PATCH' ? { body: {} } : {})
    expect([found.status, found.json.code]).toEqual([status, code])
  })

  test('the body is checked before the path', async () => {
    const { json } = await shared.send('PATCH', '/webhooks/nonsense', { body: { uuid: UNKNOWN } })
    expect(json.code).toBe('immutable_webhook_uuid')
  })

  test('a url cannot be taken away', async () => {
    const server = await startTaskServer()
    const { uuid } = (await create(server, { url: 'https://x.io' })).json
    expect((await server.send('PATCH', `/webhooks/${uuid}`, { body: { url: null } })).json.code).toBe(
      'invalid_webhook_url',
    )
  })
})

test('there are at most twenty webhooks, with two hundred headers each', async () => {
  const server = await startTaskServer()
  const made = await Promise.all(Array.from({ length: 20 }, () => create(server, { url: 'https://x.io' })))
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
  const more = await create(server, { url: 'https://x.io' })
  expect([more.status, more.json.code]).toEqual([400, 'invalid_webhooks'])
  const headers = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`h${i}`, 'x']))
  const path = `/webhooks/${made[0]?.json.uuid}`
  expect((await server.send('PATCH', path, { body: { headers } })).status).toBe(200)
  expect((await server.send('PATCH', path, { body: { headers: { more: 'x' } } })).json.code).toBe(
    'invalid_webhook_headers',
  )
})

test('the webhook of the command line comes first, masked and not editable', async () => {
  const server = await startTaskServer({ webhook: { url: 'http://h', authorization: 'Bearer a-secret-token' } })
  await create(server, { url: 'https://x.io' })
  const { results } = (await server.send('GET', '/webhooks')).json
  expect(results[0]).toEqual({
    uuid: NIL,
    isEditable: false,
    url: 'http://h/',
    headers: { Authorization: 'Bearer a-XXXX...' },
  })
  expect((await server.send('GET', `/webhooks/${NIL}`)).json).toEqual(results[0])
})
