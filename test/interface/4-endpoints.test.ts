/** Section 4 of the interface document, line by line, but for the document list (4.8). */
import { beforeAll, describe, expect, test } from 'vitest'
import { asks, eventsOf, inTurn, says, startFakeProvider } from '../../src/server/chats/provider.fake.js'
import { done } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { ANONYMOUS, as, keyFor, startGuarded } from './walk.js'

let server: TestServer

beforeAll(async () => {
  server = await startGuarded()
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
})

test('L129: bodies that are not JSON are refused where JSON is wanted', async () => {
  const { status, body } = await server.request('POST', '/indexes', 'uid=films', { 'content-type': 'text/plain' })
  expect([status, body.code]).toEqual([415, 'invalid_content_type'])
})

describe('4.1 GET /webhooks', () => {
  test('L132: it lists all webhooks, as operation get_webhooks', async () => {
    await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/a' })
    await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/b' })
    const { body } = await server.request<{ results: { url: string }[] }>('GET', '/webhooks')
    expect(body.results.map(({ url }) => url).sort()).toEqual(['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'])
    const description = await server.request<{ paths: Record<string, { get: object }> }>('GET', '/openapi.json')
    expect(description.body.paths['/webhooks']?.get).toMatchObject({ operationId: 'get_webhooks' })
  })

  test('L133: it takes no parameters', async () => {
    expect(await server.request('GET', '/webhooks')).toMatchObject({ status: 200 })
    const description = await server.request<{ paths: Record<string, { get: object }> }>('GET', '/openapi.json')
    expect(description.body.paths['/webhooks']?.get).not.toHaveProperty('requestBody')
  })

  test('L134: each entry has uuid, url, optional headers and isEditable, and no secret', async () => {
    const headers = { Authorization: 'Bearer never-to-be-shown' }
    await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/c', headers })
    const { text, body } = await server.request<{ results: object[] }>('GET', '/webhooks')
    expect(text).not.toContain('never-to-be-shown')
    for (const entry of body.results) {
      expect(entry).toMatchObject({ uuid: expect.any(String), url: expect.any(String), isEditable: true })
      expect(['isEditable', 'url', 'uuid', 'headers']).toEqual(expect.arrayContaining(Object.keys(entry)))
    }
  })

  test('L135: without the header it answers 401', async () => {
    expect(await server.request('GET', '/webhooks', undefined, ANONYMOUS)).toMatchObject({
      status: 401,
      body: { code: 'missing_authorization_header', type: 'auth' },
    })
  })

  test.each(['webhooks.get', 'webhooks.*', '*.get', '*'])('L136: the action %s permits it', async (action) => {
    const key = await keyFor(server, [action])
    expect(await server.request('GET', '/webhooks', undefined, as(key))).toMatchObject({ status: 200 })
  })

  test('L136: another action does not', async () => {
    const key = await keyFor(server, ['webhooks.create'])
    expect(await server.request('GET', '/webhooks', undefined, as(key))).toMatchObject({ status: 403 })
  })
})

describe('4.2 to 4.6 Chat workspaces', () => {
  const KEYED = { source: 'openAi', apiKey: 'sk-a-secret-key-of-mine' }
  const path = (name: string) => `/chats/${name}/settings`

  beforeAll(async () => {
    for (let i = 10; i < 35; i++) await server.request('PATCH', path(`w${i}`), KEYED)
  })

  test('L139: twenty workspaces from the first on, unless offset and limit say otherwise', async () => {
    const first = (await server.request<{ results: object[] }>('GET', '/chats')).body
    expect(first).toMatchObject({ offset: 0, limit: 20 })
    expect(first.results).toHaveLength(20)
    const { body } = await server.request('GET', '/chats?offset=3&limit=2')
    expect(body).toMatchObject({ results: [{ uid: 'w13' }, { uid: 'w14' }], offset: 3, limit: 2 })
  })

  test('L140: results, offset, limit, and the number of workspaces', async () => {
    const { body } = await server.request('GET', '/chats?limit=0')
    expect(body).toEqual({ results: [], offset: 0, limit: 0, total: 25 })
  })

  test('L143, L144: a workspace by its uid', async () => {
    expect(await server.request('GET', '/chats/w10')).toMatchObject({ status: 200, body: { uid: 'w10' } })
    expect(await server.request('GET', '/chats/none')).toMatchObject({ status: 404, body: { code: 'chat_not_found' } })
  })

  test('L147: the settings show apiKey obfuscated', async () => {
    const { body } = await server.request<{ apiKey: string }>('GET', path('w10'))
    expect(body.apiKey).toMatch(/^sk-\w*X+$|^sk-\w*\*+$|X{3,}/)
    expect(body.apiKey).not.toContain('secret')
  })

  test('L150: PATCH creates the workspace or updates it', async () => {
    expect(await server.request('GET', '/chats/fresh')).toMatchObject({ status: 404 })
    await server.request('PATCH', path('fresh'), KEYED)
    expect(await server.request('GET', '/chats/fresh')).toMatchObject({ status: 200 })
    expect(await server.request('PATCH', path('fresh'), { source: 'mistral' })).toMatchObject({ status: 200 })
  })

  test('L151: the fields that are provided are updated, and no others', async () => {
    await server.request('PATCH', path('subset'), { ...KEYED, prompts: { system: 'A' } })
    await server.request('PATCH', path('subset'), { prompts: { searchDescription: 'B' } })
    const { body } = await server.request('GET', path('subset'))
    expect(body).toMatchObject({ source: 'openAi', prompts: { system: 'A', searchDescription: 'B' } })
  })

  test('L152: PATCH answers the updated settings without apiKey', async () => {
    const { body } = await server.request('PATCH', path('subset'), { apiKey: 'sk-another-secret' })
    expect(body).toMatchObject({ source: 'openAi' })
    expect(body).not.toHaveProperty('apiKey')
  })

  test('L155, L156: DELETE resets the settings and answers them without apiKey', async () => {
    const { status, body } = await server.request('DELETE', path('subset'))
    expect([status, body.source]).toEqual([200, null])
    expect(body).not.toHaveProperty('apiKey')
    expect((await server.request('GET', path('subset'))).body).not.toMatchObject({ prompts: { system: 'A' } })
  })
})

