import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/books/settings', {
    body: { filterableAttributes: ['color', 'year', 'tags'], sortableAttributes: ['year', 'price', '_geo'] },
  })
  await server.add('books', [
    { id: 1, title: 'Dune', color: 'Red', year: 1965, price: 3, tags: ['sand'], _geo: { lat: 0, lng: 0.0001 } },
    { id: 2, title: 'Dune Messiah', color: 'blue', year: 1969, price: 'cheap', _geo: { lat: 0, lng: 0.005 } },
    { id: 3, title: 'Emma', color: 'green', year: 1815, tags: ['love', 'village'] },
  ])
  await server.done('PATCH', '/indexes/films/settings', {
    body: {
      filterableAttributes: ['color', 'year', 'tags'],
      sortableAttributes: ['year', 'stars', '_geo'],
      faceting: { sortFacetValuesBy: { color: 'count' } },
    },
  })
  await server.add('films', [
    {
      id: 1,
      title: 'Dune',
      color: 'red',
      year: 1984,
      stars: 2,
      tags: ['desert', 'sand'],
      _geo: { lat: 0, lng: 0.0003 },
    },
    { id: 7, title: 'Solaris', color: 'red', year: 1972, stars: 'many', _geo: { lat: 0, lng: 0.0004 } },
  ])
  await server.done('POST', '/indexes', { body: { uid: 'plain' } })
})

const federated = (queries: object[], federation: object = {}) =>
  server.send('POST', '/multi-search', { body: { queries, federation } })

/** Hits as `index id`, in their order. */
async function found(queries: object[], federation: object = {}): Promise<string[]> {
  const { json, text } = await federated(queries, federation)
  if (json.hits === undefined) throw new Error(text)
  return json.hits.map(
    (hit: { id: number; _federation: { indexUid: string } }) => `${hit._federation.indexUid} ${hit.id}`,
  )
}

async function refusal(queries: object[], federation: object = {}): Promise<[number, string, string]> {
  const { status, json } = await federated(queries, federation)
  return [status, json.code, json.message]
}

describe('the answer', () => {
  test('is one list of the hits of all queries, the members in their order', async () => {
    const { status, json } = await federated(
      [
        { indexUid: 'books', q: 'dune', attributesToRetrieve: ['title'], showRankingScore: true },
        { indexUid: 'films', q: 'dune', federationOptions: { weight: 0.5 }, attributesToRetrieve: ['id'] },
      ],
      { limit: 2, facetsByIndex: { books: ['color'] }, showPerformanceDetails: true },
    )
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual([
      'hits',
      'processingTimeMs',
      'limit',
      'offset',
      'estimatedTotalHits',
      'facetsByIndex',
      'requestUid',
      'performanceDetails',
    ])
    expect(json.hits).toEqual([
      {
        title: 'Dune',
        _federation: { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1 },
        _rankingScore: 1,
      },
      { title: 'Dune Messiah', _federation: expect.anything(), _rankingScore: expect.any(Number) },
    ])
    expect(Object.keys(json.hits[0])).toEqual(['title', '_federation', '_rankingScore'])
    expect(json).toMatchObject({ limit: 2, offset: 0, estimatedTotalHits: 3 })
    expect(json.facetsByIndex).toEqual({ books: { distribution: { color: { Red: 1, blue: 1 } }, stats: {} } })
    expect(Object.keys(json.performanceDetails)).toEqual([
      'wait in queue',
      'search > partition queries',
      'search > start remote search',
      'search > execute local search > evaluate filter',
      'search > execute local search > tokenize query',
      'search > execute local search > evaluate query',
      'search > execute local search > keyword ranking',
      'search > execute local search',
      'search > merge facets',
      'search > merge results',
      'search > execute local search > format',
      'search',
    ])
  })

  test('of no queries is an empty page', async () => {
    const { status, json } = await federated([])
    const { processingTimeMs, requestUid, ...page } = json
    expect([status, page]).toEqual([200, { hits: [], limit: 20, offset: 0, estimatedTotalHits: 0 }])
    expect([typeof processingTimeMs, typeof requestUid]).toEqual(['number', 'string'])
  })

  test('tells of each query where metadata are asked for', async () => {
    const { json } = await server.send('POST', '/multi-search', {
      body: { queries: [{ indexUid: 'films', q: 'dune' }, { indexUid: 'plain' }], federation: {} },
      headers: { 'Meili-Include-Metadata': 'TRUE' },
    })
    expect(json.metadata).toEqual([
      { query: 'dune', queryUid: expect.any(String), indexUid: 'films', primaryKey: 'id' },
      { queryUid: expect.any(String), indexUid: 'plain' },
    ])
    expect(json.metadata[0].queryUid).not.toBe(json.metadata[1].queryUid)
  })

  test('hides an attribute of documents that has the name of what it adds', async () => {
    await server.add('named', [{ id: 1, _federation: 'mine' }])
    const { json } = await federated([{ indexUid: 'named' }])
    expect(json.hits).toEqual([
      { id: 1, _federation: { indexUid: 'named', queriesPosition: 0, weightedRankingScore: 1 } },
    ])
  })
})

