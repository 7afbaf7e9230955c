import { Meilisearch } from 'meilisearch'
import OpenAI from 'openai'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatServer, startChatServer } from '../chats/chat-server.fixture.js'
import { asks, inTurn, says, searchFor } from '../chats/provider.fake.js'

let server: ChatServer
let host: string
let apiKey: string

beforeAll(async () => {
  server = await startChatServer()
  await server.add('books', [{ id: 3, title: 'Owls at dusk' }])
  host = `http://127.0.0.1:${server.port}`
  apiKey = (await server.createKey({ actions: ['*'], indexes: ['*'] })).key
})

beforeEach(() => {
  server.provider.calls.length = 0
  server.provider.script = inTurn(
    asks({ id: 'call_1', arguments: searchFor('books', 'owls') }),
    says('Owls ', 'at dusk.'),
  )
})

const messages = [{ role: 'user' as const, content: 'owls?' }]
const declared = (name: string) => ({ type: 'function' as const, function: { name, parameters: {} } })

test('the official client of OpenAI reads the answer, and the notifications as calls of functions', async () => {
  const client = new OpenAI({ baseURL: `${host}/chats/w`, apiKey, maxRetries: 0 })
  const tools = [declared('_meiliSearchSources')]
  const stream = await client.chat.completions.create({ model: 'm', messages, tools, stream: true })
  let [text, sources] = ['', '']
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? ''
    sources += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? ''
  }
  expect(text).toBe('Owls at dusk.')
  expect(JSON.parse(sources)).toEqual({ call_id: 'call_1', sources: [{ id: 3, title: 'Owls at dusk' }] })
})

test('the helper of the same client puts the answer together', async () => {
  const client = new OpenAI({ baseURL: `${host}/chats/w`, apiKey, maxRetries: 0 })
  const completion = await client.chat.completions.stream({ model: 'm', messages }).finalChatCompletion()
  expect(completion.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'Owls at dusk.' },
  })
})

test('the same client understands refusals', async () => {
  const client = new OpenAI({ baseURL: `${host}/chats/nothing`, apiKey, maxRetries: 0 })
  const asked = client.chat.completions.create({ model: 'm', messages, stream: true })
  await expect(asked).rejects.toMatchObject({ status: 404 })
})

test('the client of the interface manages workspaces and streams completions', async () => {
  const client = new Meilisearch({ host, apiKey })
  const workspace = client.chat('shop')
  const settings = { source: 'vLlm' as const, baseUrl: server.provider.url }
  expect(await workspace.update(settings)).toMatchObject(settings)
  expect(await client.getChatWorkspaces()).toMatchObject({ results: [{ uid: 'shop' }, { uid: 'w' }], total: 2 })
  const stream = await workspace.streamCompletion({ model: 'm', messages, stream: true })
  const text = await new Response(stream).text()
  expect(text).toContain('"content":"at dusk."')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const empty = { orgId: '', projectId: '', apiVersion: '', deploymentId: '', baseUrl: '' }
  const updated = await workspace.update({ ...empty, source: 'openAi', apiKey: 'sk-1', prompts: { system: '' } })
  expect(updated).toMatchObject({ source: 'openAi', orgId: null, baseUrl: null })
  await expect(workspace.update({ apiKey: '' })).rejects.toMatchObject({
    cause: { code: 'invalid_chat_completion_api_key' },
  })
  await workspace.reset()
  expect(await workspace.get()).toMatchObject({ source: null, baseUrl: null })
  await client.deleteChatWorkspace('shop')
  await expect(client.getChatWorkspace('shop')).rejects.toMatchObject({ cause: { code: 'chat_not_found' } })
})
