import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ALL_TOOLS, type ChatServer, errorsIn, saidIn, startChatServer, toldIn } from '../chats/chat-server.fixture.js'
import { asks, inTurn, says, searchFor } from '../chats/provider.fake.js'

let server: ChatServer

const INDEXES = ['diary', 'letters', 'news', 'news-archive']
/** What a model tries that was told by a document to read everything. */
const ATTACKS = [...INDEXES, '*', '', 'news ', '../diary', 'NEWS', 'diary,news', '__proto__']

beforeAll(async () => {
  server = await startChatServer()
  for (const uid of INDEXES) {
    await server.done('PATCH', `/indexes/${uid}/settings`, {
      body: {
        filterableAttributes: ['owner', 'topic'],
        chat: { description: `About ${uid}`, documentTemplate: '{{doc.text}}' },
      },
    })
    await server.add(uid, [
      { id: 1, owner: 'ada', topic: 'owls', text: `ada in ${uid}` },
      { id: 2, owner: 'bob', topic: 'bombs', text: `bob in ${uid}` },
    ])
  }
})

beforeEach(() => {
  server.provider.calls.length = 0
  const calls = ATTACKS.map((uid, i) => ({ id: `call_${i}`, arguments: searchFor(uid) }))
  server.provider.script = inTurn(asks(...calls), says('I tried.'))
})

interface Reached {
  /** Indexes that the model was told of. */
  readonly offered: string[]
  /** Texts of documents that the model got. */
  readonly read: string[]
  readonly codes: string[]
  /** Everything that left the server, to the model and to the client. */
  readonly everything: string
}

async function attack(key: string | null): Promise<Reached> {
  const { events, text } = await server.ask({ tools: ALL_TOOLS }, key)
  expect(saidIn(events)).toBe('I tried.')
  const [first, second] = server.provider.calls
  const answers: { content: string }[] = second!.body.messages.filter(({ role }: { role: string }) => role === 'tool')
  return {
    offered: first!.body.tools[0].function.parameters.properties.indexUid.enum ?? [],
    read: answers.flatMap(({ content }) => content.match(/(ada|bob) in [\w-]+/g) ?? []),
    codes: errorsIn(events).map(({ code }) => code),
    everything: text + server.provider.calls.map((call) => call.text).join(),
  }
}

const readAll = (...uids: string[]) => uids.flatMap((uid) => [`ada in ${uid}`, `bob in ${uid}`])

test('the master key reaches every index, and only by its name', async () => {
  const { offered, read, codes } = await attack('MASTER_KEY')
  expect(offered).toEqual(INDEXES)
  expect(read).toEqual(readAll(...INDEXES))
  expect(codes).toHaveLength(ATTACKS.length - INDEXES.length)
})

test('the default key for chat reaches every index', async () => {
  const { json } = await server.send('GET', '/keys')
  const { key } = json.results.find(({ name }: { name: string }) => name === 'Default Chat API Key')
  expect((await attack(key)).read).toEqual(readAll(...INDEXES))
})

test('a server without a master key asks for none', async () => {
  const open = await startChatServer({ masterKey: null })
  await open.add('books', [{ id: 1, title: 'Owls' }])
  open.provider.script = inTurn(asks({ id: 'a', arguments: searchFor('books', 'owls') }), says('Owls.'))
  const { events } = await open.ask()
  expect([saidIn(events), errorsIn(events)]).toEqual(['Owls.', []])
})

test('a key for one index keeps the model out of all others', async () => {
  const { key } = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['news'] })
  const { offered, read, codes, everything } = await attack(key)
  expect(offered).toEqual(['news'])
  expect(read).toEqual(readAll('news'))
  expect(codes).toEqual(Array(ATTACKS.length - 1).fill('invalid_api_key'))
  expect(everything).not.toMatch(/About (diary|letters|news-archive)/)
})

test('a key for a pattern opens what matches it', async () => {
  const { key } = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['news*'] })
  const { offered, read } = await attack(key)
  expect(offered).toEqual(['news', 'news-archive'])
  expect(read).toEqual(readAll('news', 'news-archive'))
})

test('a key that may not search is told of nothing', async () => {
  const { key } = await server.createKey({ actions: ['chatCompletions'], indexes: ['*'] })
  const { offered, read, everything } = await attack(key)
  expect([offered, read]).toEqual([[], []])
  expect(everything).not.toMatch(/bombs|About/)
})

test('a key that may only search cannot talk', async () => {
  const { key } = await server.createKey({ actions: ['search'], indexes: ['*'] })
  const { status, json } = await server.ask({}, key)
  expect([status, json.code]).toEqual([403, 'invalid_api_key'])
  expect((await server.ask({}, null)).json.code).toBe('missing_authorization_header')
})

test('the rule of a tenant token holds for documents and for the values of facets', async () => {
  const parent = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['*'] })
  const token = await server.tokenFor(parent, { news: { filter: 'owner = ada' }, diary: { filter: 'owner = ada' } })
  const { offered, read, everything } = await attack(token)
  expect(offered).toEqual(['diary', 'news'])
  expect(read).toEqual(['ada in diary', 'ada in news'])
  expect(everything).toContain('owner: ada.\\ntopic: owls.\\n')
  expect(everything).not.toMatch(/bombs|bob/)
})