describe('merging', () => {
  test('a weight moves all hits of its query', async () => {
    const queries = (weight: number) => [
      { indexUid: 'books', q: 'dune' },
      { indexUid: 'films', q: 'dune', federationOptions: { weight } },
    ]
    expect(await found(queries(2))).toEqual(['films 1', 'books 1', 'books 2'])
    const { json } = await federated(queries(0))
    expect(json.hits.at(-1)._federation).toEqual({ indexUid: 'films', queriesPosition: 1, weightedRankingScore: 0 })
  })

  test('a document of two queries is there once, where it stands best', async () => {
    const { json } = await federated([
      { indexUid: 'books', q: 'messiah', attributesToRetrieve: ['id'] },
      { indexUid: 'books', q: 'dune messiah', attributesToRetrieve: ['title'] },
    ])
    const [hit, second] = json.hits
    expect([hit.title, hit._federation.queriesPosition]).toEqual(['Dune Messiah', 1])
    expect(second._federation.queriesPosition).toBe(1)
    expect(json.estimatedTotalHits).toBe(2)
  })

  test('of two like queries the first one has all hits', async () => {
    const { json } = await federated([{ indexUid: 'books' }, { indexUid: 'books' }])
    expect(json.hits.map(({ _federation }: { _federation: object }) => _federation)).toEqual(
      Array(3).fill({ indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1 }),
    )
    expect(json.estimatedTotalHits).toBe(3)
  })

  test('documents of different indexes are different, whatever their ids', async () => {
    expect(
      await found([
        { indexUid: 'books', q: 'dune' },
        { indexUid: 'films', q: 'dune' },
      ]),
    ).toEqual(['books 1', 'films 1', 'books 2'])
  })

  test('hits without words come after all others, with a score of one', async () => {
    const { json } = await federated([
      { indexUid: 'books' },
      { indexUid: 'films', q: 'solaris', federationOptions: { weight: 0.01 } },
    ])
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([7, 1, 2, 3])
    expect(json.hits[1]._federation.weightedRankingScore).toBe(1)
  })

  test('values of different attributes are compared: numbers, texts, none', async () => {
    const queries = [
      { indexUid: 'books', sort: ['price:asc'] },
      { indexUid: 'films', sort: ['stars:asc'] },
    ]
    expect(await found(queries)).toEqual(['films 1', 'books 1', 'books 2', 'films 7', 'books 3'])
  })

  test('lists sorted by distance are read as a whole, the farther one first', async () => {
    const sort = ['_geoPoint(0, 0):asc']
    const ids = await found(
      [
        { indexUid: 'books', filter: 'id != 3', sort },
        { indexUid: 'films', sort },
      ].map((query) => ({ ...query, filter: 'year > 1900' })),
    )
    expect(ids).toEqual(['films 1', 'films 7', 'books 1', 'books 2'])
  })

  test('each query is formatted as it says', async () => {
    const { json } = await federated([
      { indexUid: 'books', q: 'dune', attributesToHighlight: ['title'], attributesToRetrieve: ['title'] },
      { indexUid: 'films', q: 'dune', showMatchesPosition: true, showRankingScoreDetails: true },
    ])
    expect(Object.keys(json.hits[0])).toEqual(['title', '_federation', '_formatted'])
    expect(Object.keys(json.hits[1]).slice(-3)).toEqual(['_federation', '_matchesPosition', '_rankingScoreDetails'])
  })
})

