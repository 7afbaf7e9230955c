import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WorkspaceStore } from '../../chat/index.js'
import { LocalStateLog } from '../../store/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
})

beforeEach(async () => {
  await server.context.features.change({ chatCompletions: true })
  for (const uid of server.context.chats.uids()) await server.context.chats.delete(uid)
})

const SECRET = 'sk-test-placeholder-api-key'
const MESSAGES = [{ role: 'user', content: 'owls?' }]

const get = async (uid: string) => (await server.send('GET', `/chats/${uid}/settings`)).json
const patch = (uid: string, body: unknown) => server.send('PATCH', `/chats/${uid}/settings`, { body: body as object })
const patchCode = (uid: string, body: unknown) =>
  server.codeOf('PATCH', `/chats/${uid}/settings`, { body: body as object })
const list = async (query = '') => (await server.send('GET', `/chats${query}`)).json

const AZURE = {
  source: 'azureOpenAi',
  orgId: 'o',
  projectId: 'p',
  apiVersion: 'v',
  deploymentId: 'd',
  baseUrl: 'https://a',
}
const AZURE_WITH_KEY = { ...AZURE, apiKey: SECRET }

describe('the routes', () => {
  test('need their feature, after everything that can be read was read', async () => {
    await server.context.features.change({ chatCompletions: false })
    const completion = { model: 'm', messages: MESSAGES }
    const codes = [
      await server.codeOf('GET', '/chats'),
      await server.codeOf('GET', '/chats/w'),
      await server.codeOf('DELETE', '/chats/w'),
      await server.codeOf('GET', '/chats/w/settings'),
      await patchCode('w', {}),
      await server.codeOf('DELETE', '/chats/w/settings'),
      await server.codeOf('POST', '/chats/w/chat/completions', { body: completion }),
      await server.codeOf('POST', '/chats/w/chat/completions', { body: { ...completion, stream: false } }),
    ]
    expect(codes).toEqual(Array(8).fill('feature_not_enabled'))
    expect(await patchCode('w', { apiKey: 1 })).toBe('invalid_chat_completion_api_key')
    expect(await server.codeOf('GET', '/chats?limit=a')).toBe('invalid_index_limit')
    expect(await server.codeOf('POST', '/chats/w/chat/completions', { body: {} })).toBe('bad_request')
  })

  test('list workspaces in byte order, page by page', async () => {
    for (const uid of ['b', 'a', 'B', 'a-1']) await patch(uid, {})
    expect(await list()).toEqual({
      results: [{ uid: 'B' }, { uid: 'a' }, { uid: 'a-1' }, { uid: 'b' }],
      offset: 0,
      limit: 20,
      total: 4,
    })
    expect(await list('?offset=1&limit=2')).toEqual({
      results: [{ uid: 'a' }, { uid: 'a-1' }],
      offset: 1,
      limit: 2,
      total: 4,
    })
    expect(await list('?limit=0')).toMatchObject({ results: [], total: 4 })
    expect(await server.codeOf('GET', '/chats?offset=-1')).toBe('invalid_index_offset')
    expect(await server.codeOf('GET', '/chats?page=1')).toBe('bad_request')
  })

  test('do not know a workspace before its settings were written, nor after it was deleted', async () => {
    const codes = async () => [
      await server.codeOf('GET', '/chats/w'),
      await server.codeOf('GET', '/chats/w/settings'),
      await server.codeOf('DELETE', '/chats/w/settings'),
      await server.codeOf('DELETE', '/chats/w'),
      await server.codeOf('POST', '/chats/w/chat/completions', { body: { model: 'm', messages: MESSAGES } }),
    ]
    expect(await codes()).toEqual(Array(5).fill('chat_not_found'))
    await patch('w', {})
    expect((await server.send('GET', '/chats/w')).json).toEqual({ uid: 'w' })
    const deleted = await server.send('DELETE', '/chats/w')
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(await codes()).toEqual(Array(5).fill('chat_not_found'))
  })

  test('refuse names that are none', async () => {
    expect(await server.codeOf('GET', '/chats/a%20b')).toBe('invalid_index_uid')
    expect(await patchCode('..%2Fa', {})).toBe('invalid_index_uid')
    expect(await server.codeOf('GET', `/chats/${'a'.repeat(401)}`)).toBe('invalid_index_uid')
    expect((await list()).total).toBe(0)
  })
})

