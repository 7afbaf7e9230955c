import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { KnownRequests } from './known-requests.js'
import { RememberedAnswers } from './remembered-answers.js'

const MASTER_KEY = 'a master key of more than sixteen bytes'
const SETTINGS = {
  filterableAttributes: ['kind'],
  sortableAttributes: ['id'],
  embedders: { own: { source: 'userProvided', dimensions: 1 } },
}
const LAMPS = [
  { id: 1, title: 'Red lamp', kind: 'light' },
  { id: 2, title: 'Blue lamp', kind: 'light' },
  { id: 3, title: 'Garden chair', kind: 'outdoor' },
].map((lamp) => ({ ...lamp, _vectors: { own: [lamp.id] } }))

type Request = Parameters<IndexServer['send']>

/** Counts the searches that were run. */
async function open(context: { rememberedAnswers?: RememberedAnswers; knownRequests?: KnownRequests } = {}) {
  const server = await startIndexServer({ masterKey: MASTER_KEY, context })
  for (const uid of ['a', 'b']) await server.done('PATCH', `/indexes/${uid}/settings`, { body: SETTINGS })
  await server.add('a', LAMPS)
  await server.add('b', LAMPS.slice(1))
  return { server, runs: vi.spyOn(server.context.searching, 'run') }
}

type Opened = Awaited<ReturnType<typeof open>>

const multi = (queries: readonly object[], more: object = {}): Request => [
  'POST',
  '/multi-search',
  { body: { queries, ...more } },
]

/** Each asks what one search of an index asks. */
const WAYS = {
  'a search': (query: object, uid = 'a'): Request => ['POST', `/indexes/${uid}/search`, { body: query }],
  'a multi-search': (query: object, uid = 'a'): Request =>
    multi([
      { indexUid: 'b', q: 'chair' },
      { indexUid: uid, ...query },
    ]),
  'a federated search': (query: object, uid = 'a'): Request => multi([{ indexUid: uid, ...query }], { federation: {} }),
}

const post = WAYS['a search']
const ways = Object.entries(WAYS)

/** Without what differs from one answer to the next. */
async function ask(server: IndexServer, ...[method, path, sent]: Request) {
  const { status, json } = await server.send(method, path, sent)
  const { results, ...outer } = json
  const requestUids = (results ?? [outer]).map((result: { requestUid: string }) => result.requestUid)
  return { status, requestUids, rest: results === undefined ? plain(outer) : { ...outer, results: results.map(plain) } }
}

const plain = ({ requestUid, processingTimeMs, ...rest }: Record<string, unknown>) => rest

/** Whether the last of three requests was not run; all must be answered alike. */
async function isRemembered({ server, runs }: Opened, request: Request): Promise<boolean> {
  const answers = [await ask(server, ...request), await ask(server, ...request)]
  const runsBefore = runs.mock.calls.length
  answers.push(await ask(server, ...request))
  for (const { status, rest } of answers) expect([status, rest]).toEqual([answers[0]!.status, answers[0]!.rest])
  return runs.mock.calls.length === runsBefore
}

/** Of the last result, asked until it is remembered. */
async function total(opened: Opened, request: Request): Promise<number> {
  expect(await isRemembered(opened, request)).toBe(true)
  const { rest } = await ask(opened.server, ...request)
  return (rest.results?.at(-1) ?? rest).estimatedTotalHits
}

test.each([
  ...ways.map(([name, way]) => [name, way({ q: 'lamp' })] as const),
  ['a search by parameters', ['GET', '/indexes/a/search?q=lamp'] as Request] as const,
])('%s that was asked before is not run again, and has a uid of its own', async (_, request) => {
  const { server, runs } = await open()
  // Of several searches only those are kept that came before.
  const expected = request[1].startsWith('/multi-search') ? 2 : 1
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await ask(server, ...request))
  expect(runs).toHaveBeenCalledTimes(expected)
  for (const { rest } of answers) expect(rest).toEqual(answers[0]!.rest)
  for (const { requestUids } of answers) expect(new Set(requestUids).size).toBe(1)
  expect(new Set(answers.map(({ requestUids }) => requestUids[0])).size).toBe(answers.length)
})