describe('pages', () => {
  test.each<[object, number, object]>([
    [{ offset: 1, limit: 2 }, 2, { limit: 2, offset: 1, estimatedTotalHits: 5 }],
    [{ page: 2, hitsPerPage: 2 }, 2, { hitsPerPage: 2, page: 2, totalPages: 3, totalHits: 5 }],
    [{ page: 0 }, 0, { hitsPerPage: 20, page: 0, totalPages: 1, totalHits: 5 }],
    [{ hitsPerPage: 0 }, 0, { hitsPerPage: 0, page: 1, totalPages: 0, totalHits: 5 }],
    [{ limit: 1, hitsPerPage: 2 }, 2, { hitsPerPage: 2, page: 1, totalPages: 3, totalHits: 5 }],
    [{ offset: 9 }, 0, { limit: 20, offset: 9, estimatedTotalHits: 5 }],
  ])('%j has %i hits', async (paging, count, totals) => {
    const { json } = await federated([{ indexUid: 'books' }, { indexUid: 'films' }], paging)
    const { hits, processingTimeMs, requestUid, ...rest } = json
    expect([hits.length, rest]).toEqual([count, totals])
  })

  test('nothing beyond maxTotalHits of an index is shown, but it is counted', async () => {
    await server.done('PATCH', '/indexes/books/settings', { body: { pagination: { maxTotalHits: 1 } } })
    const { json } = await federated([{ indexUid: 'books' }, { indexUid: 'books', q: 'emma' }, { indexUid: 'films' }])
    await server.done('DELETE', '/indexes/books/settings/pagination')
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([3, 1, 7])
    expect(json.estimatedTotalHits).toBe(5)
  })
})

describe('facets', () => {
  const both = [{ indexUid: 'films' }, { indexUid: 'books' }]

  test('are told by index, with the settings of each', async () => {
    const { json } = await federated(both, { facetsByIndex: { books: ['year'], films: ['color'], plain: null } })
    expect(json.facetsByIndex).toEqual({
      books: { distribution: { year: { 1815: 1, 1965: 1, 1969: 1 } }, stats: { year: { min: 1815, max: 1969 } } },
      films: { distribution: { color: { red: 2 } }, stats: {} },
    })
    expect(json).not.toHaveProperty('facetDistribution')
  })

  test('count a document of two queries once', async () => {
    const { json } = await federated([{ indexUid: 'books', q: 'dune' }, { indexUid: 'books', q: 'emma' }, both[1]!], {
      facetsByIndex: { books: ['color'] },
    })
    expect(json.facetsByIndex.books.distribution).toEqual({ color: { Red: 1, blue: 1, green: 1 } })
  })

  test('are empty for an empty list, and absent for null', async () => {
    const { json } = await federated(both, { facetsByIndex: { books: [], films: null } })
    expect(json.facetsByIndex).toEqual({ books: { distribution: {}, stats: {} } })
    const none = await federated(both, { facetsByIndex: { books: null } })
    expect(none.json).not.toHaveProperty('facetsByIndex')
  })

  test('of all attributes of an index without any are none', async () => {
    const { json } = await federated([{ indexUid: 'plain' }], { facetsByIndex: { plain: ['*'] } })
    expect(json.facetsByIndex).toEqual({ plain: { distribution: {}, stats: {} } })
  })

  test('are added up where they are merged', async () => {
    const federation = { facetsByIndex: { books: ['year', 'tags'], films: ['year', 'tags'] }, mergeFacets: {} }
    const { json } = await federated(both, federation)
    expect(json.facetDistribution).toEqual({
      tags: { desert: 1, love: 1, sand: 2, village: 1 },
      year: { 1815: 1, 1965: 1, 1969: 1, 1972: 1, 1984: 1 },
    })
    expect(json.facetStats).toEqual({ year: { min: 1815, max: 1984 } })
    expect(json).not.toHaveProperty('facetsByIndex')
    const cut = await federated(both, { ...federation, mergeFacets: { maxValuesPerFacet: 2 } })
    expect(cut.json.facetDistribution).toEqual({ tags: { desert: 1, love: 1 }, year: { 1815: 1, 1965: 1 } })
    const none = await federated(both, { mergeFacets: {} })
    expect(none.json).not.toHaveProperty('facetDistribution')
  })

  test('must be ordered alike by all indexes to be merged', async () => {
    const facetsByIndex = { books: ['color'], films: ['color'] }
    const [status, code, message] = await refusal(both, { facetsByIndex, mergeFacets: {} })
    expect([status, code]).toEqual([400, 'invalid_multi_search_facet_order'])
    for (const fact of ['`.queries[0]`', '"color"', '`books`', '`films`', '`alpha`', '`count`']) {
      expect(message).toContain(fact)
    }
    expect((await federated(both, { facetsByIndex })).status).toBe(200)
    expect((await refusal([both[0]!], { facetsByIndex, mergeFacets: {} }))[1]).toBe('invalid_multi_search_facet_order')
  })

  test.each<[string, object, string, string]>([
    ['an attribute that is not filterable', { books: ['title'] }, 'invalid_search_facets', '`books`'],
    ['one of an index that nobody searches', { plain: ['title'] }, 'invalid_search_facets', 'no query'],
    ['an index that does not exist', { missing: [] }, 'index_not_found', 'no query'],
    ['an index that does not exist, without facets', { missing: null }, 'index_not_found', 'no query'],
  ])('%s is refused', async (_name, facetsByIndex, code, fact) => {
    const refused = await refusal(both, { facetsByIndex })
    expect(refused).toEqual([400, code, expect.stringContaining(fact)])
  })

  test('of an index that nobody searches are not shown', async () => {
    const { json } = await federated([both[0]!], { facetsByIndex: { books: ['year'] } })
    expect(json).not.toHaveProperty('facetsByIndex')
  })
})

