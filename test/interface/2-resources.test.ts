/** Section 2 of the interface document, line by line. */
import { beforeAll, describe, expect, test } from 'vitest'
import { asks, eventsOf, inTurn, says, startFakeProvider } from '../../src/server/chats/provider.fake.js'
import { done } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { onlyCall, startGuarded, startReceiver } from './walk.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const DURATION = /^PT\d+(\.\d+)?S$/

let server: TestServer

beforeAll(async () => {
  server = await startGuarded()
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
})

interface Webhook {
  readonly uuid: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly isEditable: boolean
}

describe('2.1 Webhook', () => {
  const listed = async () => (await server.request<{ results: Webhook[] }>('GET', '/webhooks')).body.results
  const create = async (settings: object) => server.request<Webhook>('POST', '/webhooks', settings)

  test('L21, L25, L26: url and headers are the settings of a webhook', async () => {
    const { status, body } = await create({ url: 'http://127.0.0.1:9/a', headers: { 'X-Mine': 'yes' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ url: 'http://127.0.0.1:9/a', headers: { 'X-Mine': 'yes' } })
    const cleared = await server.request('PATCH', `/webhooks/${body.uuid}`, { headers: null })
    expect(cleared.body).not.toHaveProperty('headers.X-Mine')
  })

  test('L25: the url is called when tasks complete, L26: with the headers added', async () => {
    const receiver = await startReceiver()
    const { body } = await create({ url: receiver.url, headers: { 'X-Mine': 'yes' } })
    await done(server, 'POST', '/indexes/called/documents', [{ id: 1 }])
    expect((await onlyCall(receiver)).headers['x-mine']).toBe('yes')
    await server.request('DELETE', `/webhooks/${body.uuid}`)
  })

  test('L28, L32, L33: a webhook is returned with its uuid and whether it can be edited', async () => {
    const { body } = await create({ url: 'http://127.0.0.1:9/b' })
    expect(body).toEqual({
      uuid: expect.stringMatching(UUID),
      url: 'http://127.0.0.1:9/b',
      headers: {},
      isEditable: true,
    })
  })

  test('L36: values of Authorization headers are redacted in both answers', async () => {
    const secret = 'Bearer a-secret-of-some-length'
    const { body } = await create({ url: 'http://127.0.0.1:9/c', headers: { Authorization: secret } })
    const alone = await server.request('GET', `/webhooks/${body.uuid}`)
    const list = await server.request('GET', '/webhooks')
    for (const { text } of [alone, list]) expect(text).not.toContain('a-secret-of-some-length')
    expect(alone.body).toHaveProperty('headers.Authorization')
  })

  test('L37: a redacted value that is sent back is stored as it is, and sent', async () => {
    const receiver = await startReceiver()
    const { body } = await create({ url: receiver.url, headers: { Authorization: 'Bearer the-original-secret' } })
    const redacted = (await server.request<Webhook>('GET', `/webhooks/${body.uuid}`)).body.headers?.Authorization
    await server.request('PATCH', `/webhooks/${body.uuid}`, { headers: { Authorization: redacted } })
    await done(server, 'POST', '/indexes/called/documents', [{ id: 2 }])
    expect((await onlyCall(receiver)).headers.authorization).toBe(redacted)
    await server.request('DELETE', `/webhooks/${body.uuid}`)
  })

  test('L38: a webhook without headers omits them in the list', async () => {
    const { body } = await create({ url: 'http://127.0.0.1:9/d' })
    const found = (await listed()).find(({ uuid }) => uuid === body.uuid)
    expect(found).toEqual({ uuid: body.uuid, url: 'http://127.0.0.1:9/d', isEditable: true })
  })

  test('L39: the webhook of the operator is not editable and can be neither updated nor deleted', async () => {
    const operated = await startGuarded('--task-webhook-url', 'http://127.0.0.1:9/own')
    const { body } = await operated.request<{ results: Webhook[] }>('GET', '/webhooks')
    const [own] = body.results
    expect(own).toMatchObject({ url: 'http://127.0.0.1:9/own', isEditable: false })
    const change = await operated.request('PATCH', `/webhooks/${own?.uuid}`, { url: 'http://127.0.0.1:9/other' })
    const removal = await operated.request('DELETE', `/webhooks/${own?.uuid}`)
    expect([change.body.code, removal.body.code]).toEqual(['immutable_webhook', 'immutable_webhook'])
  })

  test('L41: the list is an object with the array results', async () => {
    expect(await listed()).toBeInstanceOf(Array)
  })
})

describe('2.2 Task object', () => {
  test('L47 to L57: a task as a webhook gets it', async () => {
    const receiver = await startReceiver()
    const { body } = await server.request<Webhook>('POST', '/webhooks', { url: receiver.url })
    await done(server, 'POST', '/indexes/told/documents', [{ id: 1 }, { id: 2 }])
    const { tasks } = await onlyCall(receiver)
    await server.request('DELETE', `/webhooks/${body.uuid}`)
    expect(tasks[0]).toMatchObject({
      uid: expect.any(Number),
      batchUid: expect.any(Number),
      indexUid: 'told',
      status: 'succeeded',
      type: 'documentAdditionOrUpdate',
      canceledBy: null,
      details: { receivedDocuments: 2, indexedDocuments: 2 },
      duration: expect.stringMatching(DURATION),
      enqueuedAt: expect.stringMatching(TIMESTAMP),
      startedAt: expect.stringMatching(TIMESTAMP),
      finishedAt: expect.stringMatching(TIMESTAMP),
    })
  })

  test('L59: an operation that only enqueues a task answers its summary', async () => {
    const { status, body } = await server.request('POST', '/dumps')
    expect(status).toBe(202)
    expect(body).toEqual({
      taskUid: expect.any(Number),
      indexUid: null,
      status: 'enqueued',
      type: 'dumpCreation',
      enqueuedAt: expect.stringMatching(TIMESTAMP),
    })
  })
})

test('2.3 Error object, L65 to L68: message, code, type and link', async () => {
  const { body } = await server.request('GET', '/indexes/none/documents')
  expect(body).toEqual({
    message: expect.stringMatching(/none/),
    code: 'index_not_found',
    type: 'invalid_request',
    link: expect.stringMatching(/^https?:\/\/.+#index_not_found$/),
  })
})

describe('2.4 and 2.5 Chat workspace and its settings', () => {
  const patch = (name: string, settings: object) => server.request('PATCH', `/chats/${name}/settings`, settings)
  const settingsOf = async (name: string) => (await server.request('GET', `/chats/${name}/settings`)).body
  const AZURE = { orgId: 'o', projectId: 'p', apiVersion: 'v', deploymentId: 'd' }
  const azure = { source: 'azureOpenAi', ...AZURE, baseUrl: 'https://azure.example', apiKey: 'the-key' }

  test('L74: a workspace has a uid', async () => {
    await patch('seen', { source: 'openAi', apiKey: 'the-key' })
    expect((await server.request('GET', '/chats/seen')).body).toEqual({ uid: 'seen' })
  })

  test('L78: only provided fields change', async () => {
    await patch('partial', { source: 'openAi', apiKey: 'the-key', prompts: { system: 'Be brief.' } })
    await patch('partial', { source: 'mistral' })
    expect(await settingsOf('partial')).toMatchObject({ source: 'mistral', prompts: { system: 'Be brief.' } })
    await patch('partial', {})
    expect(await settingsOf('partial')).toMatchObject({ source: 'mistral' })
  })

  test.each(['openAi', 'mistral', 'gemini'])('L82: source may be %s', async (source) => {
    expect(await patch('sources', { source, apiKey: 'the-key' })).toMatchObject({ status: 200, body: { source } })
  })

  test('L82: source may be azureOpenAi or vLlm, with what they need', async () => {
    expect(await patch('azure', azure)).toMatchObject({ status: 200, body: { source: 'azureOpenAi' } })
    const local = { source: 'vLlm', baseUrl: 'http://127.0.0.1:9/v1' }
    expect(await patch('local', local)).toMatchObject({ status: 200, body: { source: 'vLlm' } })
  })

  test('L82: there is no default source, and no other source', async () => {
    expect(await patch('none', { prompts: { system: 'Be brief.' } })).toMatchObject({ status: 200 })
    expect(await settingsOf('none')).toMatchObject({ source: null })
    const other = await patch('none', { source: 'oracle' })
    expect(other).toMatchObject({ status: 400, body: { code: 'invalid_chat_completion_source' } })
  })

  const CODES = [
    ['L83', 'orgId', 'invalid_chat_completion_org_id'],
    ['L84', 'projectId', 'invalid_chat_completion_project_id'],
    ['L85', 'apiVersion', 'invalid_chat_completion_api_version'],
    ['L86', 'deploymentId', 'invalid_chat_completion_deployment_id'],
  ] as const

  test.each(CODES)('%s: %s is required for azureOpenAi and incompatible with the others', async (line, field, code) => {
    const name = `azure-${line}`
    expect(await patch(name, { ...azure, [field]: undefined })).toMatchObject({ status: 400, body: { code } })
    const foreign = { source: 'openAi', apiKey: 'the-key', [field]: 'x' }
    expect(await patch(name, foreign)).toMatchObject({ status: 400, body: { code } })
    expect(await server.request('GET', `/chats/${name}`)).toMatchObject({ status: 404 })
  })

  test('L87: baseUrl is required for azureOpenAi and vLlm, and precedes /chat/completions', async () => {
    const code = 'invalid_chat_completion_base_api'
    expect(await patch('based', { source: 'vLlm' })).toMatchObject({ status: 400, body: { code } })
    expect(await patch('based', { ...azure, baseUrl: null })).toMatchObject({ status: 400, body: { code } })
    const provider = await startFakeProvider()
    await patch('based', { source: 'vLlm', baseUrl: `${provider.url}/v1` })
    await ask(server, 'based')
    expect(provider.calls[0]?.path).toBe('/v1/chat/completions')
  })

  test('L88: apiKey is optional for vLlm, mandatory for the others, and obfuscated or omitted', async () => {
    const code = 'invalid_chat_completion_api_key'
    expect(await patch('keyed', { source: 'openAi' })).toMatchObject({ status: 400, body: { code } })
    expect(await patch('keyed', { ...azure, apiKey: '' })).toMatchObject({ status: 400, body: { code } })
    const answer = await patch('keyed', { source: 'openAi', apiKey: 'sk-a-secret-key-of-mine' })
    expect(answer.body).not.toHaveProperty('apiKey')
    expect(JSON.stringify(await settingsOf('keyed'))).not.toContain('sk-a-secret-key-of-mine')
  })

  test('L89, L91: prompts is an object of strings', async () => {
    expect(await patch('prompted', { prompts: 'Be brief.' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_chat_completion_prompts' },
    })
    expect(await patch('prompted', { prompts: { system: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_chat_completion_system_prompt' },
    })
  })

  test('L95 to L98: the prompts reach the model where they belong', async () => {
    const provider = await startFakeProvider()
    await done(server, 'POST', '/indexes/books/documents', [{ id: 1, title: 'Owls' }])
    const prompts = {
      system: 'THE SYSTEM',
      searchDescription: 'THE TOOL',
      searchQParam: 'THE QUERY',
      searchIndexUidParam: 'THE INDEX',
    }
    await patch('told', { source: 'vLlm', baseUrl: provider.url, prompts })
    await ask(server, 'told')
    const { messages, tools } = provider.calls[0]?.body ?? {}
    expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('THE SYSTEM') })
    const { description, parameters } = tools[0].function
    expect(description).toContain('THE TOOL')
    expect(parameters.properties.q.description).toContain('THE QUERY')
    expect(parameters.properties.indexUid.description).toContain('THE INDEX')
  })

  test('L100: the last two prompts are accepted under their other names too', async () => {
    await patch('spelled', { prompts: { QParam: 'THE QUERY', IndexUidParam: 'THE INDEX' } })
    const { prompts } = await settingsOf('spelled')
    expect(prompts).toMatchObject({ searchQParam: 'THE QUERY', searchIndexUidParam: 'THE INDEX' })
  })
})

test('2.6 Document list, L106 to L109: results, limit, offset and total', async () => {
  await done(server, 'POST', '/indexes/listed/documents', [{ id: 1, free: { form: [true] } }, { id: 2 }])
  const { body } = await server.request('GET', '/indexes/listed/documents?limit=1')
  expect(body).toEqual({ results: [{ id: 1, free: { form: [true] } }], limit: 1, offset: 0, total: 2 })
})

describe('2.7 Chat completion', () => {
  beforeAll(async () => {
    const provider = await startFakeProvider(
      inTurn(asks({ id: 'c', arguments: '{"indexUid":"books","q":"owls"}' }), says('Owls.')),
    )
    await server.request('PATCH', '/chats/asked/settings', { source: 'vLlm', baseUrl: provider.url })
  })

  test.each([
    [{ model: undefined }],
    [{ model: 1 }],
    [{ messages: undefined }],
    [{ messages: 'Hello' }],
    [{ messages: [] }],
    [{ messages: [{ role: 'king', content: 'Hello' }] }],
    [{ messages: [{ role: 'user', content: 1 }] }],
    [{ stream: null }],
  ])('L113: a request with %j is refused', async (change) => {
    const { status, body } = await ask(server, 'asked', change)
    expect([status, body.type]).toEqual([400, 'invalid_request'])
  })

  test('L113: stream false is not supported', async () => {
    const { body } = await ask(server, 'asked', { stream: false })
    expect(body.code).toBe('unimplemented_non_streaming_chat_completions')
  })

  test('L113: every chunk has its shape', async () => {
    const { text } = await ask(server, 'asked')
    const chunks = eventsOf(text).filter((event) => event !== '[DONE]')
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        id: expect.any(String),
        object: expect.any(String),
        created: expect.any(Number),
        model: expect.any(String),
      })
      for (const choice of chunk.choices) {
        expect(choice).toMatchObject({ index: expect.any(Number), delta: expect.any(Object) })
        expect(choice.finish_reason === null || typeof choice.finish_reason === 'string').toBe(true)
      }
    }
  })
})

test('2.8 Version, L117: commit, its timestamp and the version', async () => {
  expect((await server.request('GET', '/version')).body).toEqual({
    commitSha: expect.any(String),
    commitDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    pkgVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
})

function ask(to: TestServer, workspace: string, change: object = {}) {
  const messages = [{ role: 'user', content: 'Which owls?' }]
  return to.request('POST', `/chats/${workspace}/chat/completions`, { model: 'm', messages, ...change })
}
