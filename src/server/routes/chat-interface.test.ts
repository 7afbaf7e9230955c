/** Chat completions as the interface document has them: lines 98, 113, 161 and 210. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ALL_TOOLS,
  type ChatServer,
  errorsIn,
  MESSAGES,
  saidIn,
  startChatServer,
  toldIn,
} from '../chats/chat-server.fixture.js'
import { asks, chunk, DONE, inTurn, line, type Script, says, searchFor, stream } from '../chats/provider.fake.js'

let server: ChatServer

beforeAll(async () => {
  server = await startChatServer()
  await server.add('books', [{ id: 1, title: 'Owls' }])
})

beforeEach(() => {
  server.provider.calls.length = 0
  server.provider.script = says('Hello.')
})

test('21.3 L87: a request to azureOpenAi goes to the deployment that the base URL names', async () => {
  const settings = {
    source: 'azureOpenAi',
    orgId: 'o',
    projectId: 'p',
    apiVersion: 'v',
    deploymentId: 'd',
    apiKey: 'k',
  }
  const baseUrl = `${server.provider.url}/openai/deployments/d`
  expect((await server.send('PATCH', '/chats/azure/settings', { body: { ...settings, baseUrl } })).status).toBe(200)
  await server.send('POST', '/chats/azure/chat/completions', { body: { model: 'm', messages: MESSAGES } })
  expect(server.provider.calls[0]!.path).toBe('/openai/deployments/d/chat/completions?api-version=v')
})

describe('the search tool', () => {
  test('21.4 L98: has the parameter indexUid', async () => {
    await server.ask()
    const { parameters } = server.provider.calls[0]!.body.tools[0].function
    expect(Object.keys(parameters.properties)).toEqual(['indexUid', 'q', 'filter'])
    expect(parameters.required).toEqual(['indexUid', 'q', 'filter'])
    expect(parameters.properties.indexUid).toMatchObject({ type: 'string', enum: ['books'] })
  })

  test.each([
    { indexUid: 'books', q: 'owls', filter: '' },
    { index_uid: 'books', q: 'owls', filter: '' },
    { indexUid: 'books', index_uid: 'nowhere', q: 'owls' },
    { indexUid: null, index_uid: 'books' },
  ])('21.4 L98: is called with %j', async (wanted) => {
    server.provider.script = inTurn(asks({ id: 'a', arguments: JSON.stringify(wanted) }), says('Owls.'))
    const { events } = await server.ask({ tools: ALL_TOOLS })
    const sources = toldIn(events).find(([name]) => name === '_meiliSearchSources')
    expect(sources[1].sources).toEqual([{ id: 1, title: 'Owls' }])
  })

  test('21.4 L98: names the parameter that is missing as it declared it', async () => {
    server.provider.script = inTurn(asks({ id: 'a', arguments: '{"q":"owls"}' }), says('.'))
    await server.ask()
    expect(server.provider.calls[1]!.body.messages.at(-1).content).toContain('`indexUid` is missing')
  })
})

describe('a request', () => {
  const codeOf = (body: object) =>
    server.codeOf('POST', '/chats/w/chat/completions', { body: { model: 'm', messages: MESSAGES, ...body } })

  test.each([
    [{ stream: null }, 'bad_request'],
    [{ stream: 'true' }, 'bad_request'],
    [{ stream: false }, 'unimplemented_non_streaming_chat_completions'],
    [{ messages: [] }, 'bad_request'],
    [{ messages: [{ role: 'user' }] }, 'bad_request'],
    [{ messages: [{ role: 'user', content: null }] }, 'bad_request'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] }, 'bad_request'],
    [{ messages: [{ role: 'system' }] }, 'bad_request'],
    [{ messages: [{ role: 'system', content: [] }] }, 'bad_request'],
    [{ messages: [...MESSAGES, { role: 'user', content: [] }] }, 'bad_request'],
  ])('21.5 L113: with %j is refused as %s', async (body, code) => {
    expect(await codeOf(body)).toBe(code)
    expect(server.provider.calls).toEqual([])
  })

  test('21.5 L113: is taken with stream true or absent, and with messages of assistants and tools that say nothing', async () => {
    const call = { id: 'a', type: 'function', function: { name: '_meiliSearchInIndex', arguments: searchFor('books') } }
    const messages = [
      { role: 'system', content: '' },
      ...MESSAGES,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', content: 'Owls', tool_call_id: 'a' },
      { role: 'assistant', content: null, refusal: 'no' },
    ]
    for (const body of [{ messages }, { messages, stream: true }]) {
      expect(saidIn((await server.ask(body)).events)).toBe('Hello.')
      expect(server.provider.calls.at(-1)!.body.messages.slice(1)).toEqual(messages)
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: events have every shape
const chunksIn = (events: any[]): any[] => events.filter((event) => event.choices !== undefined)

/** What line 113 says of every chunk. */
// biome-ignore lint/suspicious/noExplicitAny: events have every shape
function expectChunk(event: any): void {
  for (const name of ['id', 'object', 'model']) expect(event[name]).toBeTypeOf('string')
  expect(Number.isInteger(event.created)).toBe(true)
  expect(event.choices).toHaveLength(1)
  const [{ index, delta, finish_reason }] = event.choices
  expect(Number.isInteger(index)).toBe(true)
  expect(delta).toBeTypeOf('object')
  expect(['string', 'undefined']).toContain(typeof delta.content)
  expect(finish_reason === null || typeof finish_reason === 'string').toBe(true)
}