describe('distinct', () => {
  const both = [{ indexUid: 'books' }, { indexUid: 'films' }]

  test('leaves one hit for each value, over all indexes, and counts less', async () => {
    const { json } = await federated(both, {
      distinct: 'tags',
      facetsByIndex: { books: ['tags'], films: ['tags', 'year'] },
    })
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 7])
    expect(json.estimatedTotalHits).toBe(4)
    expect(json.facetsByIndex).toEqual({
      books: { distribution: { tags: { love: 1, sand: 1, village: 1 } }, stats: {} },
      films: { distribution: { tags: {}, year: { 1972: 1 } }, stats: { year: { min: 1972, max: 1984 } } },
    })
  })

  test('works on attributes that hits do not show, and beyond the page', async () => {
    const queries = both.map((query) => ({ ...query, attributesToRetrieve: ['id'] }))
    const { json } = await federated(queries, {
      distinct: 'color',
      limit: 1,
      offset: 0,
      facetsByIndex: { books: ['tags'], films: ['tags'] },
      mergeFacets: {},
    })
    expect(json.hits).toHaveLength(1)
    expect(json.hits[0]).not.toHaveProperty('color')
    // Of `films` the query itself has dropped one of two, the merge the other one.
    expect(json.estimatedTotalHits).toBe(3)
    expect(json.facetDistribution).toEqual({ tags: { love: 1, sand: 1, village: 1 } })
  })

  test('merges spellings of a value one by one', async () => {
    await server.done('DELETE', '/indexes/films/settings/faceting')
    const { json } = await federated([both[0]!, { indexUid: 'films', q: 'dune' }], {
      distinct: 'tags',
      facetsByIndex: { books: ['color'], films: ['color'] },
      mergeFacets: {},
    })
    expect(json.facetDistribution).toEqual({ color: { blue: 1, green: 1, red: 1 } })
  })

  test('facets that nobody named are corrected only where the hit shows them', async () => {
    const counts = async (attributesToRetrieve: string[]) => {
      const queries = [both[0]!, { indexUid: 'films', attributesToRetrieve }]
      const { json } = await federated(queries, { distinct: 'tags', facetsByIndex: { films: ['*'] } })
      return json.facetsByIndex.films.distribution.year
    }
    expect(await counts(['year'])).toEqual({ 1972: 1 })
    expect(await counts(['id'])).toEqual({ 1972: 1, 1984: 1 })
  })

  test('of queries of one index is taken together', async () => {
    const { json } = await federated(
      [
        { indexUid: 'films', q: 'dune' },
        { indexUid: 'films', q: 'solaris' },
      ],
      {
        distinct: 'color',
        facetsByIndex: { films: ['year'] },
      },
    )
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([1])
    expect(json.estimatedTotalHits).toBe(1)
    expect(json.facetsByIndex.films).toEqual({
      distribution: { year: { 1984: 1 } },
      stats: { year: { min: 1984, max: 1984 } },
    })
  })

  test('of one query concerns that query', async () => {
    const queries = [
      { indexUid: 'films', distinct: 'color' },
      { indexUid: 'books', q: 'dune' },
    ]
    expect(await found(queries)).toEqual(['books 1', 'books 2', 'films 1'])
  })

  test('must be filterable in every index that is searched', async () => {
    const [status, code, message] = await refusal([{ indexUid: 'books' }, { indexUid: 'plain' }], { distinct: 'color' })
    expect([status, code]).toEqual([400, 'invalid_search_distinct'])
    expect(message).toContain('`.queries[1]`')
    expect(message).toContain('`plain`')
  })
})

