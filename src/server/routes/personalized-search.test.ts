import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SearchQueue } from '../../searching/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

/**
 * Searches whose hits a service orders for a person. The service is on loopback and does what a test tells it: which
 * hits it is told, and where they stand afterwards; pins, pages, federations; what happens when it fails.
 */
const KEY = 'KEY-OF-THE-SERVICE'

interface Asked {
  readonly query: string
  readonly documents: readonly string[]
}

let server: IndexServer
let asked: Asked[]
let answer: RequestListener

const service = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  asked.push(JSON.parse(Buffer.concat(chunks).toString()))
  answer(request, response)
})

const says =
  (status: number, body: unknown = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
const places = (...order: number[]): RequestListener => says(200, { results: order.map((index) => ({ index })) })
const backwards: RequestListener = (request, response) =>
  places(
    ...asked
      .at(-1)!
      .documents.map((_, place) => place)
      .reverse(),
  )(request, response)

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1/rerank`
  server = await startIndexServer({
    executor: { personalization: { apiKey: KEY, url } },
    context: { searchQueue: new SearchQueue({ permits: 4, queueSize: 10, dropAfterMs: 60_000 }) },
  })
  await server.done('PATCH', '/indexes/animals/settings', {
    body: { filterableAttributes: ['color'], displayedAttributes: ['id', 'name', 'color'], rankingRules: ['id:asc'] },
  })
  await server.add('animals', [
    { id: 1, name: 'red fox', color: 'red', secret: 'x' },
    { id: 2, name: 'red panda', color: 'red', secret: 'x' },
    { id: 3, name: 'red deer', color: 'red', secret: 'x' },
    { id: 4, name: 'red kite', color: 'red', secret: 'x' },
    { id: 5, name: 'blue whale', color: 'blue', secret: 'x' },
  ])
  await server.done('PATCH', '/indexes/plants/settings', { body: { rankingRules: ['id:asc'] } })
  await server.add('plants', [{ id: 11, name: 'red clover' }])
  await server.done('PATCH', '/indexes/hasty/settings', { body: { searchCutoffMs: 300, rankingRules: ['id:asc'] } })
  await server.add('hasty', [{ id: 1 }, { id: 2 }, { id: 3 }])
})

beforeEach(() => {
  asked = []
  answer = backwards
})

afterAll(() => {
  service.closeAllConnections()
  service.close()
})

const personalize = { userContext: 'likes birds' }

const search = async (body: object, index = 'animals') =>
  (await server.send('POST', `/indexes/${index}/search`, { body: { personalize, ...body } })).json
const multi = async (body: object) => (await server.send('POST', '/multi-search', { body })).json
// biome-ignore lint/suspicious/noExplicitAny: hits of every shape
const idsOf = ({ hits }: { hits: any[] }) => hits.map(({ id }) => id)
const sentIds = () => asked.map(({ documents }) => documents.map((document) => JSON.parse(document).id))

describe('one search', () => {
  test('its hits come in the order of the service, and nothing else changes', async () => {
    const body = { q: 'red', facets: ['color'], showRankingScore: true }
    const { json: before } = await server.send('POST', '/indexes/animals/search', { body })
    const after = await search(body)
    expect(idsOf(after)).toEqual([4, 3, 2, 1])
    const same = (found: object) => ({ ...found, hits: null, processingTimeMs: null, requestUid: null })
    expect(same(after)).toEqual(same(before))
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(after.hits).toEqual(before.hits.reverse())
    expect(asked.map(({ query }) => query)).toEqual(['User Context: likes birds\nQuery: red'])
  })

  test('the service is told what hits show of their documents, and no more', async () => {
    await search({ q: 'fox', attributesToHighlight: ['*'], showMatchesPosition: true, showRankingScore: true })
    expect(asked[0]!.documents).toEqual(['{"id":1,"name":"red fox","color":"red"}'])
    await search({ q: 'fox', attributesToRetrieve: ['name'], retrieveVectors: true })
    expect(asked[1]!.documents).toEqual(['{"name":"red fox"}'])
  })

  test('only its page is ordered', async () => {
    expect(idsOf(await search({ q: 'red', offset: 1, limit: 2 }))).toEqual([3, 2])
    const paged = await search({ page: 2, hitsPerPage: 2 })
    expect([idsOf(paged), paged.totalHits]).toEqual([[4, 3], 5])
    expect(sentIds()).toEqual([
      [2, 3],
      [3, 4],
    ])
    expect(asked[1]!.query).toBe('User Context: likes birds\nQuery: ')
  })

  test('hits that the service leaves out disappear, and places that do not exist are nothing', async () => {
    answer = places(2, 9, 0)
    const found = await search({ q: 'red' })
    expect([idsOf(found), found.estimatedTotalHits]).toEqual([[3, 1], 4])
  })

  test('the parameter of GET is the same', async () => {
    const { json } = await server.send('GET', '/indexes/animals/search?q=red&limit=2&personalizeUserContext=old')
    expect(idsOf(json)).toEqual([2, 1])
    expect(asked[0]!.query).toBe('User Context: old\nQuery: red')
  })

  test('without hits nobody is asked', async () => {
    expect(idsOf(await search({ q: 'nothing of the kind' }))).toEqual([])
    expect(idsOf(await search({ limit: 0 }))).toEqual([])
    expect(asked).toEqual([])
  })

  test('null is no wish, and what is wrong with others is told first', async () => {
    expect(idsOf(await search({ personalize: null, limit: 2 }))).toEqual([1, 2])
    expect((await search({ facets: ['name'] })).code).toBe('invalid_search_facets')
    expect(asked).toEqual([])
  })

  test('the time it took is told', async () => {
    const { performanceDetails } = await search({ q: 'red', showPerformanceDetails: true })
    expect(performanceDetails).toHaveProperty('search > merge results > personalization')
  })

  test('other searches are answered while the service thinks', async () => {
    let go = () => {}
    answer = (request, response) => {
      go = () => backwards(request, response)
    }
    const waiting = search({ q: 'red' })
    while (asked.length === 0) await server.send('GET', '/health')
    expect(idsOf(await search({ personalize: null, q: 'whale' }))).toEqual([5])
    go()
    expect(idsOf(await waiting)).toEqual([4, 3, 2, 1])
  })
})

describe('pins', () => {
  beforeAll(async () => {
    await server.context.features.change({ dynamicSearchRules: true })
    const actions = [{ selector: { indexUid: 'animals', id: '5' }, action: { type: 'pin', position: 1 } }]
    const { status, text } = await server.send('PATCH', '/dynamic-search-rules/whale', {
      body: { active: true, actions, conditions: [] },
    })
    if (status >= 300) throw new Error(text)
  })
  afterAll(() => server.context.features.change({ dynamicSearchRules: false, legacySearch: false }))

  test('stay where they are, and are not sent', async () => {
    expect(idsOf(await search({ q: 'red', limit: 3 }))).toEqual([2, 5, 1])
    expect(sentIds()).toEqual([[1, 2]])
  })

  test('move up when hits before them disappear', async () => {
    answer = places()
    expect(idsOf(await search({ q: 'red' }))).toEqual([5])
  })

  test('stay in federated searches too', async () => {
    const queries = [{ indexUid: 'animals', q: 'red' }, { indexUid: 'plants' }]
    const found = await multi({ queries, federation: { personalize, limit: 4 } })
    expect(idsOf(found)[1]).toBe(5)
    expect(sentIds()[0]).toHaveLength(3)
    expect(sentIds()[0]).not.toContain(5)
  })

  test('are ordered with the others by the previous pipeline', async () => {
    await server.context.features.change({ legacySearch: true })
    expect(idsOf(await search({ q: 'red', limit: 3 }))).toEqual([2, 5, 1])
    expect(sentIds()).toEqual([[1, 5, 2]])
    answer = places(1, 0, 2)
    expect(idsOf(await search({ q: 'red', limit: 3 }))).toEqual([5, 1, 2])
  })
})

describe('several searches', () => {
  test('each result has an order of its own', async () => {
    const queries = [
      { indexUid: 'animals', q: 'red', limit: 2, personalize },
      { indexUid: 'plants' },
      { indexUid: 'animals', offset: 3, personalize: { userContext: 'other' } },
    ]
    const { results } = await multi({ queries })
    expect(results.map(idsOf)).toEqual([[2, 1], [11], [5, 4]])
    expect(asked.map(({ query }) => query)).toEqual([
      'User Context: likes birds\nQuery: red',
      'User Context: other\nQuery: ',
    ])
  })

  test('one that fails is named', async () => {
    answer = says(400, 'no')
    const { code, message } = await multi({ queries: [{ indexUid: 'plants' }, { indexUid: 'animals', personalize }] })
    expect(code).toBe('remote_bad_request')
    expect(message).toContain('.queries[1]')
  })

  test('an index that is deleted while the service thinks is searched before it goes', async () => {
    await server.add('fleeting', [{ id: 1 }])
    let go = () => {}
    answer = (request, response) => {
      go = () => backwards(request, response)
    }
    const waiting = multi({ queries: [{ indexUid: 'animals', q: 'red', personalize }, { indexUid: 'fleeting' }] })
    while (asked.length === 0) await server.send('GET', '/health')
    const deleted = server.done('DELETE', '/indexes/fleeting')
    while ((await server.send('GET', '/indexes/fleeting')).status !== 404) await server.send('GET', '/health')
    go()
    expect((await waiting).results.map(idsOf)).toEqual([[4, 3, 2, 1], [1]])
    expect((await deleted).status).toBe('succeeded')
  })

  test('in a federation all hits are ordered together, by all that was looked for', async () => {
    const queries = [
      { indexUid: 'animals', q: 'red', attributesToHighlight: ['name'], showRankingScore: true },
      { indexUid: 'plants' },
      { indexUid: 'plants', q: 'clover' },
    ]
    const { hits: before, estimatedTotalHits } = await multi({ queries, federation: {} })
    expect(before).toHaveLength(5)
    const federation = { personalize, showPerformanceDetails: true }
    const found = await multi({ queries, federation })
    expect(found.hits).toEqual(before.reverse())
    expect(found.estimatedTotalHits).toBe(estimatedTotalHits)
    expect(found.performanceDetails).toHaveProperty('search > merge results > personalization')
    expect(asked.map(({ query }) => query)).toEqual(['User Context: likes birds\nQuery: red, clover'])
    expect([...asked[0]!.documents].sort()).toContain('{"id":1,"name":"red fox","color":"red"}')
    expect(JSON.stringify(asked)).not.toContain('_f')
  })

  test('for another server nothing is ordered', async () => {
    await server.context.features.change({ network: true })
    const { json } = await server.send('POST', '/multi-search', {
      body: { queries: [{ indexUid: 'animals', q: 'red' }], federation: { personalize } },
      headers: { 'meili-proxy-search': 'true' },
    })
    await server.context.features.change({ network: false })
    expect(idsOf(json)).toEqual([1, 2, 3, 4])
    expect(asked).toEqual([])
  })
})

test('hits of other servers are ordered with those from here', async () => {
  const there = await startIndexServer({ masterKey: null })
  await there.context.features.change({ network: true })
  await there.add('animals', [{ id: 21, name: 'red squirrel' }])
  await there.done('PATCH', '/indexes/animals/settings', { body: { rankingRules: ['id:asc'] } })
  await server.context.features.change({ network: true })
  const remotes = {
    here: { url: 'http://127.0.0.1:1' },
    there: { url: `http://127.0.0.1:${there.port}`, searchApiKey: 'any' },
  }
  const { status, text } = await server.send('PATCH', '/network', { body: { self: 'here', remotes } })
  expect([status, text]).toEqual([expect.toSatisfy((code: number) => code < 300), text])
  answer = backwards
  const body = { q: 'red', useNetwork: true, showRankingScore: true }
  const found = await search(body)
  const plain = await search({ ...body, personalize: null })
  await server.context.features.change({ network: false })
  expect(plain.hits).toHaveLength(5)
  expect(idsOf(found)).toEqual(idsOf(plain).reverse())
  expect(idsOf(found)).toContain(21)
  expect(asked).toHaveLength(1)
  expect(asked[0]!.documents).toContain('{"id":21,"name":"red squirrel"}')
})

