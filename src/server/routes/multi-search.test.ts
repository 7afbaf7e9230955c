import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/books/settings', { body: { filterableAttributes: ['year'] } })
  await server.add('books', [
    { id: 1, title: 'Dune', year: 1965 },
    { id: 2, title: 'Emma', year: 1815 },
  ])
  await server.add('films', [{ id: 1, title: 'Dune' }])
})

const multi = (body: object) => server.send('POST', '/multi-search', { body })
const refusal = async (body: object) => {
  const { status, json } = await multi(body)
  return [status, json.code]
}

test('each query has its own result', async () => {
  const { status, json } = await server.send('POST', '/multi-search', {
    body: {
      queries: [
        { indexUid: 'books', q: 'dune', facets: ['year'], limit: 5 },
        { indexUid: 'films', hitsPerPage: 1, page: 1, federationOptions: null },
      ],
    },
    headers: { 'Meili-Include-Metadata': '1' },
  })
  expect(status).toBe(200)
  const [first, second] = json.results
  expect(Object.keys(first).slice(0, 2)).toEqual(['indexUid', 'hits'])
  expect(first).toEqual({
    indexUid: 'books',
    hits: [{ id: 1, title: 'Dune', year: 1965 }],
    query: 'dune',
    processingTimeMs: expect.any(Number),
    limit: 5,
    offset: 0,
    estimatedTotalHits: 1,
    facetDistribution: { year: { 1965: 1 } },
    facetStats: { year: { min: 1965, max: 1965 } },
    requestUid: expect.any(String),
    metadata: { query: 'dune', queryUid: expect.any(String), indexUid: 'books', primaryKey: 'id' },
  })
  expect(second).toMatchObject({ indexUid: 'films', hits: [{ id: 1 }], totalHits: 1, totalPages: 1 })
  expect(second.requestUid).toBe(first.requestUid)
  expect(second.metadata.queryUid).not.toBe(first.metadata.queryUid)
})

test('a result that tells its stages tells those of the results before it too', async () => {
  const stages = { showPerformanceDetails: true }
  const { json } = await multi({
    queries: [
      { indexUid: 'books', filter: 'year > 1900' },
      { indexUid: 'books', facets: ['year'], ...stages },
      { indexUid: 'films', q: 'dune', ...stages },
    ],
  })
  const [first, second, third] = json.results
  expect(first).not.toHaveProperty('performanceDetails')
  expect(Object.keys(second.performanceDetails)).toContain('search > merge facets')
  expect(Object.keys(second.performanceDetails)).not.toContain('search > execute local search > keyword ranking')
  expect(Object.keys(third.performanceDetails)).toEqual(
    expect.arrayContaining([
      'search > execute local search > placeholder ranking',
      'search > execute local search > keyword ranking',
      'search > merge facets',
    ]),
  )
  expect(third.performanceDetails['wait in queue']).toBe(second.performanceDetails['wait in queue'])
})

test('no queries have no results', async () => {
  const { status, text } = await multi({ queries: [] })
  expect([status, text]).toEqual([200, '{"results":[]}'])
})

describe('refusals', () => {
  test('name the query, and leave no results of the others', async () => {
    const { status, json } = await multi({ queries: [{ indexUid: 'books' }, { indexUid: 'missing' }] })
    expect([status, json.code]).toEqual([400, 'index_not_found'])
    expect(json.message).toContain('`.queries[1]`')
    expect(json).not.toHaveProperty('results')
  })

  test.each<[object, string]>([
    [{ queries: [{ indexUid: 'books', filter: 'a &' }] }, 'invalid_search_filter'],
    [{ queries: [{ indexUid: 'books', filter: 'title = 1' }] }, 'invalid_search_filter'],
    [{ queries: [{ indexUid: 'books', federationOptions: {} }] }, 'invalid_multi_search_federation_options'],
    [{ queries: [{ indexUid: 'books', personalize: { userContext: 'x' } }] }, 'feature_not_enabled'],
    [{ queries: [{ indexUid: 'books', useNetwork: false }] }, 'feature_not_enabled'],
    [{ queries: [{ indexUid: 'books', vector: [1] }] }, 'missing_search_hybrid'],
    [{ queries: [{ indexUid: 'missing' }, { indexUid: 'books', limit: 'x' }] }, 'invalid_search_limit'],
  ])('%j is %s', async (body, code) => {
    expect(await refusal(body)).toEqual([400, code])
  })

  test.each<[object, string]>([
    [{ offset: 0 }, 'invalid_multi_search_query_pagination'],
    [{ limit: 0 }, 'invalid_multi_search_query_pagination'],
    [{ page: 1 }, 'invalid_multi_search_query_pagination'],
    [{ hitsPerPage: 1 }, 'invalid_multi_search_query_pagination'],
    [{ facets: ['year'] }, 'invalid_multi_search_query_facets'],
    [{ personalize: { userContext: 'x' } }, 'invalid_multi_search_query_personalization'],
    [{ federationOptions: { remote: 'a' }, useNetwork: true }, 'invalid_multi_search_federation_options'],
    [{ showPerformanceDetails: false }, 'invalid_multi_search_query_show_performance_details'],
    [{ distinct: 'year' }, 'invalid_multi_search_distinct'],
    [{ useNetwork: false }, 'feature_not_enabled'],
    [{ federationOptions: { remote: 'a' } }, 'feature_not_enabled'],
    [{ federationOptions: { queryPosition: 1 } }, 'feature_not_enabled'],
    [{ filter: 'a &', offset: 0 }, 'invalid_search_filter'],
  ])('%j in a federated query is %s', async (query, code) => {
    const federation = { distinct: 'year' }
    expect(await refusal({ queries: [{ indexUid: 'books', ...query }], federation })).toEqual([400, code])
  })
})

describe('keys', () => {
  test('must open the index of every query', async () => {
    const { json } = await server.send('POST', '/keys', {
      body: { actions: ['search'], indexes: ['books'], expiresAt: null },
    })
    const queries = [{ indexUid: 'books' }, { indexUid: 'films' }]
    const refused = await server.send('POST', '/multi-search', { body: { queries }, key: json.key })
    expect([refused.status, refused.json.code]).toEqual([403, 'invalid_api_key'])
    expect(refused.json.message).toContain('`.queries[1]`')
    const allowed = await server.send('POST', '/multi-search', {
      body: { queries: queries.slice(0, 1) },
      key: json.key,
    })
    expect(allowed.status).toBe(200)
  })
})