describe('4.7 Chat completions', () => {
  const ask = (workspace: string, change: object = {}, headers = {}) => {
    const messages = [{ role: 'user', content: 'Which owls?' }]
    return server.request('POST', `/chats/${workspace}/chat/completions`, { model: 'm', messages, ...change }, headers)
  }

  test('L159: a stream, and nothing but a stream', async () => {
    const provider = await startFakeProvider()
    await server.request('PATCH', '/chats/streamed/settings', { source: 'vLlm', baseUrl: provider.url })
    expect(await ask('streamed', { stream: true })).toMatchObject({ status: 200 })
    expect((await ask('streamed', { stream: false })).status).toBe(501)
  })

  test('L160: it searches what the key may access, and answers from what was found', async () => {
    await done(server, 'POST', '/indexes/books/documents', [{ id: 1, title: 'Owls at dusk' }])
    await done(server, 'POST', '/indexes/diary/documents', [{ id: 1, title: 'Owls of mine' }])
    const search = (indexUid: string, id: string) => ({ id, arguments: JSON.stringify({ indexUid, q: 'owls' }) })
    const provider = await startFakeProvider(inTurn(asks(search('books', 'a'), search('diary', 'b')), says('One.')))
    await server.request('PATCH', '/chats/searching/settings', { source: 'vLlm', baseUrl: provider.url })
    const key = await keyFor(server, ['search', 'chatCompletions'], ['books'])
    const { text } = await ask('searching', {}, as(key))
    expect(text).toContain('One.')
    const told = provider.calls[1]?.text ?? ''
    expect(told).toContain('Owls at dusk')
    expect(told).not.toContain('Owls of mine')
  })

  test('L161: events of JSON chunks, an empty delta with stop, and [DONE]', async () => {
    const provider = await startFakeProvider(says('Hello ', 'there.'))
    await server.request('PATCH', '/chats/saying/settings', { source: 'vLlm', baseUrl: provider.url })
    const { headers, text } = await ask('saying')
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    // The first line tells clients when to connect again; it is no event.
    for (const line of text
      .split('\n')
      .filter((each) => each !== '')
      .slice(1))
      expect(line).toMatch(/^data: /)
    const events = eventsOf(text)
    expect(events.at(-1)).toBe('[DONE]')
    expect(events.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
    expect(Object.keys(events.at(-2).choices[0].delta)).toEqual([])
  })

  test('L162: a workspace that was never configured is not there', async () => {
    expect(await ask('nobody')).toMatchObject({ status: 404, body: { code: 'chat_not_found' } })
  })
})

describe('4.9 Other routes', () => {
  test('L184: tasks by type, and one task', async () => {
    const listed = await server.request('GET', '/tasks?types=UpgradeDatabase')
    expect(listed).toMatchObject({ status: 200, body: { results: [], total: 0 } })
    const { uid } = await done(server, 'POST', '/indexes', { uid: 'one' })
    expect(await server.request('GET', `/tasks/${uid}`)).toMatchObject({ status: 200, body: { uid } })
  })

  test.each(['/dumps', '/snapshots'])('L185: POST %s returns an enqueued task', async (path) => {
    const { status, body } = await server.request('POST', path)
    expect([status, body.status, typeof body.taskUid]).toEqual([202, 'enqueued', 'number'])
  })

  test('L185: a route returns the version', async () => {
    expect((await server.request('GET', '/version')).body).toHaveProperty('pkgVersion')
  })
})
