import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WorkspaceStore } from '../../chat/index.js'
import { type IndexServer, startIndexServer } from '../index-server.cases.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
})

beforeEach(async () => {
  await server.context.features.change({ chatCompletions: true })
  for (const uid of server.context.chats.uids()) await server.context.chats.delete(uid)
})

const SECRET = 'sk-test-placeholder-api-key'

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

describe('the routes', () => {
  test('need their feature, after everything that can be read was read', async () => {
    await server.context.features.change({ chatCompletions: false })
    const completion = { model: 'm', messages: [] }
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
      await server.codeOf('POST', '/chats/w/chat/completions', { body: { model: 'm', messages: [] } }),
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
    expect(json).toMatchObject({ source: 'openAi', orgId: null, baseUrl: null })
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
    ['', 'XXX...'],
  ])('never show the key %j', async (apiKey, shown) => {
    const patched = await patch('w', { apiKey })
    expect(patched.json).not.toHaveProperty('apiKey')
    expect((await get('w')).apiKey).toBe(shown)
    const reset = await server.send('DELETE', '/chats/w/settings')
    expect(reset.json).not.toHaveProperty('apiKey')
    expect((await get('w')).apiKey).toBeNull()
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
      source: 'openAi',
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
  })

  test.each([
    [{ source: 'doggo' }, 'bad_request'],
    [{ source: 1 }, 'bad_request'],
    [{ orgId: 1 }, 'invalid_chat_completion_org_id'],
    [{ projectId: [] }, 'invalid_chat_completion_project_id'],
    [{ apiVersion: {} }, 'invalid_chat_completion_api_version'],
    [{ deploymentId: true }, 'invalid_chat_completion_deployment_id'],
    [{ baseUrl: 1 }, 'invalid_chat_completion_base_api'],
    [{ apiKey: 1 }, 'invalid_chat_completion_api_key'],
    [{ prompts: 'x' }, 'bad_request'],
    [{ prompts: { system: 1 } }, 'invalid_chat_completion_system_prompt'],
    [{ prompts: { searchDescription: 1 } }, 'invalid_chat_completion_search_description_prompt'],
    [{ prompts: { searchQParam: 1 } }, 'invalid_chat_completion_search_query_param_prompt'],
    [{ prompts: { QParam: 1 } }, 'invalid_chat_completion_search_query_param_prompt'],
    [{ prompts: { searchFilterParam: 1 } }, 'invalid_chat_completion_search_filter_param_prompt'],
    [{ prompts: { searchIndexUidParam: 1 } }, 'invalid_chat_completion_search_index_uid_param_prompt'],
    [{ prompts: { IndexUidParam: 1 } }, 'invalid_chat_completion_search_index_uid_param_prompt'],
    [{ prompts: { preQuery: 'x' } }, 'bad_request'],
    [{ temperature: 1 }, 'bad_request'],
    [{ source: 'vLlm' }, 'bad_request'],
    [{ ...AZURE, deploymentId: null }, 'bad_request'],
    [{ source: 'openAi', orgId: 'x' }, 'invalid_chat_completion_org_id'],
    [{ source: 'mistral', projectId: 'x' }, 'invalid_chat_completion_project_id'],
    [{ source: 'gemini', apiVersion: 'x' }, 'invalid_chat_completion_api_version'],
    [{ source: 'vLlm', baseUrl: 'http://a', deploymentId: 'x' }, 'invalid_chat_completion_deployment_id'],
  ])('that are %j are refused as %s, and nothing is stored', async (body, code) => {
    expect(await patchCode('w', body)).toBe(code)
    expect((await list()).total).toBe(0)
  })

  test('that miss something name the source and every missing field', async () => {
    const { json } = await patch('w', { source: 'azureOpenAi', baseUrl: 'https://a' })
    for (const name of ['azureOpenAi', 'apiVersion', 'deploymentId', 'orgId', 'projectId']) {
      expect(json.message).toContain(name)
    }
    expect(json.message).not.toContain('baseUrl')
  })

  test('are held against the source together with those of before', async () => {
    expect((await patch('w', { ...AZURE, apiKey: SECRET })).json).toMatchObject(AZURE)
    expect((await get('w')).apiKey).toBe('sk-XXXXX...')
    expect(await patchCode('w', { source: 'mistral' })).toBe('invalid_chat_completion_org_id')
    expect(await patchCode('w', { baseUrl: null })).toBe('bad_request')
    expect(await get('w')).toMatchObject(AZURE)
  })

  test('can come before their source', async () => {
    expect((await patch('w', { orgId: 'o', projectId: 'p', apiVersion: 'v', deploymentId: 'd' })).status).toBe(200)
    expect((await patch('w', { source: 'azureOpenAi', baseUrl: 'https://a' })).json).toMatchObject(AZURE)
  })

  test('survive a new start, and a dump', async () => {
    await patch('w', { ...AZURE, apiKey: SECRET, prompts: { system: 'S' } })
    await patch('v', {})
    const before = server.context.chats
    const reopened = new WorkspaceStore(server.context.systemEnvironment)
    expect(reopened.uids()).toEqual(['v', 'w'])
    expect(reopened.get('w')).toEqual(before.get('w'))
    const dumped = reopened.dumped()
    expect(dumped.get('w')?.get('apiKey')).toBe(SECRET)
    const older = new Map(dumped.get('w')!).set('preQuery', 'x')
    await reopened.restore(new Map([['x', older]]))
    expect(new WorkspaceStore(server.context.systemEnvironment).uids()).toEqual(['x'])
    expect(reopened.get('x')).toEqual(before.get('w'))
    await reopened.delete('x')
  })
})

test('nothing of a key is logged', () => {
  expect(server.logged.join('')).not.toContain(SECRET)
})
