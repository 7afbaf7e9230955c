import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fail } from '../../errors/index.js'
import { fromPlain, type JsonObject } from '../../json/index.js'
import {
  ALL_TOOLS,
  type ChatServer,
  errorsIn,
  MESSAGES,
  SECRET,
  saidIn,
  startChatServer,
  toldIn,
} from '../chats/chat-server.fixture.js'
import { asks, chunk, DONE, inTurn, line, says, searchFor, stream, toolCall } from '../chats/provider.fake.js'

let server: ChatServer

const BOOKS = [
  { id: 3, title: 'Owls at dusk', kind: 'birds', shelf: 1, price: 1, secret: 'x' },
  { id: 4, title: 'Foxes', kind: 'mammals', shelf: 2 },
  { id: 5, title: 'Owls and foxes', kind: 'birds', shelf: 2 },
]

beforeAll(async () => {
  server = await startChatServer()
  await server.done('PATCH', '/indexes/books/settings', {
    body: {
      filterableAttributes: ['kind', 'shelf'],
      displayedAttributes: ['id', 'title', 'price'],
      chat: { description: 'Books about animals', documentTemplate: '{{doc.title}} ({{doc.kind}})' },
    },
  })
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(BOOKS).replace('"price":1', '"price":1.0')
  await server.done('POST', '/indexes/books/documents', { body: text, headers })
  await server.add('private', [{ id: 1, title: 'Diary of owls' }])
})

beforeEach(() => {
  server.provider.calls.length = 0
  server.provider.script = says('Hello.')
})

const searches = (...calls: [index: string, q?: string, filter?: string][]) =>
  asks(...calls.map((call, i) => ({ id: `call_${i}`, arguments: searchFor(...call) })))

describe('a request', () => {
  const code = (body: object) =>
    server.codeOf('POST', '/chats/w/chat/completions', { body: { model: 'm', messages: MESSAGES, ...body } })
  const tool = (name: string) => ({ tools: [{ type: 'function', function: { name } }] })

  test.each([
    [{ model: undefined }, 'bad_request'],
    [{ model: 1 }, 'bad_request'],
    [{ messages: undefined }, 'bad_request'],
    [{ messages: {} }, 'bad_request'],
    [{ messages: [{ content: 'a' }] }, 'bad_request'],
    [{ messages: [{ role: 'king', content: 'a' }] }, 'bad_request'],
    [{ messages: [{ role: 'user', content: 1 }] }, 'bad_request'],
    [{ messages: [{ role: 'user', content: [{ type: 'smell' }] }] }, 'bad_request'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }, 'bad_request'],
    [{ stream: 'yes' }, 'bad_request'],
    [{ n: 256 }, 'bad_request'],
    [{ n: 1.5 }, 'bad_request'],
    [{ temperature: 'hot' }, 'bad_request'],
    [{ max_tokens: -1 }, 'bad_request'],
    [{ reasoning_effort: 'none' }, 'bad_request'],
    [{ tool_choice: 'sometimes' }, 'bad_request'],
    [{ tools: [{ type: 'function' }] }, 'bad_request'],
    [{ response_format: { type: 'xml' } }, 'bad_request'],
    [{ n: 2 }, 'unimplemented_multi_choice_chat_completions'],
    [{ n: 0, stream: false }, 'unimplemented_multi_choice_chat_completions'],
    [{ stream: false }, 'unimplemented_non_streaming_chat_completions'],
    [{ stream: false, ...tool('f') }, 'unimplemented_non_streaming_chat_completions'],
    [tool('_meiliSearchInIndex'), 'bad_request'],
    [tool('getWeather'), 'unimplemented_external_function_calling'],
  ])('with %j is refused as %s', async (body, expected) => {
    expect(await code(body)).toBe(expected)
    expect(server.provider.calls).toEqual([])
  })

  test('must be JSON', async () => {
    const send = (body: string, type = 'application/json') =>
      server.codeOf('POST', '/chats/w/chat/completions', { body, headers: { 'content-type': type } })
    expect(await send('{')).toBe('malformed_payload')
    expect(await send('')).toBe('missing_payload')
    expect(await send('{}', 'text/plain')).toBe('invalid_content_type')
    expect(await send(`{"model":"m","messages":["${'a'.repeat(17 << 20)}"]}`)).toBe('payload_too_large')
  })

  test('to a workspace without the key of its source is refused before anybody is called', async () => {
    const keyless = fromPlain({ source: 'mistral', baseUrl: server.provider.url }) as JsonObject
    await server.context.chats.restore(new Map([...server.context.chats.dumped(), ['keyless', keyless]]))
    const body = { model: 'm', messages: MESSAGES }
    const path = '/chats/keyless/chat/completions'
    expect(await server.codeOf('POST', path, { body })).toBe('invalid_chat_completion_api_key')
    expect(server.provider.calls).toEqual([])
  })

  test('of 501 says so with its status', async () => {
    expect((await server.ask({ stream: false })).status).toBe(501)
    expect((await server.ask({ n: 3 })).json.message).toContain('3')
  })
})