describe.each(ways)('%s is run again', (_, way) => {
  test('when an index has changed, or its name belongs to another one', async () => {
    const opened = await open()
    const { server } = opened
    const totalIn = (index: string) => total(opened, way({ q: 'lamp' }, index))
    expect([await totalIn('a'), await totalIn('b')]).toEqual([2, 1])
    await server.add('a', [{ id: 4, title: 'Table lamp', _vectors: { own: null } }])
    expect(await totalIn('a')).toBe(3)
    await server.done('PATCH', '/indexes/a/settings', { body: { stopWords: ['lamp'] } })
    expect(await totalIn('a')).toBe(0)
    await server.done('POST', '/swap-indexes', { body: [{ indexes: ['a', 'b'] }] })
    expect([await totalIn('a'), await totalIn('b')]).toEqual([1, 0])
    await server.done('DELETE', '/indexes/b')
    expect((await ask(server, ...way({ q: 'lamp' }, 'b'))).rest.code).toBe('index_not_found')
    await server.add('b', LAMPS)
    expect(await totalIn('b')).toBe(2)
  })

  test('when other features are on', async () => {
    const opened = await open()
    const { server } = opened
    const contains = way({ filter: 'kind CONTAINS out' })
    const switchTo = (containsFilter: boolean) =>
      server.send('PATCH', '/experimental-features', { body: { containsFilter } })
    await switchTo(true)
    expect(await total(opened, contains)).toBe(1)
    await switchTo(false)
    expect((await ask(server, ...contains)).status).toBe(400)
  })

  test.each(['dynamicSearchRules', 'foreignKeys', 'network'])('while %s may have a part in it', async (feature) => {
    const opened = await open()
    expect(await isRemembered(opened, way({ q: 'lamp' }))).toBe(true)
    await opened.server.send('PATCH', '/experimental-features', { body: { [feature]: true } })
    expect(await isRemembered(opened, way({ q: 'lamp' }))).toBe(false)
  })

  test('when time cut it short, or it looked for more than words', async () => {
    const opened = await open()
    expect(await isRemembered(opened, way({ vector: [1], hybrid: { embedder: 'own' } }))).toBe(false)
    await opened.server.done('PATCH', '/indexes/a/settings', { body: { searchCutoffMs: 0 } })
    expect(await isRemembered(opened, way({ q: 'lamp' }))).toBe(false)
  })

  test('when its answer is an error', async () => {
    const opened = await open()
    expect(await isRemembered(opened, way({ filter: 'title = lamp' }))).toBe(false)
    expect(await isRemembered(opened, way({ q: 'lamp' }, 'none'))).toBe(false)
  })

  test('for somebody who sees other documents', async () => {
    const { server } = await open()
    const { key, sign } = await searchKey(server)
    const tokenFor = (filter: string) => sign({ a: { filter }, b: null })
    const seen: unknown[] = []
    const keys = [MASTER_KEY, await tokenFor('kind = outdoor'), await tokenFor('kind = light'), key]
    const [method, path, sent] = way({})
    for (const each of [...keys, ...keys, ...keys]) {
      const { rest } = await ask(server, method, path, { ...sent, key: each })
      seen.push((rest.results?.at(-1) ?? rest).estimatedTotalHits)
    }
    expect(seen).toEqual([3, 1, 2, 3, 3, 1, 2, 3, 3, 1, 2, 3])
  })

  test('by nobody who may not', async () => {
    const opened = await open()
    const { sign } = await searchKey(opened.server)
    expect(await isRemembered(opened, way({ q: 'lamp' }))).toBe(true)
    const [method, path, sent] = way({ q: 'lamp' })
    expect((await ask(opened.server, method, path, { ...sent, key: await sign({ b: null }) })).status).toBe(403)
  })

  test('when its answer tells of the search itself', async () => {
    const { server, runs } = await open()
    const [method, path, sent] = way({ q: 'lamp' })
    for (const header of ['Meili-Include-Metadata', 'Meili-Proxy-Search']) {
      for (let i = 0; i < 3; i++) await ask(server, method, path, { ...sent, headers: { [header]: 'false' } })
    }
    expect(runs).toHaveBeenCalledTimes(6)
    const headers = { 'Meili-Include-Metadata': 'true' }
    for (let i = 0; i < 3; i++) {
      expect(JSON.stringify((await ask(server, method, path, sent)).rest)).not.toContain('metadata')
      expect(JSON.stringify((await ask(server, method, path, { ...sent, headers })).rest)).toContain('metadata')
    }
  })
})