describe('a chunk', () => {
  const bare = (delta: object, more: object = {}) => line({ choices: [{ delta }], ...more })

  test('21.6 L113: has an id, an object, a time and a model, also when the provider leaves them out', async () => {
    const before = Math.trunc(Date.now() / 1000)
    server.provider.script = stream(bare({ content: 'a' }), bare({ content: 'b' }), DONE)
    const { events } = await server.ask({ model: 'mine' })
    const chunks = chunksIn(events)
    expect(chunks).toHaveLength(3)
    chunks.forEach(expectChunk)
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'mine' })
    expect(chunks[0].id).not.toBe('')
    expect(chunks[0].created).toBeGreaterThanOrEqual(before)
    expect(chunks[0].created).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('21.6 L113: keeps what the provider said before, and takes nothing of a wrong type', async () => {
    const head = { id: 'c7', object: 'chat.completion.chunk', created: 5.0, model: 'theirs' }
    const wrong = { id: 7, object: null, created: '5', model: {} }
    const search = asks({ id: 'a', arguments: searchFor('books') })
    server.provider.script = inTurn(search, stream(bare({ content: 'a' }, head), bare({ content: 'b' }, wrong), DONE))
    const chunks = chunksIn((await server.ask({ tools: ALL_TOOLS })).events)
    chunks.forEach(expectChunk)
    for (const event of chunks.slice(-3)) expect(event).toMatchObject({ ...head, created: 5 })
  })

  test('21.6 L113: is one whatever the provider sends in its place', async () => {
    const anything = fc.record(
      { id: fc.json(), object: fc.json(), created: fc.json(), model: fc.json(), index: fc.json() },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(anything, async (texts) => {
        const { index, ...head } = Object.fromEntries(
          Object.entries(texts).map(([name, json]) => [name, JSON.parse(json) as unknown]),
        )
        server.provider.script = stream(
          line({ ...head, choices: [{ index, delta: { content: 'a' }, finish_reason: 'stop' }] }),
          DONE,
        )
        const { events } = await server.ask()
        expect(errorsIn(events)).toEqual([])
        chunksIn(events).forEach(expectChunk)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the last chunk', () => {
  const answerOf = async (script: Script) => {
    server.provider.script = script
    const { events } = await server.ask()
    expect(events.at(-1)).toBe('[DONE]')
    return chunksIn(events).map(({ choices: [{ delta, finish_reason }] }) => [delta, finish_reason])
  }

  test.each([
    ['content in the last one', [chunk({ content: 'a' }), chunk({ content: 'b' }, 'stop')], 'stop'],
    ['no reason at all', [chunk({ content: 'a' }), chunk({ content: 'b' })], 'stop'],
    ['an empty reason', [chunk({ content: 'a' }, ''), chunk({ content: 'b' }, '')], 'stop'],
    [
      'empty words in the last one',
      [chunk({ content: 'a' }), chunk({ content: 'b' }), chunk({ content: '' }, 'stop')],
      'stop',
    ],
    ['more after the reason', [chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' })], 'stop'],
    [
      'usage after the reason',
      [chunk({ content: 'a' }), chunk({ content: 'b' }, 'stop'), line({ choices: [] })],
      'stop',
    ],
    ['another reason', [chunk({ content: 'a' }), chunk({ content: 'b' }, 'length')], 'length'],
    [
      'another reason, alone',
      [chunk({ content: 'a' }), chunk({ content: 'b' }), chunk({}, 'content_filter')],
      'content_filter',
    ],
  ])('21.7 L161: of a provider with %s has an empty delta and the reason', async (_what, lines, reason) => {
    expect(await answerOf(stream(...lines, DONE))).toEqual([
      [{ content: 'a' }, null],
      [{ content: 'b' }, null],
      [{}, reason],
    ])
  })

  test('21.7 L161: is there when the model says nothing at all', async () => {
    expect(await answerOf(stream(DONE))).toEqual([[{}, 'stop']])
  })

  test('21.7 L161: comes once, after all searches', async () => {
    const search = { tool_calls: [{ index: 0, id: 'a', function: { name: '_meiliSearchInIndex', arguments: '{}' } }] }
    const asking = stream(chunk({ content: 'Let me see. ' }), chunk(search), chunk({}), chunk({}, 'stop'), DONE)
    expect(await answerOf(inTurn(asking, stream(chunk({ content: 'Owls.' }, 'stop'), DONE)))).toEqual([
      [{ content: 'Let me see. ' }, null],
      [{ content: 'Owls.' }, null],
      [{}, 'stop'],
    ])
  })

  test('21.7 L161: keeps what the provider says of the end', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    server.provider.script = stream(chunk({ content: 'a' }, 'stop', { usage, system_fingerprint: 'f' }), DONE)
    const [first, last] = chunksIn((await server.ask()).events)
    expect(first).toMatchObject({ id: 'c1', usage: null, system_fingerprint: 'f' })
    expect(last).toMatchObject({ id: 'c1', usage, system_fingerprint: 'f' })
  })

  test('21.7 L161: is not sent for an answer that broke off', async () => {
    expect(await answerOf(stream(chunk({ content: 'a' })))).toEqual([[{ content: 'a' }, null]])
  })
})

describe('an error event', () => {
  const link = (code: string) => `${server.context.config.errorsUrl}#${code}`

  test('21.8 L210: of a failed search holds the error object', async () => {
    server.provider.script = inTurn(asks({ id: 'a', arguments: searchFor('nowhere') }), says('Sorry.'))
    const { events } = await server.ask()
    const [event] = events.filter(({ type }) => type === 'error')
    expect(Object.keys(event)).toEqual(['event_id', 'type', 'error'])
    expect(event.error).toEqual({
      message: 'There is no index "nowhere".',
      code: 'index_not_found',
      type: 'invalid_request',
      link: link('index_not_found'),
    })
  })

  test.each([
    ['refuses the key', 401, 'remote_invalid_api_key', 'auth'],
    ['does not understand', 400, 'remote_bad_request', 'invalid_request'],
    ['is too busy', 429, 'remote_remote_error', 'system'],
    ['breaks', 500, 'remote_remote_error', 'system'],
    ['sends no stream', 200, 'remote_bad_response', 'system'],
  ])('21.8 L210: of a provider that %s holds the error object', async (_what, status, code, type) => {
    const error = { message: 'No way.', type: 'their_type', code: 'their_code', param: null }
    server.provider.script = (response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    const message = `The provider answered with status ${status}: No way. (type: their_type, code: their_code)`
    expect(errorsIn((await server.ask()).events)).toEqual([{ message, code, type, link: link(code) }])
  })
})