describe('the request to the provider', () => {
  const sent = async (body: object = {}) => {
    await server.ask(body)
    return server.provider.calls.at(-1)!
  }

  test('begins with the system prompt and offers one function', async () => {
    const { body, path, headers } = await sent({ messages: [{ role: 'system', content: 'mine' }] })
    expect(path).toBe('/v1/chat/completions')
    expect(headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'user-agent': 'findling',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
    expect(body).toMatchObject({ model: 'gpt-4o-mini', stream: true, stream_options: { include_usage: true } })
    expect(body.messages[0].role).toBe('system')
    expect(body.messages[0].content).toContain('search')
    expect(body.messages[1]).toEqual({ role: 'system', content: 'mine' })
    expect(body.tools).toHaveLength(1)
    const { name, strict, description, parameters } = body.tools[0].function
    expect([name, strict]).toEqual(['_meiliSearchInIndex', true])
    expect(description).toContain('\n\n - books: Books about animals\n\n')
    expect(parameters.required).toEqual(['indexUid', 'q', 'filter'])
    expect(parameters.properties.indexUid.enum).toEqual(['books', 'private'])
    expect(parameters.properties.filter.description).toContain('books\nkind: birds, mammals.\nshelf: 2, 1.\n\n')
  })

  test.each([
    ['o3-mini', 'developer'],
    ['gpt-5', 'developer'],
    ['gpt-4o', 'system'],
    ['gpt-4-turbo', 'system'],
    ['gpt-4.1-nano', 'system'],
    ['gpt-4omni', 'developer'],
    ['chatgpt-4o-latest', 'system'],
  ])('gives the model %s the role %s', async (model, role) => {
    expect((await sent({ model })).body.messages[0].role).toBe(role)
  })

  test('carries what it knows, as it was sent, and nothing else', async () => {
    const known = {
      temperature: 0.5,
      max_completion_tokens: 5,
      stop: ['a'],
      metadata: { a: [1] },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } },
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 't' }], extra: 1 }],
    }
    const { body } = await sent({
      ...known,
      n: 1,
      secretSauce: 1,
      user: null,
      stream_options: { a: 1 },
      tools: ALL_TOOLS,
    })
    const { messages, ...rest } = known
    expect(body).toMatchObject(rest)
    expect(body.messages.slice(1)).toEqual(messages)
    expect(Object.keys(body).sort()).toEqual(
      [...Object.keys(known), 'model', 'stream', 'stream_options', 'tools'].sort(),
    )
    expect(body.tools).toHaveLength(1)
  })

  test('keeps large numbers as they were written', async () => {
    const text = '{"model":"m","messages":[{"role":"user","content":"owls?"}],"seed":9007199254740993}'
    const headers = { 'content-type': 'application/json' }
    await server.send('POST', '/chats/w/chat/completions', { body: text, headers })
    expect(server.provider.calls[0]!.text).toContain('"seed":9007199254740993,')
  })

  test.each([
    ['mistral', {}],
    ['gemini', {}],
    ['vLlm', { apiKey: null }],
  ] as const)('of the source %s has no options of the stream', async (source, more) => {
    const settings = { source, baseUrl: `${server.provider.url}/base`, apiKey: SECRET, ...more }
    await server.context.chats.patch('other', settings)
    await server.send('POST', '/chats/other/chat/completions', { body: { model: 'o3', messages: MESSAGES } })
    const { path, headers, body } = server.provider.calls[0]!
    expect(path).toBe('/base/chat/completions')
    expect(headers.authorization).toBe(source === 'vLlm' ? undefined : `Bearer ${SECRET}`)
    expect(body.messages[0].role).toBe('system')
    expect(body).not.toHaveProperty('stream_options')
  })

  test('of azureOpenAi names deployment, version, organization and project', async () => {
    await server.context.chats.patch('azure', {
      source: 'azureOpenAi',
      baseUrl: server.provider.url,
      apiKey: SECRET,
      deploymentId: 'my/gpt',
      apiVersion: '2026-01-01',
      orgId: 'org',
      projectId: 'project',
    })
    await server.send('POST', '/chats/azure/chat/completions', { body: { model: 'gpt-4', messages: MESSAGES } })
    const { path, headers } = server.provider.calls[0]!
    expect(path).toBe('/openai/deployments/my%2Fgpt/chat/completions?api-version=2026-01-01')
    expect(headers).toMatchObject({ 'api-key': SECRET, 'openai-organization': 'org', 'openai-project': 'project' })
    expect(headers.authorization).toBeUndefined()
  })
})

