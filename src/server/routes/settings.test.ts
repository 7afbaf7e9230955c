import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ok } from '../../errors/index.js'
import { defaultSettings, encodeSettings, settingRoutes } from '../../settings/index.js'
import type { ServerContext } from '../context.js'
import { MASTER_KEY, startTestServer, type TestServer } from '../test-server.fixture.js'
import { routes as features } from './features.js'
import { routes as keys } from './keys.js'
import { routes } from './settings.js'

/** What the routes reach of tasks and indexes: one index `movies` with a stop word, and a list of what was enqueued. */
const enqueued: Record<string, unknown>[] = []
const movies = encodeSettings({ ...defaultSettings, stopWords: ['the'] })
const surroundings = {
  tasks: {
    enqueue: async (content: Record<string, unknown>) => {
      enqueued.push(content)
      return ok({ uid: enqueued.length - 1, content, enqueuedAt: '2026-01-05T10:00:00Z' })
    },
  },
  indexes: { open: (uid: string) => (uid === 'movies' ? { settingsBytes: () => movies } : undefined) },
} as unknown as Pick<ServerContext, 'tasks' | 'indexes'>

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: [...routes, ...features, ...keys], context: surroundings })
})
beforeEach(async () => {
  enqueued.length = 0
  await server.send('PATCH', '/experimental-features', {
    body: { chatCompletions: false, foreignKeys: false, compositeEmbedders: false },
  })
})

const settings = (path = '') => `/indexes/movies/settings${path}`

test('the whole settings hide what belongs to features that are off', async () => {
  const hidden = await server.send('GET', settings('?anything=1'))
  expect(hidden.status).toBe(200)
  expect(Object.keys(hidden.json)).toHaveLength(20)
  expect(hidden.json.stopWords).toEqual(['the'])
  await server.send('PATCH', '/experimental-features', { body: { chatCompletions: true, foreignKeys: true } })
  const names = Object.keys((await server.send('GET', settings())).json)
  expect(names).toHaveLength(22)
  expect(names.indexOf('foreignKeys')).toBe(names.indexOf('sortableAttributes') + 1)
  expect(names.at(-1)).toBe('chat')
})

test('every setting has its routes, and no others', async () => {
  for (const { path, verb } of settingRoutes) {
    expect((await server.send('GET', settings(`/${path}`))).status).toBe(200)
    expect((await server.send('DELETE', settings(`/${path}`))).status).toBe(202)
    expect((await server.send(verb, settings(`/${path}`), { body: 'null', headers: JSON_TYPE })).status).toBe(202)
    const other = verb === 'PUT' ? 'PATCH' : 'PUT'
    expect((await server.send(other, settings(`/${path}`), { body: 'null', headers: JSON_TYPE })).status).toBe(405)
    expect((await server.send('POST', settings(`/${path}`))).status).toBe(405)
  }
  expect((await server.send('PUT', settings(), { body: {} })).status).toBe(405)
  expect((await server.send('GET', settings('/vector-store'))).status).toBe(404)
})

const JSON_TYPE = { 'content-type': 'application/json' }

test('a single setting is its bare value', async () => {
  expect((await server.send('GET', settings('/stop-words'))).text).toBe('["the"]')
  expect((await server.send('GET', settings('/localized-attributes'))).text).toBe('null')
  expect((await server.send('GET', settings('/prefix-search'))).text).toBe('"indexingTime"')
  expect((await server.send('GET', settings('/foreign-keys'))).text).toBe('[]')
})

test('an index that does not exist has no settings', async () => {
  for (const path of ['/indexes/none/settings', '/indexes/none/settings/chat', '/indexes/none/settings/stop-words']) {
    const answer = await server.send('GET', path)
    expect([answer.status, answer.json.code]).toEqual([404, 'index_not_found'])
  }
  expect((await server.send('GET', '/indexes/bad%20uid!/settings')).json.code).toBe('invalid_index_uid')
})