async function searchKey(server: IndexServer) {
  const { json } = await server.send('GET', '/keys')
  const { uid, key } = json.results.find(({ name }: { name: string }) => name.includes('Search'))
  const sign = (searchRules: object) =>
    new SignJWT({ apiKeyUid: uid, searchRules }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(key))
  return { key: key as string, sign }
}

test('a search is run again when a rule may say something else', async () => {
  const { server } = await open()
  const first = async () => (await ask(server, ...post({ q: 'lamp' }))).rest.hits[0].id
  await server.send('PATCH', '/experimental-features', { body: { dynamicSearchRules: true } })
  expect([await first(), await first(), await first()]).toEqual([1, 1, 1])
  const action = { selector: { indexUid: 'a', id: '3' }, action: { type: 'pin', position: 0 } }
  const rule = await server.send('PATCH', '/dynamic-search-rules/one', { body: { actions: [action], active: true } })
  expect([rule.status, await first()]).toEqual([201, 3])
})

test('of a multi-search, all results are remembered or none', async () => {
  const opened = await open()
  const [a, b] = [
    { indexUid: 'a', q: 'lamp' },
    { indexUid: 'b', q: 'lamp' },
  ]
  const many = (count: number) => multi(Array.from({ length: count }, () => a))
  const isKept = (request: Request) => isRemembered(opened, request)
  expect(await isKept(multi([a, b]))).toBe(true)
  expect(await isKept(multi([a, { ...b, vector: [1], hybrid: { embedder: 'own' } }]))).toBe(false)
  expect(await isKept(multi([a, { ...b, indexUid: 'none' }]))).toBe(false)
  expect([await isKept(many(16)), await isKept(many(17))]).toEqual([true, false])
  const faceted = (uid: string) => multi([a], { federation: { facetsByIndex: { [uid]: ['kind'] } } })
  expect([await isKept(faceted('a')), await isKept(faceted('b'))]).toEqual([true, false])
  await opened.server.done('PATCH', '/indexes/b/settings', { body: { searchCutoffMs: 0 } })
  expect([await isKept(multi([a, b])), await isKept(multi([a]))]).toEqual([false, true])
})

test('performance details are always those of the request', async () => {
  const { server, runs } = await open()
  const query = { indexUid: 'a', q: 'lamp' }
  const details = { showPerformanceDetails: true }
  const requests = [post({ q: 'lamp', ...details }), multi([query, { ...query, ...details }])]
  for (const request of [...requests, multi([query], { federation: details })]) {
    for (let i = 0; i < 3; i++)
      expect(JSON.stringify((await ask(server, ...request)).rest)).toContain('performanceDetails')
  }
  expect(runs).toHaveBeenCalledTimes(9)
})