describe('settings', () => {
  test('of a new workspace are the defaults, without a key when they are changed', async () => {
    const { status, json } = await patch('w', {})
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual([
      'source',
      'orgId',
      'projectId',
      'apiVersion',
      'deploymentId',
      'baseUrl',
      'prompts',
    ])
    expect(json).toMatchObject({ source: null, orgId: null, baseUrl: null })
    expect(Object.keys(json.prompts)).toEqual([
      'system',
      'searchDescription',
      'searchQParam',
      'searchFilterParam',
      'searchIndexUidParam',
    ])
    for (const prompt of Object.values(json.prompts)) expect(prompt).toMatch(/\w+/)
    expect(await get('w')).toEqual({ ...json, apiKey: null })
  })

  test.each([
    [SECRET, 'sk-XXXXX...'],
    ['short', 'XXX...'],
  ])('never show the key %j', async (apiKey, shown) => {
    const patched = await patch('w', { apiKey })
    expect(patched.json).not.toHaveProperty('apiKey')
    expect((await get('w')).apiKey).toBe(shown)
    const reset = await server.send('DELETE', '/chats/w/settings')
    expect(reset.json).not.toHaveProperty('apiKey')
    expect((await get('w')).apiKey).toBeNull()
  })

  test('never show the password in the URL, and keep it when the masked one is sent back', async () => {
    const baseUrl = 'https://anna:pa55@a.example/v1'
    const shown = 'https://anna:XXX...@a.example/v1'
    const stored = () => {
      const found = server.context.chats.get('secret')
      return found.ok ? found.value.baseUrl : null
    }
    expect((await patch('secret', { source: 'vLlm', baseUrl })).json.baseUrl).toBe(shown)
    expect((await get('secret')).baseUrl).toBe(shown)
    await patch('secret', { baseUrl: shown })
    expect(stored()).toBe(baseUrl)
    await patch('secret', { baseUrl: 'https://b.example/v1' })
    expect(stored()).toBe('https://b.example/v1')
    await server.send('DELETE', '/chats/secret')
  })

  test('change where they are given, and go back to their defaults with null', async () => {
    const prompts = (await patch('w', {})).json.prompts
    await patch('w', {
      source: 'vLlm',
      baseUrl: 'http://a/v1',
      apiKey: SECRET,
      prompts: { system: 'S', searchQParam: 'Q' },
    })
    expect(await get('w')).toMatchObject({ source: 'vLlm', prompts: { ...prompts, system: 'S', searchQParam: 'Q' } })
    await patch('w', { source: null, baseUrl: null, prompts: { system: null } })
    expect(await get('w')).toMatchObject({
      source: null,
      baseUrl: null,
      apiKey: 'sk-XXXXX...',
      prompts: { ...prompts, searchQParam: 'Q' },
    })
    expect((await patch('w', { prompts: null })).json.prompts).toEqual(prompts)
    await patch('w', { prompts: { system: 'S' } })
    expect((await server.send('DELETE', '/chats/w/settings')).json.prompts).toEqual(prompts)
    expect((await list()).results).toEqual([{ uid: 'w' }])
  })

  test('take both spellings of two prompts, the long one first', async () => {
    await patch('w', { prompts: { QParam: 'q', IndexUidParam: 'i' } })
    expect((await get('w')).prompts).toMatchObject({ searchQParam: 'q', searchIndexUidParam: 'i' })
    const { json } = await patch('w', { prompts: { searchQParam: 'long', QParam: 'short' } })
    expect(json.prompts.searchQParam).toBe('long')
    expect(json.prompts).not.toHaveProperty('QParam')
    const chosen = (await patch('w', { prompts: { searchQParam: '', QParam: 'short' } })).json.prompts
    expect(chosen.searchQParam).toBe('short')
    const reset = (await patch('w', { prompts: { QParam: null, IndexUidParam: '' } })).json.prompts
    expect(reset).toEqual((await patch('fresh', {})).json.prompts)
  })

  test.each([
    [{ source: 'doggo' }, 'invalid_chat_completion_source'],
    [{ source: 1 }, 'invalid_chat_completion_source'],
    [{ orgId: 1 }, 'invalid_chat_completion_org_id'],
    [{ projectId: [] }, 'invalid_chat_completion_project_id'],
    [{ apiVersion: {} }, 'invalid_chat_completion_api_version'],
    [{ deploymentId: true }, 'invalid_chat_completion_deployment_id'],
    [{ baseUrl: 1 }, 'invalid_chat_completion_base_api'],
    [{ apiKey: 1 }, 'invalid_chat_completion_api_key'],
    [{ prompts: 'x' }, 'invalid_chat_completion_prompts'],
    [{ prompts: { system: 1 } }, 'invalid_chat_completion_system_prompt'],
    [{ prompts: { searchDescription: 1 } }, 'invalid_chat_completion_search_description_prompt'],
    [{ prompts: { searchQParam: 1 } }, 'invalid_chat_completion_search_query_param_prompt'],
    [{ prompts: { QParam: 1 } }, 'invalid_chat_completion_search_query_param_prompt'],
    [{ prompts: { searchFilterParam: 1 } }, 'invalid_chat_completion_search_filter_param_prompt'],
    [{ prompts: { searchIndexUidParam: 1 } }, 'invalid_chat_completion_search_index_uid_param_prompt'],
    [{ prompts: { IndexUidParam: 1 } }, 'invalid_chat_completion_search_index_uid_param_prompt'],
    [{ prompts: { preQuery: 'x' } }, 'invalid_chat_completion_prompts'],
    [{ temperature: 1 }, 'bad_request'],
    [{ baseUrl: 'a.example/v1' }, 'invalid_chat_completion_base_api'],
    [{ baseUrl: '/v1' }, 'invalid_chat_completion_base_api'],
    [{ baseUrl: 'ftp://a/v1' }, 'invalid_chat_completion_base_api'],
    [{ baseUrl: 'http:a/v1' }, 'invalid_chat_completion_base_api'],
    [{ baseUrl: 'https://' }, 'invalid_chat_completion_base_api'],
    [{ source: 'openAi' }, 'invalid_chat_completion_api_key'],
    [{ source: 'openAi', apiKey: '' }, 'invalid_chat_completion_api_key'],
    [{ source: 'openAi', apiKey: ' ' }, 'invalid_chat_completion_api_key'],
    [{ source: 'mistral', apiKey: null }, 'invalid_chat_completion_api_key'],
    [AZURE, 'invalid_chat_completion_api_key'],
    [{ source: 'vLlm' }, 'invalid_chat_completion_base_api'],
    [{ source: 'vLlm', baseUrl: '' }, 'invalid_chat_completion_base_api'],
    [{ ...AZURE_WITH_KEY, baseUrl: null }, 'invalid_chat_completion_base_api'],
    [{ ...AZURE_WITH_KEY, deploymentId: null }, 'invalid_chat_completion_deployment_id'],
    [{ ...AZURE_WITH_KEY, apiVersion: '' }, 'invalid_chat_completion_api_version'],
    [{ source: 'openAi', apiKey: SECRET, orgId: 'x' }, 'invalid_chat_completion_org_id'],
    [{ source: 'mistral', apiKey: SECRET, projectId: 'x' }, 'invalid_chat_completion_project_id'],
    [{ source: 'gemini', apiKey: SECRET, apiVersion: 'x' }, 'invalid_chat_completion_api_version'],
    [{ source: 'vLlm', baseUrl: 'http://a', deploymentId: 'x' }, 'invalid_chat_completion_deployment_id'],
  ])('21.2 L83: that are %j are refused as %s, and nothing is stored', async (body, code) => {
    expect(await patchCode('w', body)).toBe(code)
    expect((await list()).total).toBe(0)
  })

  test('that miss something name the source and every missing field', async () => {
    const { json } = await patch('w', { source: 'azureOpenAi', baseUrl: 'https://a' })
    for (const name of ['azureOpenAi', 'apiVersion', 'deploymentId', 'orgId', 'projectId', 'apiKey']) {
      expect(json.message).toContain(name)
    }
    expect(json.message).not.toContain('baseUrl')
    expect(json.code).toBe('invalid_chat_completion_org_id')
  })

  test('21.2 L83: are held against the source together with those of before', async () => {
    expect((await patch('w', AZURE_WITH_KEY)).json).toMatchObject(AZURE)
    expect((await get('w')).apiKey).toBe('sk-XXXXX...')
    expect(await patchCode('w', { source: 'mistral' })).toBe('invalid_chat_completion_org_id')
    expect(await patchCode('w', { baseUrl: null })).toBe('invalid_chat_completion_base_api')
    expect(await patchCode('w', { projectId: '', prompts: { system: 'S' } })).toBe('invalid_chat_completion_project_id')
    expect(await patchCode('w', { apiKey: '' })).toBe('invalid_chat_completion_api_key')
    expect(await get('w')).toMatchObject({ ...AZURE, apiKey: 'sk-XXXXX...' })
    expect((await get('w')).prompts.system).not.toBe('S')
    const none = { orgId: null, projectId: '', apiVersion: null, deploymentId: '' }
    expect((await patch('w', { source: 'mistral', ...none })).json).toMatchObject({ source: 'mistral', orgId: null })
  })

  test('21.2 L83: can come before their source', async () => {
    expect((await patch('w', { orgId: 'o', projectId: 'p', apiVersion: 'v', deploymentId: 'd' })).status).toBe(200)
    expect((await patch('w', { apiKey: SECRET })).status).toBe(200)
    expect((await patch('w', { source: 'azureOpenAi', baseUrl: 'https://a' })).json).toMatchObject(AZURE)
  })

  test('21.2 L83: of a client that sends every field, empty where it is not set, are those that are not empty', async () => {
    const { json: fresh } = await patch('fresh', {})
    const empty = { orgId: '', projectId: '', apiVersion: '', deploymentId: '', baseUrl: '' }
    const prompts = { system: '', searchDescription: '', searchQParam: '', searchIndexUidParam: '' }
    const { status, json } = await patch('w', { source: 'openAi', apiKey: SECRET, ...empty, prompts })
    expect(status).toBe(200)
    expect(json).toEqual({ ...fresh, source: 'openAi' })
    expect((await patch('w', { source: '', apiKey: '', ...empty, prompts })).json).toEqual(fresh)
    expect((await get('w')).apiKey).toBeNull()
  })

  test('21.1 L82: name no source until one is set, nor after they were reset', async () => {
    const complete = () =>
      server.send('POST', '/chats/w/chat/completions', { body: { model: 'm', messages: MESSAGES } })
    await patch('w', { apiKey: SECRET })
    expect((await get('w')).source).toBeNull()
    const { status, json } = await complete()
    expect([status, json.code]).toEqual([400, 'invalid_chat_completion_source'])
    expect((await patch('w', { source: 'gemini' })).json.source).toBe('gemini')
    expect((await server.send('DELETE', '/chats/w/settings')).json.source).toBeNull()
    expect((await get('w')).source).toBeNull()
    expect((await complete()).json.code).toBe('invalid_chat_completion_source')
  })

  test('21.1 L82: that were stored or dumped with a source keep it, and others have none', async () => {
    const { chats, systemEnvironment } = server.context
    await patch('none', { apiKey: SECRET })
    await patch('some', { source: 'mistral', apiKey: SECRET })
    const sources = (store: WorkspaceStore) =>
      store.uids().map((uid) => {
        const settings = store.get(uid)
        return [uid, settings.ok && settings.value.source]
      })
    const expected = [
      ['none', null],
      ['some', 'mistral'],
    ]
    expect(sources(new WorkspaceStore(new LocalStateLog(systemEnvironment)))).toEqual(expected)
    const dumped = chats.dumped()
    expect(dumped.get('none')!.has('source')).toBe(false)
    await chats.restore(dumped)
    expect(sources(chats)).toEqual(expected)
  })

  test('survive a new start, and a dump', async () => {
    await patch('w', { ...AZURE_WITH_KEY, prompts: { system: 'S' } })
    await patch('v', {})
    const before = server.context.chats
    const reopened = new WorkspaceStore(new LocalStateLog(server.context.systemEnvironment))
    expect(reopened.uids()).toEqual(['v', 'w'])
    expect(reopened.get('w')).toEqual(before.get('w'))
    const dumped = reopened.dumped()
    expect(dumped.get('w')?.get('apiKey')).toBe(SECRET)
    const older = new Map(dumped.get('w')!).set('preQuery', 'x')
    await reopened.restore(new Map([['x', older]]))
    expect(new WorkspaceStore(new LocalStateLog(server.context.systemEnvironment)).uids()).toEqual(['x'])
    expect(reopened.get('x')).toEqual(before.get('w'))
    await reopened.delete('x')
  })
})

test('nothing of a key is logged', () => {
  expect(server.logged.join('')).not.toContain(SECRET)
})