describe('an answer', () => {
  test('is a stream of events that nobody holds back', async () => {
    server.provider.script = says('You may ', 'like owls.')
    const answer = await server.send('POST', '/chats/w/chat/completions', {
      body: { model: 'm', messages: MESSAGES },
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'content-encoding': 'identity',
      'x-accel-buffering': 'no',
    })
    const common = '"id":"c1","object":"chat.completion.chunk","created":1763000000,"model":"fake"'
    const event = (delta: string, reason = 'null') =>
      `data: {${common},"choices":[{"index":0,"delta":${delta},"finish_reason":${reason},"logprobs":null}],` +
      '"service_tier":null,"system_fingerprint":null,"usage":null}\n\n'
    expect(answer.text).toBe(
      [
        'retry: 10000\n\n',
        event('{"role":"assistant"}'),
        event('{"content":"You may "}'),
        event('{"content":"like owls."}'),
        event('{}', '"stop"'),
        'data: [DONE]\n\n',
      ].join(''),
    )
  })

  test('may be cut anywhere on its way', async () => {
    const text = [chunk({ content: 'Grüße, ' }), chunk({ content: '🦉 漢字' }).replaceAll('\n', '\r\n'), DONE].join('')
    server.provider.script = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of Buffer.from(`: hello\n\nevent: x\nid: 1\n${text}`)) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }
    expect(saidIn((await server.ask()).events)).toBe('Grüße, 🦉 漢字')
  })

  test('shows members of the delta that are there, and joins texts that come in parts', async () => {
    const parts = [{ type: 'text', text: 'a' }, { type: 'thinking' }, { type: 'text', text: 'b' }]
    server.provider.script = stream(
      chunk({ content: parts, refusal: null }),
      chunk({ content: [] }),
      chunk({ refusal: 'no', reasoning: 'x', tool_calls: [] }),
      line({ choices: [] }),
      line({ usage: { prompt_tokens: 1 } }),
      chunk({}, 'stop', { system_fingerprint: 'f' }),
      DONE,
    )
    const { events } = await server.ask()
    expect(events.map((event) => event.choices?.[0].delta ?? event)).toEqual([
      { content: 'ab' },
      {},
      { refusal: 'no' },
      {},
      '[DONE]',
    ])
    expect(events.at(-2).system_fingerprint).toBe('f')
  })

  test('counts the tokens that the provider tells of', async () => {
    await server.context.features.change({ metrics: true })
    const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
    server.provider.script = stream(chunk({ content: 'a' }, 'stop'), line({ choices: [], usage }), DONE)
    await server.ask({ model: 'counted' })
    const { text } = await server.send('GET', '/metrics')
    expect(text).toMatch(/meilisearch_chat_prompt_tokens_total\{[^}]*model="counted"[^}]*\} 11/)
    expect(text).not.toContain(SECRET)
  })
})