test('a server that remembers answers as one that does not', async () => {
  const forgetting = { rememberedAnswers: new RememberedAnswers(0), knownRequests: new KnownRequests(0) }
  const [remembering, forgetful] = [await open(), await open(forgetting)]
  const servers = [remembering.server, forgetful.server]
  const keysOf = async (server: IndexServer) => {
    const { key, sign } = await searchKey(server)
    return [MASTER_KEY, key, await sign({ a: { filter: 'kind = light' }, b: null }), await sign({ a: null })]
  }
  const keys = new Map(await Promise.all(servers.map(async (server) => [server, await keysOf(server)] as const)))
  const uid = fc.constantFrom('a', 'b')
  const query = fc.record({
    q: fc.constantFrom('lamp', 'la', ''),
    sort: fc.constantFrom([], ['id:desc']),
    filter: fc.constantFrom(null, 'kind CONTAINS lig'),
  })
  const indexed = fc.tuple(query, uid).map(([body, indexUid]) => ({ ...body, indexUid }))
  const queries = fc.array(indexed, { minLength: 1, maxLength: 2 })
  const federation = fc.constantFrom({}, { limit: 1 }, { facetsByIndex: { a: ['kind'] } })
  const search = fc.oneof(
    fc.tuple(query, uid).map(([body, index]) => post(body, index)),
    queries.map((list) => multi(list)),
    fc.tuple(queries, federation).map(([list, merged]) => multi(list, { federation: merged })),
  )
  const document = fc.record({
    id: fc.nat(5),
    title: fc.constantFrom('lamp', 'garden lamp'),
    kind: fc.constantFrom('light', 'outdoor'),
  })
  const change: fc.Arbitrary<Request> = fc.oneof(
    fc.tuple(document, uid).map(([body, index]): Request => ['POST', `/indexes/${index}/documents`, { body: [body] }]),
    uid.map((index): Request => ['PATCH', `/indexes/${index}/settings`, { body: SETTINGS }]),
    uid.map((index): Request => ['DELETE', `/indexes/${index}`]),
    fc.constant<Request>(['POST', '/swap-indexes', { body: [{ indexes: ['a', 'b'] }] }]),
    fc.boolean().map((isOn): Request => ['PATCH', '/experimental-features', { body: { containsFilter: isOn } }]),
    fc.boolean().map((isOn): Request => ['PATCH', '/experimental-features', { body: { legacySearch: isOn } }]),
  )
  const step = fc.oneof(
    { arbitrary: fc.tuple(search, fc.nat(3)), weight: 6 },
    change.map((each) => [each, null] as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      // Twice, so that most searches are known when they come again.
      for (const [[method, path, sent], who] of [...steps, ...steps]) {
        if (who === null) for (const server of servers) await apply(server, [method, path, sent])
        else {
          const asked = servers.map((server) => ask(server, method, path, { ...sent, key: keys.get(server)![who]! }))
          const [one, other] = await Promise.all(asked)
          expect([one!.status, one!.rest]).toEqual([other!.status, other!.rest])
        }
      }
    }),
    { numRuns: 40 },
  )
  expect(remembering.runs.mock.calls.length).toBeLessThan(forgetful.runs.mock.calls.length)
}, 60_000)

async function apply(server: IndexServer, [method, path, sent]: Request): Promise<void> {
  if (path === '/experimental-features') await server.send(method, path, sent)
  else await server.done(method, path, sent)
}

test('no more is kept than there is room for, and nothing that is large', () => {
  const features = {} as Parameters<RememberedAnswers['get']>[2]
  const countKept = (answers: RememberedAnswers, bytes: number, results = 1) => {
    const questions = Array.from({ length: 50 }, (_, i) => ({ uids: ['a'], text: `q${i}` }))
    const changes = Array.from({ length: results }, (_, i) => ({
      timeAt: 40 * i,
      timeEnd: 40 * i + 1,
      uidAt: 40 * i + 2,
    }))
    const repetition = { versions: [['a', 1] as const], changes }
    for (const question of questions) {
      const answered = { body: new Uint8Array(bytes), degraded: 0, personalized: 0, failedRemotes: [], repetition }
      answers.keep(question, { folders: [['a', '/a']], features }, answered)
    }
    const state = { path: '/a', version: 1 }
    return questions.filter((each) => answers.get(each, () => state, features) !== undefined).length
  }
  expect(countKept(new RememberedAnswers(10_000), 1000)).toBe(7)
  expect(countKept(new RememberedAnswers(), 60_000)).toBe(50)
  expect(countKept(new RememberedAnswers(), 70_000)).toBe(0)
  expect(countKept(new RememberedAnswers(), 70_000, 2)).toBe(50)
})