describe('refusals', () => {
  test('come index by index in the order of their uids', async () => {
    const refused = await refusal([{ indexUid: 'zz' }, { indexUid: 'aa' }])
    expect(refused).toEqual([400, 'index_not_found', expect.stringContaining('`.queries[1]`')])
  })

  test('name both queries that cannot be merged', async () => {
    const queries = [
      { indexUid: 'books', sort: ['year:asc'] },
      { indexUid: 'films', sort: ['year:desc'] },
    ]
    const [status, code, message] = await refusal(queries)
    expect([status, code]).toEqual([400, 'invalid_multi_search_query_ranking_rules'])
    for (const fact of ['`.queries[0]`', '`.queries[1]`', '`year:asc`', '`year:desc`']) expect(message).toContain(fact)
  })

  test('a query that cannot be run is named', async () => {
    const refused = await refusal([{ indexUid: 'books', sort: ['title:asc'] }])
    expect(refused).toEqual([400, 'invalid_search_sort', expect.stringContaining('`.queries[0]`')])
  })

  test.each<[object, string]>([
    [{ foo: 1 }, 'bad_request'],
    [{ limit: -1 }, 'invalid_search_limit'],
    [{ showPerformanceDetails: 'true' }, 'invalid_search_show_performance_details'],
    [{ mergeFacets: { x: 1 } }, 'invalid_multi_search_merge_facets'],
    [{ mergeFacets: { maxValuesPerFacet: -1 } }, 'invalid_multi_search_max_values_per_facet'],
    [{ facetsByIndex: { 'a b': [] } }, 'invalid_multi_search_facets_by_index'],
    [{ personalize: { userContext: 'x' } }, 'feature_not_enabled'],
  ])('%j is %s', async (federation, code) => {
    expect((await refusal([{ indexUid: 'books' }], federation)).slice(0, 2)).toEqual([400, code])
  })

  test.each([{ weight: -12 }, { weight: null }, { weight: '1' }])('%j is no weight', async (federationOptions) => {
    const [status, code] = await refusal([{ indexUid: 'books', federationOptions }])
    expect([status, code]).toEqual([400, 'invalid_multi_search_weight'])
  })
})

describe('keys', () => {
  test('an index that a key may not search is as good as absent among facets', async () => {
    const { json } = await server.send('POST', '/keys', {
      body: { actions: ['search'], indexes: ['books'], expiresAt: null },
    })
    const body = { queries: [{ indexUid: 'books' }], federation: { facetsByIndex: { films: [] } } }
    const refused = await server.send('POST', '/multi-search', { body, key: json.key })
    expect([refused.status, refused.json.code]).toEqual([400, 'index_not_found'])
  })
})