describe('a search', () => {
  test('is told of step by step to clients that want to know', async () => {
    const wanted = searchFor('books', 'owls')
    server.provider.script = inTurn(asks({ id: 'call_9', arguments: wanted }), says('You may like', ' owls.'))
    const { events } = await server.ask({ tools: ALL_TOOLS })
    const called = { id: 'call_9', type: 'function', function: { name: '_meiliSearchInIndex', arguments: wanted } }
    const answered = { role: 'tool', content: 'Owls at dusk (birds)\nOwls and foxes (birds)', tool_call_id: 'call_9' }
    expect(toldIn(events)).toEqual([
      ['_meiliSearchProgress', { call_id: 'call_9', function_name: '_meiliSearchInIndex', function_arguments: wanted }],
      ['_meiliAppendConversationMessage', { role: 'assistant', tool_calls: [called] }],
      [
        '_meiliSearchSources',
        {
          call_id: 'call_9',
          sources: [
            { id: 3, title: 'Owls at dusk', price: 1 },
            { id: 5, title: 'Owls and foxes' },
          ],
        },
      ],
      ['_meiliAppendConversationMessage', answered],
    ])
    expect(events[0]).toMatchObject({
      id: 'c1',
      model: 'fake',
      choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null, logprobs: null }],
    })
    expect(saidIn(events)).toBe('You may like owls.')
    expect(events.at(-1)).toBe('[DONE]')
    const [first, second] = server.provider.calls
    expect(second!.body.messages).toEqual([
      ...first!.body.messages,
      { role: 'assistant', tool_calls: [called] },
      answered,
    ])
    expect(second!.body.tools).toEqual(first!.body.tools)
  })

  test('shows numbers of documents as they were written', async () => {
    server.provider.script = inTurn(searches(['books', 'dusk']), says('.'))
    const { text } = await server.ask({ tools: ALL_TOOLS })
    expect(text).toContain('\\"price\\":1.0}')
  })

  test('goes unnoticed by clients that declare nothing', async () => {
    server.provider.script = inTurn(searches(['books', 'owls']), says('Owls.'))
    const { events } = await server.ask()
    expect(toldIn(events)).toEqual([])
    expect(saidIn(events)).toBe('Owls.')
  })

  test('may be asked for in any number of pieces, several at once', async () => {
    const [a, b] = [searchFor('books', 'owls'), searchFor('books', 'foxes', 'kind = mammals')]
    const piece = (index: number, text: string) => ({ index, function: { arguments: text } })
    server.provider.script = inTurn(
      stream(
        chunk({ role: 'assistant', content: 'Let me look.' }),
        chunk({ tool_calls: [{ ...toolCall({ id: 'a', arguments: '' }, 0) }] }),
        chunk({ tool_calls: [piece(0, a.slice(0, 7))] }),
        chunk({ tool_calls: [toolCall({ id: 'b', arguments: b.slice(0, 1) }, 1), piece(0, a.slice(7, 9))] }),
        chunk({ tool_calls: [toolCall({ id: 'c', arguments: '{}', name: 'getWeather' }, 2)] }),
        chunk({ tool_calls: [piece(1, b.slice(1)), piece(0, a.slice(9))] }),
        chunk({}, 'tool_calls'),
        DONE,
      ),
      says('Done.'),
    )
    const { events } = await server.ask()
    expect(saidIn(events)).toBe('Let me look.Done.')
    const added = server.provider.calls[1]!.body.messages.slice(2)
    expect(
      added.map(
        ({ tool_calls, tool_call_id, content }: Record<string, unknown>) => tool_calls ?? [tool_call_id, content],
      ),
    ).toEqual([
      [
        { id: 'a', type: 'function', function: { name: '_meiliSearchInIndex', arguments: a } },
        { id: 'b', type: 'function', function: { name: '_meiliSearchInIndex', arguments: b } },
      ],
      ['a', 'Owls at dusk (birds)\nOwls and foxes (birds)'],
      ['b', 'Foxes (mammals)'],
    ])
  })

  test.each(['tool_calls', 'stop'])(
    'is run when the last word of the model, %s, comes with the call',
    async (reason) => {
      const call = toolCall({ id: 'a', arguments: searchFor('books', 'foxes') }, 0)
      server.provider.script = inTurn(stream(chunk({ tool_calls: [call] }, reason), DONE), says('Foxes.'))
      expect(saidIn((await server.ask()).events)).toBe('Foxes.')
      expect(server.provider.calls[1]!.body.messages.at(-1).content).toContain('Foxes (mammals)')
    },
  )

  test('has the parameters of its index', async () => {
    const parameters = { limit: 1, sort: ['id:desc'], matchingStrategy: 'all' }
    await server.done('PATCH', '/indexes/tuned/settings', {
      body: { sortableAttributes: ['id'], chat: { documentTemplate: '{{doc.id}}', searchParameters: parameters } },
    })
    await server.add('tuned', [
      { id: 1, t: 'red fox' },
      { id: 2, t: 'red' },
      { id: 3, t: 'red' },
    ])
    server.provider.script = inTurn(searches(['tuned', ''], ['tuned', 'red fox']), says('.'))
    await server.ask()
    const [, first, second] = server.provider.calls[1]!.body.messages.slice(2)
    expect([first.content, second.content]).toEqual(['3', '1'])
    await server.done('DELETE', '/indexes/tuned')
  })

  test.each([
    ['invalid_search_sort', { sort: ['shelf:asc'] }],
    ['attributes that are not searched', { attributesToSearchOn: ['nothing'] }],
    ['a distinct attribute that is none', { distinct: 'title' }],
  ])(
    'that does not fit the index by its parameters, %s, is explained to the model alone',
    async (_what, parameters) => {
      await server.done('PATCH', '/indexes/odd/settings', {
        body: { searchableAttributes: ['title'], filterableAttributes: ['id'], chat: { searchParameters: null } },
      })
      await server.done('PATCH', '/indexes/odd/settings', { body: { chat: { searchParameters: parameters } } })
      server.provider.script = inTurn(searches(['odd', 'owls']), says('.'))
      const { events } = await server.ask({ tools: ALL_TOOLS })
      expect(toldIn(events)[2]).toEqual(['_meiliSearchSources', { call_id: 'call_0', sources: [] }])
      expect(errorsIn(events)).toEqual([])
      await server.done('DELETE', '/indexes/odd')
    },
  )

  test('by an embedder that is not there is an error, as is one that waits in vain', async () => {
    const hybrid = { embedder: 'nobody', semanticRatio: 1 }
    await server.done('PATCH', '/indexes/meant/settings', { body: { chat: { searchParameters: { hybrid } } } })
    server.provider.script = inTurn(searches(['meant', 'owls']), says('.'))
    expect(errorsIn((await server.ask()).events)).toMatchObject([{ code: 'invalid_search_embedder' }])
    await server.done('DELETE', '/indexes/meant')
    const { searchQueue } = server.context
    server.provider.calls.length = 0
    server.provider.script = async (response, call, place) => {
      if (place === 0) vi.spyOn(searchQueue, 'acquire').mockResolvedValue(fail('too_many_search_requests', 1000))
      return place === 0 ? searches(['books', 'owls'])(response, call, place) : says('.')(response, call, place)
    }
    try {
      expect(errorsIn((await server.ask()).events)).toMatchObject([{ code: 'too_many_search_requests' }])
      expect((await server.ask()).json).toMatchObject({ code: 'too_many_search_requests' })
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('that does not fit the index is explained to the model alone', async () => {
    server.provider.script = inTurn(searches(['books', '', 'title = Owls']), says('.'))
    const { events } = await server.ask({ tools: ALL_TOOLS })
    const told = toldIn(events)
    expect(told[2]).toEqual(['_meiliSearchSources', { call_id: 'call_0', sources: [] }])
    expect(told[3][1].content).toMatch(/title.*not filterable|not filterable.*title/)
    expect(errorsIn(events)).toEqual([])
  })

  test.each([
    ['an index that does not exist', ['nowhere', 'a'], 'index_not_found'],
    ['an index with a name that is none', ['../books', 'a'], 'invalid_index_uid'],
    ['a filter that cannot be read', ['books', 'a', 'kind ='], 'invalid_search_filter'],
  ] as const)('of %s is an event, after the model was told', async (_what, call, code) => {
    server.provider.script = inTurn(searches([...call]), says('Sorry.'))
    const { events } = await server.ask({ tools: ALL_TOOLS })
    expect(toldIn(events).map(([name]) => name)).toEqual([
      '_meiliSearchProgress',
      '_meiliAppendConversationMessage',
      '_meiliAppendConversationMessage',
    ])
    const [error] = errorsIn(events)
    expect(error.code).toBe(code)
    expect(events.findIndex(({ type }) => type === 'error')).toBe(3)
    expect(server.provider.calls[1]!.body.messages.at(-1).content).toContain(error.message)
    expect(saidIn(events)).toBe('Sorry.')
  })

  test.each([['{'], ['[]'], ['{"q":"a"}'], ['{"indexUid":"books","q":1}'], ['{"index_uid":1}'], ['']])(
    'with the arguments %j is answered with what is wrong with them',
    async (text) => {
      server.provider.script = inTurn(asks({ id: 'a', arguments: text }), says('.'))
      const { events } = await server.ask({ tools: ALL_TOOLS })
      expect(toldIn(events).map(([name]) => name)).toEqual([
        '_meiliSearchProgress',
        '_meiliAppendConversationMessage',
        '_meiliAppendConversationMessage',
      ])
      expect(errorsIn(events)).toEqual([])
      expect(server.provider.calls[1]!.body.messages.at(-1).content).toContain('cannot be read')
    },
  )

  test('whose template cannot be rendered is an error', async () => {
    await server.done('PATCH', '/indexes/broken/settings', { body: { chat: { documentTemplate: '{{doc.nothing}}' } } })
    await server.add('broken', [{ id: 1 }])
    server.provider.script = inTurn(searches(['broken']), says('.'))
    const [error] = errorsIn((await server.ask()).events)
    expect(error).toMatchObject({ code: 'invalid_chat_setting_document_template' })
    expect(error.message).toContain('nothing')
    await server.done('DELETE', '/indexes/broken')
  })

  test('is asked for twenty times at most', async () => {
    server.provider.script = searches(['books', 'owls'])
    const { events } = await server.ask()
    expect(server.provider.calls).toHaveLength(20)
    expect(events).toHaveLength(2)
    expect(events[0].choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
  })

  test('is counted', async () => {
    const before = server.context.events.chatSearchCounts.get('internal') ?? 0
    server.provider.script = inTurn(searches(['books'], ['private']), says('.'))
    await server.ask()
    expect(server.context.events.chatSearchCounts.get('internal')).toBe(before + 2)
  })
})