describe('a service that fails', () => {
  test.each<[number, number, string]>([
    [401, 403, 'remote_invalid_api_key'],
    [400, 400, 'remote_bad_request'],
    [404, 502, 'remote_bad_response'],
  ])('status %i makes the search fail with %i %s', async (said, status, code) => {
    answer = says(said, `your key is ${KEY}`)
    const sent = { body: { q: 'red', personalize } }
    const received = await server.send('POST', '/indexes/animals/search', sent)
    expect([received.status, received.json.code]).toEqual([status, code])
    expect(received.text).not.toContain(KEY)
    expect(asked).toHaveLength(1)
  })

  test.each<[string, RequestListener]>([
    ['429', says(429)],
    ['500', says(500)],
    ['garbage', says(200, 'garbage')],
    ['a broken connection', (request) => request.socket.destroy()],
  ])('%s is tried until the cutoff, then the order stays as it was', async (_what, listener) => {
    answer = listener
    expect(idsOf(await search({}, 'hasty'))).toEqual([1, 2, 3])
    expect(asked).not.toEqual([])
  })

  test('a failure that passes does not show', async () => {
    let count = 0
    answer = (request, response) => (count++ === 0 ? says(500)(request, response) : backwards(request, response))
    expect(idsOf(await search({ q: 'red' }))).toEqual([4, 3, 2, 1])
    expect(asked).toHaveLength(2)
  })

  test('leaves no trace of its key in the log', () => {
    expect(server.logged.join('\n')).not.toContain(KEY)
  })
})