test('an update is registered as a task that may create the index', async () => {
  const answer = await server.send('PATCH', '/indexes/none/settings', { body: {} })
  expect([answer.status, answer.json]).toEqual([
    202,
    { taskUid: 0, indexUid: 'none', status: 'enqueued', type: 'settingsUpdate', enqueuedAt: '2026-01-05T10:00:00Z' },
  ])
  await server.send('PUT', '/indexes/none/settings/stop-words', { body: 'null', headers: JSON_TYPE })
  await server.send('PUT', '/indexes/none/settings/sortable-attributes', { body: '["b","a"]', headers: JSON_TYPE })
  const update = { type: 'settingsUpdate', indexUid: 'none', isDeletion: false, allowIndexCreation: true }
  expect(enqueued).toEqual([
    { ...update, settings: '{}' },
    { ...update, settings: '{"stopWords":null}' },
    { ...update, settings: '{"sortableAttributes":["a","b"]}' },
  ])
})

test('a reset never creates the index', async () => {
  await server.send('DELETE', '/indexes/none/settings/stop-words')
  await server.send('DELETE', '/indexes/none/settings')
  expect(enqueued).toMatchObject([
    { settings: '{"stopWords":null}', isDeletion: true, allowIndexCreation: false },
    { isDeletion: true, allowIndexCreation: false },
  ])
  expect(Object.keys(JSON.parse(enqueued[1]!.settings as string))).toHaveLength(22)
})

test.each<[string, string, unknown, string]>([
  ['PATCH', '', { foo: 1 }, 'bad_request'],
  ['PATCH', '', [], 'bad_request'],
  ['PATCH', '', { stopWords: 3, foo: 1 }, 'invalid_settings_stop_words'],
  ['PUT', '/displayed-attributes', 'x', 'invalid_settings_displayed_attributes'],
  ['PATCH', '', { chat: {} }, 'feature_not_enabled'],
  ['PATCH', '/chat', {}, 'feature_not_enabled'],
  ['PUT', '/foreign-keys', [], 'feature_not_enabled'],
  ['PUT', '/ranking-rules', ['attribute', 'wordPosition'], 'invalid_settings_ranking_rules'],
  ['PATCH', '/embedders', { e: { source: 'composite' } }, 'feature_not_enabled'],
  ['PATCH', '/embedders', { e: { source: 'userProvided' } }, 'invalid_settings_embedders'],
])('%s of %j with %j is refused with %s, and no task is registered', async (method, path, body, code) => {
  const answer = await server.send(method, settings(path), { body: JSON.stringify(body), headers: JSON_TYPE })
  expect([answer.status, answer.json.code]).toEqual([400, code])
  expect(enqueued).toEqual([])
})

test('the body is looked at before the uid, and the uid before the features', async () => {
  const send = (body: unknown) => server.send('PATCH', '/indexes/bad%20uid!/settings', { body: body as object })
  expect((await send({})).json.code).toBe('invalid_index_uid')
  expect((await send({ stopWords: 3 })).json.code).toBe('invalid_settings_stop_words')
  expect((await send({ chat: {} })).json.code).toBe('invalid_index_uid')
})

test('a body needs its content type', async () => {
  const missing = await server.send('PUT', settings('/stop-words'), { body: '[]' })
  expect([missing.status, missing.json.code]).toEqual([415, 'missing_content_type'])
  const wrong = await server.send('PUT', settings('/stop-words'), {
    body: '[]',
    headers: { 'content-type': 'text/plain' },
  })
  expect([wrong.status, wrong.json.code]).toEqual([415, 'invalid_content_type'])
})

test('reading and writing need their permissions, and creating an index one more', async () => {
  const key = async (actions: string[]) => {
    const body = { actions, indexes: ['movies'], expiresAt: null }
    return (await server.send('POST', '/keys', { body, key: MASTER_KEY })).json.key as string
  }
  const reader = await key(['settings.get'])
  const writer = await key(['settings.update'])
  const creator = await key(['settings.*', 'indexes.create'])
  expect((await server.send('GET', settings(), { key: reader })).status).toBe(200)
  expect((await server.send('PATCH', settings(), { key: reader, body: {} })).status).toBe(403)
  expect((await server.send('GET', settings(), { key: writer })).status).toBe(403)
  await server.send('PATCH', settings(), { key: writer, body: {} })
  await server.send('PATCH', settings(), { key: creator, body: {} })
  expect(enqueued.map(({ allowIndexCreation }) => allowIndexCreation)).toEqual([false, true])
  expect((await server.send('PATCH', '/indexes/other/settings', { key: creator, body: {} })).status).toBe(403)
})