describe('documents that rules pin', () => {
  const pin = (uid: string, id: string, position: number) =>
    server.send('PATCH', `/dynamic-search-rules/${uid}`, {
      body: { actions: [{ selector: { indexUid: 'films', id }, action: { type: 'pin', position } }] },
    })

  beforeAll(async () => {
    await server.context.features.change({ dynamicSearchRules: true })
    await pin('second', '7', 1)
    return () => server.context.features.change({ dynamicSearchRules: false })
  })

  test('have their place in the merged list', async () => {
    const queries = [
      { indexUid: 'books', q: 'dune' },
      { indexUid: 'films', q: 'dune', showRankingScore: true, showRankingScoreDetails: true },
    ]
    const { json } = await federated(queries, { facetsByIndex: { films: ['year'] } })
    expect(json.hits.map(({ title }: { title: string }) => title)).toEqual(['Dune', 'Solaris', 'Dune', 'Dune Messiah'])
    expect(json.hits[1]).toMatchObject({
      _federation: { indexUid: 'films', queriesPosition: 1, weightedRankingScore: 1 },
      _rankingScore: 1,
      _rankingScoreDetails: { pin: { order: 0, position: 1 } },
    })
    expect(json.estimatedTotalHits).toBe(4)
    expect(json.facetsByIndex.films.distribution).toEqual({ year: { 1972: 1, 1984: 1 } })
  })

  test('are cut with the page', async () => {
    const queries = [
      { indexUid: 'books', q: 'dune' },
      { indexUid: 'films', q: 'dune' },
    ]
    expect(await found(queries, { offset: 1, limit: 1 })).toEqual(['films 7'])
    expect(await found(queries, { offset: 2, limit: 1 })).toEqual(['films 1'])
  })

  test('come with each query of their index, and count once', async () => {
    const { json } = await federated([{ indexUid: 'films' }, { indexUid: 'films', q: 'dune' }])
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([1, 7, 7])
    expect(json.estimatedTotalHits).toBe(2)
  })

  test('take no part in distinct', async () => {
    const queries = [
      { indexUid: 'books', q: 'dune' },
      { indexUid: 'films', q: 'dune' },
    ]
    expect(await found(queries, { distinct: 'color' })).toEqual(['books 1', 'films 7', 'books 2'])
  })
})

describe('vectors', () => {
  beforeAll(async () => {
    for (const [uid, dimensions] of [
      ['near', 2],
      ['far', 3],
    ] as const) {
      const embedders = { own: { source: 'userProvided', dimensions } }
      await server.done('PATCH', `/indexes/${uid}/settings`, { body: { embedders } })
    }
    await server.add('near', [
      { id: 1, title: 'kitten', _vectors: { own: [1, 0] } },
      { id: 2, title: 'puppy', _vectors: { own: [0, 1] } },
    ])
    await server.add('far', [{ id: 3, title: 'cat', _vectors: { own: [0.5, 0.5, 0] } }])
  })

  const semantic = (indexUid: string, vector: number[], more: object = {}) => ({
    indexUid,
    vector,
    hybrid: { embedder: 'own', semanticRatio: 1 },
    ...more,
  })

  test('of several embedders are merged by similarity', async () => {
    const queries = [semantic('near', [1, 0]), semantic('far', [1, 0, 0], { retrieveVectors: true })]
    const { json } = await federated(queries, { limit: 2 })
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([1, 3])
    expect(json).toMatchObject({ semanticHitCount: 2 })
    // Only the second query asks for them.
    expect(json.queryVectors).toEqual({ 1: [1, 0, 0] })
    expect(Object.keys(json)).toEqual([
      'hits',
      'queryVectors',
      'processingTimeMs',
      'limit',
      'offset',
      'estimatedTotalHits',
      'requestUid',
      'semanticHitCount',
    ])
  })

  test('are counted only where a hit was found by them', async () => {
    const { json } = await federated([semantic('near', [1, 0]), { indexUid: 'far', q: 'cat' }])
    expect([json.hits.length, json.semanticHitCount]).toEqual([3, 2])
    expect(json).not.toHaveProperty('queryVectors')
    const words = await federated([{ indexUid: 'far', q: 'cat', retrieveVectors: true }])
    expect(words.json).not.toHaveProperty('semanticHitCount')
    expect(words.json.queryVectors).toEqual({})
  })

  test('belong to an embedder of the index, or the query is named', async () => {
    const [status, code, message] = await refusal([
      { indexUid: 'far' },
      { ...semantic('near', [1, 0]), hybrid: { embedder: 'other' } },
    ])
    expect([status, code]).toEqual([400, 'invalid_search_embedder'])
    expect(message).toContain('`.queries[1]`')
  })
})