test('personalized searches are counted, others and those that failed are not', async () => {
  const { events } = server.context
  const before = events.personalizedSearches
  await search({ q: 'red' })
  await search({ q: 'red', personalize: null })
  await multi({
    queries: [
      { indexUid: 'plants', personalize },
      { indexUid: 'animals', personalize },
    ],
  })
  await multi({ queries: [{ indexUid: 'plants' }, { indexUid: 'animals' }], federation: { personalize } })
  answer = says(401)
  await search({ q: 'red' })
  expect(events.personalizedSearches - before).toBe(4)
  await server.context.features.change({ metrics: true })
  const { text } = await server.send('GET', '/metrics')
  expect(text).toContain(`meilisearch_personalized_search_requests ${events.personalizedSearches}`)
})

test('without a key there is no service, whether there are hits or not', async () => {
  const bare = await startIndexServer()
  await bare.add('animals', [{ id: 1 }])
  const code = (path: string, body: object) => bare.codeOf('POST', path, { body })
  expect(await code('/indexes/animals/search', { personalize })).toBe('feature_not_enabled')
  expect(await code('/indexes/animals/search', { q: 'none', personalize })).toBe('feature_not_enabled')
  expect(await code('/multi-search', { queries: [{ indexUid: 'animals' }], federation: { personalize } })).toBe(
    'feature_not_enabled',
  )
})