test('a model cannot filter its way out of the rule', async () => {
  const parent = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['news'] })
  const token = await server.tokenFor(parent, { '*': { filter: 'owner = ada' } })
  const filters = ['owner = bob', 'owner = bob OR owner = ada', 'NOT owner = ada', 'owner = ada) OR (owner = bob']
  const calls = filters.map((filter, i) => ({ id: `f${i}`, arguments: searchFor('news', '', filter) }))
  server.provider.script = inTurn(asks(...calls), says('I tried.'))
  const { read, everything } = await attack(token)
  expect(read).toEqual(['ada in news'])
  expect(everything).not.toContain('bob in news')
})

test('a tenant token reaches no more than its parent', async () => {
  const parent = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['news'] })
  const { offered, read } = await attack(await server.tokenFor(parent, ['*']))
  expect(offered).toEqual(['news'])
  expect(read).toEqual(readAll('news'))
})

test('a rule that cannot be applied opens nothing', async () => {
  const parent = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['news'] })
  const { read, everything } = await attack(await server.tokenFor(parent, { news: { filter: 'text = ada' } }))
  expect(read).toEqual([])
  expect(everything).not.toMatch(/bombs|ada in|bob in/)
})

test('a key that is deleted while the model thinks opens nothing more', async () => {
  const { uid, key } = await server.createKey({ actions: ['chatCompletions', 'search'], indexes: ['*'] })
  const [asking, saying] = [server.provider.script, says('I tried.')]
  server.provider.script = async (response, call, place) => {
    if (place === 0) await server.send('DELETE', `/keys/${uid}`)
    return place === 0 ? asking(response, call, place) : saying(response, call, place)
  }
  const { read, codes } = await attack(key)
  expect(read).toEqual([])
  expect(codes).toEqual(Array(ATTACKS.length).fill('invalid_api_key'))
})

describe('attributes that are not displayed', () => {
  const SECRETS = /hush|mum/
  const DIARY = { id: 1, text: 'Owls', secret: 'hush', author: { name: 'Ada', phone: 'mum' }, tags: ['a'] }

  /** What one search gives away when the index has this template. */
  async function readWith(documentTemplate: string | null, settings: object = {}) {
    const displayedAttributes = ['id', 'text', 'author.name']
    const body = { displayedAttributes, chat: { documentTemplate }, ...settings }
    await server.done('PATCH', '/indexes/hidden/settings', { body })
    await server.done('DELETE', '/indexes/hidden/documents')
    await server.add('hidden', [DIARY])
    server.provider.calls.length = 0
    server.provider.script = inTurn(asks({ id: 'a', arguments: searchFor('hidden') }), says('I tried.'))
    const { text, events } = await server.ask({ tools: ALL_TOOLS })
    const messages = server.provider.calls[1]!.body.messages
    const everything = text + server.provider.calls.map((call) => call.text).join()
    return { content: messages.at(-1).content as string, everything, errors: errorsIn(events) }
  }

  test('22.3.2: are not shown by the default template', async () => {
    const { content, everything } = await readWith(null)
    expect(content).toBe('id: 1\ntext: Owls\nauthor: nameAda\n')
    expect(everything).not.toMatch(SECRETS)
  })

  test('22.3.2: are not shown by it either when nothing but they are searchable', async () => {
    const { content, everything } = await readWith(null, { searchableAttributes: ['secret'] })
    expect(content).toBe('')
    expect(everything).not.toMatch(SECRETS)
  })

  test('22.3.2: are all shown where all are displayed', async () => {
    const { content } = await readWith(null, { displayedAttributes: ['*'], searchableAttributes: ['*'] })
    expect(content).toBe('id: 1\ntext: Owls\nsecret: hush\nauthor: nameAdaphonemum\ntags: a\n')
  })

  test('22.3.2: are shown by a template of the operator that names them, and those alone', async () => {
    const named = await readWith('{{doc.text}}: {{doc.author.phone}}')
    expect(named.content).toBe('Owls: mum')
    expect(named.everything).not.toContain('hush')
    const listed = await readWith('{% for field in fields %}{{field.name}} {% endfor %}{{doc.secret}}')
    expect(listed.content).toBe('id text author hush')
  })

  test('22.3.2: are not named by the error of a template', async () => {
    const { content, everything, errors } = await readWith('{{doc.nothing}}')
    expect(errors).toMatchObject([{ code: 'invalid_chat_setting_document_template' }])
    expect(content).toContain('there is no "nothing"')
    expect(everything).not.toMatch(/secret|author|tags/)
  })
})

test('sources show displayed attributes alone', async () => {
  await server.done('PUT', '/indexes/letters/settings/displayed-attributes', { body: ['id'] })
  server.provider.script = inTurn(asks({ id: 'a', arguments: searchFor('letters') }), says('I tried.'))
  const { events } = await server.ask({ tools: ALL_TOOLS })
  const sources = toldIn(events).find(([name]) => name === '_meiliSearchSources')
  expect(sources[1].sources).toEqual([{ id: 1 }, { id: 2 }])
})
