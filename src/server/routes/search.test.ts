import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { SearchQueue } from '../../searching/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

const SHOP = [
  { id: 1, title: 'Red lamp', kind: 'light', price: 10, pets: [{ name: 'bo', age: 2 }], _geo: { lat: 0, lng: 0 } },
  { id: 2, title: 'Blue lamp', kind: 'light', price: 20 },
  { id: 3, title: 'Garden chair', kind: 'outdoor', price: 30, _geo: { lat: 0, lng: 1 } },
  { id: 4, title: 'Garden lamp', kind: 'outdoor', price: 5 },
  { id: 5, title: 'Table', kind: 'inside' },
]

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/shop/settings', {
    body: { filterableAttributes: ['kind', 'price', 'pets'], sortableAttributes: ['price', '_geo'] },
  })
  await server.add('shop', SHOP)
  await server.done('PATCH', '/indexes/hidden/settings', {
    body: { displayedAttributes: ['id'], sortableAttributes: ['price'], searchableAttributes: ['title', 'secret'] },
  })
  await server.add('hidden', [{ id: 1, title: 'a', price: 5, secret: 'b' }])
})

type Headers = Record<string, string>

/** The answer without what differs from run to run. */
async function search(body: object, index = 'shop', headers: Headers = {}) {
  const { status, json } = await server.send('POST', `/indexes/${index}/search`, { body, headers })
  if (status !== 200) return json.code
  const { requestUid, processingTimeMs, ...rest } = json
  expect(requestUid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.isInteger(processingTimeMs)).toBe(true)
  return rest
}
const hits = async (body: object, index = 'shop') => (await search(body, index)).hits
const ids = async (body: object, index = 'shop') => (await hits(body, index)).map(({ id }: { id: number }) => id)
const codeOf = (body: object | string, index = 'shop') =>
  server.codeOf('POST', `/indexes/${index}/search`, { body, headers: { 'content-type': 'application/json' } })
const getCode = (query: string, index = 'shop') => server.codeOf('GET', `/indexes/${index}/search?${query}`)

describe('an answer', () => {
  test('of a search for nothing has all documents, by their order', async () => {
    expect(await search({})).toEqual({ hits: SHOP, query: '', limit: 20, offset: 0, estimatedTotalHits: 5 })
  })

  test('has its members in the order of the interface', async () => {
    const { text } = await server.send('POST', '/indexes/shop/search', {
      body: { q: 'lamp', facets: ['kind'], showPerformanceDetails: true, limit: 1 },
      headers: { 'Meili-Include-Metadata': 'true' },
    })
    expect(Object.keys(JSON.parse(text))).toEqual([
      'hits',
      'query',
      'processingTimeMs',
      'limit',
      'offset',
      'estimatedTotalHits',
      'facetDistribution',
      'facetStats',
      'requestUid',
      'metadata',
      'performanceDetails',
    ])
  })

  test('to GET is the one to POST', async () => {
    const body = { q: 'lamp', filter: ['price > 5'], sort: ['price:desc'], attributesToRetrieve: ['id'], limit: 1 }
    const query = 'q=lamp&filter=["price > 5"]&sort=price:desc&attributesToRetrieve=id&limit=1'
    const { json } = await server.send('GET', `/indexes/shop/search?${encodeURI(query)}`)
    const { requestUid, processingTimeMs, ...rest } = json
    expect(rest).toEqual(await search(body))
    expect(rest.hits).toEqual([{ id: 2 }])
  })

  test('by a filter that comes again knows what was written meanwhile', async () => {
    const cheap = { filter: 'price < 10', attributesToRetrieve: ['id'] }
    await server.done('PATCH', '/indexes/stock/settings', { body: { filterableAttributes: ['price'] } })
    await server.add('stock', [
      { id: 1, name: 'lamp', price: 5 },
      { id: 2, name: 'chair', price: 50 },
    ])
    expect(await ids(cheap, 'stock')).toEqual([1])
    expect(await ids({ ...cheap, q: 'chair' }, 'stock')).toEqual([])
    await server.add('stock', [{ id: 2, name: 'chair', price: 8 }])
    expect(await ids({ ...cheap, q: 'chair' }, 'stock')).toEqual([2])
    expect(await ids({ filter: 'price > 10' }, 'stock')).toEqual([])
  })

  test('tells scores and their details', async () => {
    const [hit] = await hits({ q: 'red lamp', showRankingScore: true, showRankingScoreDetails: true, limit: 1 })
    const { _rankingScore, _rankingScoreDetails, ...document } = hit
    expect(document).toEqual(SHOP[0])
    expect(_rankingScore).toBe(1)
    expect(Object.keys(_rankingScoreDetails)).toEqual([
      'words',
      'typo',
      'proximity',
      'attributeRank',
      'wordPosition',
      'exactness',
    ])
    expect(_rankingScoreDetails.exactness).toEqual({ order: 5, matchType: 'exactMatch', score: 1 })
  })

  test('without text and order has no details and the full score', async () => {
    const [hit] = await hits({ showRankingScore: true, showRankingScoreDetails: true, attributesToRetrieve: [] })
    expect(hit).toEqual({ _rankingScore: 1, _rankingScoreDetails: {} })
  })

  test('tells what the sort went by, unless it is hidden', async () => {
    const details = async (index: string) =>
      (await hits({ sort: ['price:asc'], showRankingScoreDetails: true, limit: 1 }, index))[0]._rankingScoreDetails
    expect(await details('shop')).toEqual({ 'price:asc': { order: 0, value: 5 } })
    expect(await details('hidden')).toEqual({ '<hidden-rule-0>': { order: 0, value: '<hidden>' } })
  })

  test('marks what was found', async () => {
    const [hit] = await hits({
      q: 'lam',
      attributesToHighlight: ['title'],
      showMatchesPosition: true,
      attributesToRetrieve: ['id'],
      limit: 1,
    })
    expect(hit).toEqual({
      id: 1,
      _formatted: { id: '1', title: 'Red <em>lam</em>p' },
      _matchesPosition: { title: [{ start: 4, length: 3 }] },
    })
  })

  test('tells distances, for documents that show where they are', async () => {
    const sort = ['_geoPoint(0,0):desc']
    const found = await hits({ sort, attributesToRetrieve: ['id', '_geo'] })
    expect(found).toEqual([
      { id: 3, _geo: { lat: 0, lng: 1 }, _geoDistance: 111195 },
      { id: 1, _geo: { lat: 0, lng: 0 }, _geoDistance: 0 },
      { id: 2 },
      { id: 4 },
      { id: 5 },
    ])
    expect((await hits({ sort, attributesToRetrieve: ['id'] }))[0]).toEqual({ id: 3 })
    const details = (await hits({ sort, showRankingScoreDetails: true, limit: 1 }))[0]._rankingScoreDetails
    expect(details).toEqual({
      '_geoPoint(0, 0):desc': { order: 0, value: { lat: 0, lng: 1 }, distance: expect.closeTo(111194.927, 2) },
    })
  })

  test('counts facets', async () => {
    const { facetDistribution, facetStats } = await search({ q: 'lamp', facets: ['kind', 'price'], limit: 0 })
    expect(facetDistribution).toEqual({ kind: { light: 2, outdoor: 1 }, price: { 10: 1, 20: 1, 5: 1 } })
    expect(facetStats).toEqual({ price: { min: 5, max: 20 } })
    expect(await search({ facets: [], limit: 0 })).not.toHaveProperty('facetDistribution')
    expect((await search({ facets: ['*'], limit: 0 }, 'hidden')).facetDistribution).toEqual({})
  })

  test('shows attributes that are both displayed and asked for', async () => {
    expect(await hits({ attributesToRetrieve: ['pets.name'], limit: 1 })).toEqual([{ pets: [{ name: 'bo' }] }])
    expect(await hits({ attributesToRetrieve: ['title'] }, 'hidden')).toEqual([{}])
    expect(await hits({ attributesToRetrieve: ['*'] }, 'hidden')).toEqual([{ id: 1 }])
  })

  test('shows the vectors of documents only when asked to', async () => {
    await server.add('vectors', [{ id: 1, _vectors: { a: [1, 2] } }, { id: 2 }])
    expect(await hits({}, 'vectors')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await hits({ retrieveVectors: true, attributesToRetrieve: ['id'] }, 'vectors')).toEqual([
      { id: 1, _vectors: { a: [1, 2] } },
      { id: 2, _vectors: {} },
    ])
  })

  test('tells its stages', async () => {
    const { performanceDetails } = await search({ q: 'lamp', filter: 'price > 1', showPerformanceDetails: true })
    expect(Object.keys(performanceDetails)).toEqual([
      'wait in queue',
      'search > execute local search > evaluate filter',
      'search > execute local search > tokenize query',
      'search > execute local search > evaluate query',
      'search > execute local search > keyword ranking',
      'search > execute local search > format',
      'search > execute local search',
      'search',
    ])
    for (const duration of Object.values(performanceDetails)) expect(duration).toMatch(/^\d+\.\d\d(µs|ms|s)$/)
  })

  test('tells no stages of a ranking that is remembered', async () => {
    const body = { q: 'lamp', showPerformanceDetails: true, limit: 7 }
    // It is kept from the second time on.
    const again = [await search(body), await search(body), await search(body)].map(({ performanceDetails }) =>
      Object.keys(performanceDetails),
    )
    expect(again[1]).toContain('search > execute local search > tokenize query')
    expect(again[2]).not.toContain('search > execute local search > tokenize query')
    expect(again[2]).toContain('search > execute local search > keyword ranking')
  })

  test('tells its stages without those around them to the previous pipeline', async () => {
    await server.context.features.change({ legacySearch: true })
    const body = { q: 'lamp', filter: 'price > 1', facets: ['kind'], showPerformanceDetails: true, limit: 3 }
    const { performanceDetails } = await search(body)
    await server.context.features.change({ legacySearch: false })
    expect(Object.keys(performanceDetails)).toEqual([
      'wait in queue',
      'search > evaluate filter',
      'search > tokenize query',
      'search > evaluate query',
      'search > keyword ranking',
      'search > format',
      'search > merge facets',
      'search',
    ])
  })
})

describe('pages', () => {
  test.each([
    [{ limit: 2 }, [1, 2], { limit: 2, offset: 0, estimatedTotalHits: 5 }],
    [{ limit: 2, offset: 4 }, [5], { limit: 2, offset: 4, estimatedTotalHits: 5 }],
    [{ offset: 100 }, [], { limit: 20, offset: 100, estimatedTotalHits: 5 }],
    [{ limit: 0 }, [], { limit: 0, offset: 0, estimatedTotalHits: 5 }],
    [{ page: 0 }, [], { hitsPerPage: 20, page: 0, totalPages: 1, totalHits: 5 }],
    [{ hitsPerPage: 0 }, [], { hitsPerPage: 0, page: 1, totalPages: 0, totalHits: 5 }],
    [{ hitsPerPage: 2, page: 3 }, [5], { hitsPerPage: 2, page: 3, totalPages: 3, totalHits: 5 }],
    [{ hitsPerPage: 2, page: 9 }, [], { hitsPerPage: 2, page: 9, totalPages: 3, totalHits: 5 }],
    [{ hitsPerPage: 1, limit: 3, offset: 2 }, [1], { hitsPerPage: 1, page: 1, totalPages: 5, totalHits: 5 }],
    [{ page: 1, hitsPerPage: null }, [1, 2, 3, 4, 5], { hitsPerPage: 20, page: 1, totalPages: 1, totalHits: 5 }],
  ])('%j', async (paging, found, totals) => {
    const { hits, ...rest } = await search({ ...paging, attributesToRetrieve: ['id'] })
    expect(hits.map(({ id }: { id: number }) => id)).toEqual(found)
    expect(rest).toEqual({ query: '', ...totals })
  })

  test('the largest numbers are echoed', async () => {
    const { text } = await server.send('POST', '/indexes/shop/search', {
      body: '{"offset":9007199254740991,"limit":9007199254740991}',
      headers: { 'content-type': 'application/json' },
    })
    expect(text).toContain('"limit":9007199254740991,"offset":9007199254740991,"estimatedTotalHits":5')
  })

  test('end where the settings say', async () => {
    await server.done('PATCH', '/indexes/short/settings', { body: { pagination: { maxTotalHits: 3 } } })
    await server.add('short', SHOP)
    expect(await ids({}, 'short')).toEqual([1, 2, 3])
    expect(await ids({ offset: 2, limit: 5 }, 'short')).toEqual([3])
    expect(await ids({ hitsPerPage: 2, page: 2 }, 'short')).toEqual([3])
    expect((await search({ offset: 3 }, 'short')).estimatedTotalHits).toBe(5)
  })
})

describe('refusals', () => {
  test.each<[object, string]>([
    [{ qq: 1 }, 'bad_request'],
    [{ limit: -1 }, 'invalid_search_limit'],
    [{ filter: 'price &' }, 'invalid_search_filter'],
    [{ filter: 'title = a' }, 'invalid_search_filter'],
    [{ filter: true }, 'invalid_search_filter'],
    [{ filter: 'kind CONTAINS a' }, 'feature_not_enabled'],
    [{ filter: '_foreign(kind, a = 1)' }, 'feature_not_enabled'],
    [{ useNetwork: false }, 'feature_not_enabled'],
    [{ vector: [1] }, 'missing_search_hybrid'],
    [{ media: 1 }, 'missing_search_hybrid'],
    [{ media: 1, vector: [1] }, 'invalid_search_media_and_vector'],
    [{ q: 'a', hybrid: { embedder: 'nope' } }, 'invalid_search_embedder'],
    [{ sort: ['title'] }, 'invalid_search_sort'],
    [{ sort: ['_geo:asc'] }, 'invalid_search_sort'],
    [{ sort: ['_geoPoint(200,0):asc'] }, 'invalid_search_sort'],
    [{ sort: ['title:asc'] }, 'invalid_search_sort'],
    [{ media: 1, hybrid: { embedder: 'e', semanticRatio: 0 } }, 'feature_not_enabled'],
    [{ distinct: 'title' }, 'invalid_search_distinct'],
    [{ facets: ['title'] }, 'invalid_search_facets'],
    [{ facets: ['pet*'] }, 'invalid_search_facets'],
    [{ personalize: { userContext: 'x' } }, 'feature_not_enabled'],
  ])('%j is %s', async (body, code) => {
    expect(await codeOf(body)).toBe(code)
  })

  test('22.4.11: a query string whose filter is null has one that is none', async () => {
    expect(await getCode('filter=null')).toBe('invalid_search_filter')
  })

  test('a hybrid search of words only, or for nothing, asks for no embedder', async () => {
    expect(await ids({ q: 'chair', hybrid: { embedder: 'nope', semanticRatio: 0 } })).toEqual([3])
    expect(await ids({ q: ' ', hybrid: { embedder: 'nope' } })).toEqual([1, 2, 3, 4, 5])
  })

  test('attributes to search on must be searchable where the settings name those', async () => {
    expect(await codeOf({ q: 'x', attributesToSearchOn: ['*', 'nope'] }, 'hidden')).toBe(
      'invalid_search_attributes_to_search_on',
    )
    expect(await codeOf({ q: 'x', attributesToSearchOn: ['no*'] }, 'hidden')).toBe(
      'invalid_search_attributes_to_search_on',
    )
    const { json } = await server.send('POST', '/indexes/hidden/search', {
      body: { attributesToSearchOn: ['nope'] },
    })
    expect(json.message).toBe(
      '`.attributesToSearchOn[0]`: the attribute "nope" of the index `hidden` is not searchable; searchable are `<hidden>`.',
    )
    expect(await ids({ q: 'a', attributesToSearchOn: ['ti*', '*cret', 'title'] }, 'hidden')).toEqual([1])
    expect(await ids({ q: 'lamp', attributesToSearchOn: ['nope'] })).toEqual([])
    expect(await ids({ q: 'lamp', attributesToSearchOn: [] })).toEqual([])
  })

  test('come in the order of the checks', async () => {
    expect(await codeOf({ limit: 'a' }, 'bad%20uid')).toBe('invalid_search_limit')
    expect(await codeOf({ filter: 'a &' }, 'bad%20uid')).toBe('invalid_index_uid')
    expect(await getCode('vector=1', 'bad%20uid')).toBe('invalid_index_uid')
    expect(await getCode('vector=1&filter=a%20&', 'missing')).toBe('missing_search_hybrid')
    expect(await codeOf({ filter: 'a &', useNetwork: true }, 'missing')).toBe('invalid_search_filter')
    expect(await codeOf({ useNetwork: true, vector: [1] }, 'missing')).toBe('feature_not_enabled')
    expect(await codeOf({ vector: [1] }, 'missing')).toBe('index_not_found')
    expect(await codeOf({ vector: [1], sort: ['x'] })).toBe('missing_search_hybrid')
    const media = { media: 1, hybrid: { embedder: 'e', semanticRatio: 0 } }
    expect(await codeOf({ ...media, sort: ['x'] })).toBe('invalid_search_sort')
    expect(await codeOf({ ...media, distinct: 'title' })).toBe('feature_not_enabled')
    expect(await codeOf({ distinct: 'title', filter: 'title = 1' })).toBe('invalid_search_distinct')
    expect(await codeOf({ filter: 'title = 1', sort: ['title:asc'] })).toBe('invalid_search_filter')
    expect(await codeOf({ sort: ['title:asc'], facets: ['title'] })).toBe('invalid_search_sort')
    expect(await codeOf({ facets: ['title'], personalize: { userContext: '' } })).toBe('invalid_search_facets')
  })

  test('a missing index is not found', async () => {
    const { status, json } = await server.send('POST', '/indexes/missing/search', { body: { q: 'x' } })
    expect([status, json.code]).toEqual([404, 'index_not_found'])
  })

  test('bodies are read before anything is searched', async () => {
    expect(await codeOf('')).toBe('missing_payload')
    expect(await codeOf(' ')).toBe('malformed_payload')
    const plain = { body: '{}', headers: { 'content-type': 'text/plain' } }
    expect(await server.codeOf('POST', '/indexes/shop/search', plain)).toBe('invalid_content_type')
    // Too long to be read on the server thread.
    expect(await codeOf({ q: 'x'.repeat(20_000), limit: 'a' })).toBe('invalid_search_limit')
    expect(await ids({ q: 'chair', filter: Array(2000).fill('price > 1') })).toEqual([3])
  })
})

describe('metadata', () => {
  test.each(['true', 'TRUE', '1'])('comes with the header %s', async (value) => {
    const { metadata } = await search({ q: 'lamp' }, 'shop', { 'Meili-Include-Metadata': value })
    expect(metadata).toEqual({ query: 'lamp', queryUid: expect.any(String), indexUid: 'shop', primaryKey: 'id' })
    expect(Object.keys(metadata)).toEqual(['query', 'queryUid', 'indexUid', 'primaryKey'])
  })

  test('does not come otherwise', async () => {
    expect(await search({}, 'shop', { 'Meili-Include-Metadata': 'yes' })).not.toHaveProperty('metadata')
    expect(await search({})).not.toHaveProperty('metadata')
  })

  test('tells what there is', async () => {
    await server.done('POST', '/indexes', { body: { uid: 'empty' } })
    const { metadata } = await search({}, 'empty', { 'Meili-Include-Metadata': '1' })
    expect(metadata).toEqual({ queryUid: expect.any(String), indexUid: 'empty' })
    expect((await search({ q: '' }, 'empty', { 'Meili-Include-Metadata': '1' })).metadata.query).toBe('')
  })
})

describe('with other features', () => {
  test('foreign keys lead to other documents', async () => {
    const books = [
      { id: 1, title: 'Dune', author: 'a1', more: ['a2', 'gone', 1.5, 'a1'], deep: [{ by: 'a2' }] },
      { id: 2, title: 'Emma', author: true },
    ]
    await server.send('PATCH', '/experimental-features', { body: { foreignKeys: true } })
    await server.done('PATCH', '/indexes/authors/settings', {
      body: { displayedAttributes: ['name'], filterableAttributes: ['name'] },
    })
    await server.add('authors', [
      { id: 'a1', name: 'Ann', age: 5 },
      { id: 'a2', name: 'Bob' },
    ])
    const foreignKeys = ['author', 'more', 'deep.by'].map((fieldName) => ({ foreignIndexUid: 'authors', fieldName }))
    await server.done('PATCH', '/indexes/books/settings', { body: { foreignKeys, filterableAttributes: ['author'] } })
    await server.add('books', books)
    const [first, second] = await hits({ q: '', attributesToHighlight: ['title', 'author'] }, 'books')
    const hydrated = {
      author: { name: 'Ann' },
      more: [{ name: 'Bob' }, {}, 1.5, 'a1'],
      deep: [{ by: { name: 'Bob' } }],
    }
    const { _formatted, ...document } = first
    expect(document).toEqual({ id: 1, title: 'Dune', ...hydrated })
    expect(_formatted).toEqual({ id: '1', title: 'Dune', ...hydrated, more: [{ name: 'Bob' }, {}, '1.5', 'a1'] })
    expect(second).toMatchObject(books[1]!)
    expect(await ids({ filter: '_foreign(author, name = Ann)' }, 'books')).toEqual([1])
    const { performanceDetails } = await search({ showPerformanceDetails: true }, 'books')
    expect(performanceDetails).toHaveProperty('search > hydrate documents')
    expect(await codeOf({ filter: '_foreign(author, age = 5)' }, 'books')).toBe('invalid_document_filter')
    expect(await codeOf({ filter: '_foreign(title, name = Ann)' }, 'books')).toBe('invalid_search_filter')
    // With this feature the index comes first.
    expect(await codeOf({ filter: 'a &' }, 'missing')).toBe('index_not_found')
    await server.done('DELETE', '/indexes/authors')
    expect(await codeOf({}, 'books')).toBe('index_not_found')
    expect(await codeOf({ filter: 'author = nobody' }, 'books')).toBe(200)
    await server.send('PATCH', '/experimental-features', { body: { foreignKeys: false } })
    expect(await hits({}, 'books')).toEqual(books)
  })

  test('the previous pipeline tells less', async () => {
    await server.send('PATCH', '/experimental-features', { body: { legacySearch: true } })
    const headers = { 'Meili-Include-Metadata': '1' }
    const answer = await search({ q: '', offset: 100, facets: [] }, 'short', headers)
    await server.send('PATCH', '/experimental-features', { body: { legacySearch: false } })
    expect(answer).toEqual({
      hits: [],
      query: '',
      limit: 20,
      offset: 3,
      estimatedTotalHits: 3,
      facetDistribution: {},
      facetStats: {},
      metadata: { queryUid: expect.any(String), indexUid: 'short', primaryKey: 'id' },
    })
  })
})

test('indexes that swap their names are found under the new ones', async () => {
  await server.add('left', [{ id: 'l' }])
  await server.add('right', [{ id: 'r' }])
  expect([await ids({}, 'left'), await ids({}, 'right')]).toEqual([['l'], ['r']])
  await server.done('POST', '/swap-indexes', { body: [{ indexes: ['left', 'right'] }] })
  expect([await ids({}, 'left'), await ids({}, 'right')]).toEqual([['r'], ['l']])
  expect(await codeOf({ sort: ['x:asc'] }, 'left')).toBe('invalid_search_sort')
})

test('an index that was deleted and made again is another one', async () => {
  await server.add('again', [{ id: 1 }])
  expect(await ids({}, 'again')).toEqual([1])
  await server.done('DELETE', '/indexes/again')
  expect(await codeOf({}, 'again')).toBe('index_not_found')
  await server.add('again', [{ id: 2 }])
  expect(await ids({}, 'again')).toEqual([2])
})

test('a search sees what was added before it', async () => {
  for (let id = 1; id <= 5; id++) {
    await server.add('growing', [{ id, title: `number${id}` }])
    expect(await ids({ q: `number${id}` }, 'growing')).toContain(id)
  }
})

describe('tenant tokens', () => {
  async function tokenFor(searchRules: unknown): Promise<string> {
    const { json } = await server.send('POST', '/keys', {
      body: { actions: ['search'], indexes: ['shop', 'hidden'], expiresAt: null },
    })
    const token = new SignJWT({ apiKeyUid: json.uid, searchRules }).setProtectedHeader({ alg: 'HS256' })
    return token.sign(Buffer.from(json.key))
  }

  test('narrow every search down', async () => {
    const key = await tokenFor({ shop: { filter: 'kind = light' } })
    const found = async (path: string, body: object) => (await server.send('POST', path, { body, key })).json
    const idsOf = ({ hits }: { hits: { id: number }[] }) => hits.map(({ id }) => id)
    expect(idsOf(await found('/indexes/shop/search', {}))).toEqual([1, 2])
    expect(idsOf(await found('/indexes/shop/search', { filter: 'price > 10' }))).toEqual([2])
    expect(idsOf(await found('/indexes/shop/search', { filter: [['price = 10', 'price = 30']] }))).toEqual([1])
    expect(await found('/indexes/shop/facet-search', { facetName: 'kind' })).toMatchObject({
      facetHits: [{ value: 'light', count: 2 }],
    })
    const queries = [{ indexUid: 'shop', filter: 'price > 10' }]
    expect(idsOf((await found('/multi-search', { queries })).results[0])).toEqual([2])
    expect((await found('/multi-search', { queries: [...queries, { indexUid: 'hidden' }] })).code).toBe(
      'invalid_api_key',
    )
    expect((await server.send('GET', '/indexes/shop/search?filter=price%3D10', { key })).json.hits).toEqual([SHOP[0]])
  })

  test('narrow the hits and the facets of federated searches down', async () => {
    const key = await tokenFor({ shop: { filter: 'kind = light' } })
    const queries = [{ indexUid: 'shop' }, { indexUid: 'shop', filter: 'kind = outdoor' }]
    const ask = (facetsByIndex: object) =>
      server.send('POST', '/multi-search', { body: { queries, federation: { facetsByIndex } }, key })
    const { json } = await ask({ shop: ['kind'] })
    expect(json.hits.map(({ id }: { id: number }) => id)).toEqual([1, 2])
    expect(json.facetsByIndex.shop.distribution).toEqual({ kind: { light: 2 } })
    // An index that the token does not open is one that is not there.
    const [closed, unknown] = await Promise.all(['hidden', 'nowhere'].map((uid) => ask({ [uid]: [] })))
    expect([closed!.status, closed!.json.code]).toEqual([unknown!.status, unknown!.json.code])
    expect(closed!.json.message).toBe(unknown!.json.message.replaceAll('nowhere', 'hidden'))
  })

  test('with a filter that is none make searches fail', async () => {
    const key = await tokenFor({ '*': { filter: 5 } })
    const { json } = await server.send('POST', '/indexes/shop/search', { body: {}, key })
    expect(json.code).toBe('invalid_search_filter')
  })
})

describe('when many search', () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 1, dropAfterMs: 60_000 })

  test('some wait, some are refused, and a bad request takes no place', async () => {
    const busy = await startIndexServer({ context: { searchQueue: queue } })
    await busy.add('shop', SHOP)
    const held = await queue.acquire()
    const first = busy.send('POST', '/indexes/shop/search', { body: {} })
    while (queue.waiting === 0) await new Promise(setImmediate)
    expect(await busy.codeOf('POST', '/indexes/shop/search', { body: { limit: 'x' } })).toBe('invalid_search_limit')
    expect(await busy.codeOf('GET', '/indexes/shop/search?limit=x')).toBe('invalid_search_limit')
    expect(await busy.codeOf('POST', '/multi-search', { body: {} })).toBe('bad_request')
    expect(queue.waiting).toBe(1)
    // The newcomer takes the place of whoever waits.
    const second = busy.send('POST', '/indexes/shop/facet-search', { body: { facetName: 'kind' } })
    const refused = await first
    expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([
      503,
      'too_many_search_requests',
      '10',
    ])
    if (held.ok) held.value.release()
    expect((await second).json.code).toBe('invalid_facet_search_facet_name')
    expect([queue.running, queue.waiting]).toEqual([0, 0])
    // With a place that is free it is taken, and given back.
    expect(await busy.codeOf('POST', '/indexes/shop/search', { body: { limit: 'x' } })).toBe('invalid_search_limit')
    expect(await busy.codeOf('POST', '/indexes/a%20b/search', { body: { limit: 'x' } })).toBe('invalid_search_limit')
    expect(await busy.codeOf('POST', '/indexes/a%20b/search', { body: {} })).toBe('invalid_index_uid')
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })
})

test('searches that time cut short are counted', async () => {
  const before = server.context.events.degradedSearches
  await server.done('PATCH', '/indexes/hasty/settings', { body: { searchCutoffMs: 0 } })
  await server.add('hasty', SHOP)
  const [hit] = await hits({ q: 'lamp', showRankingScoreDetails: true, showRankingScore: true, limit: 1 }, 'hasty')
  expect(hit).toMatchObject({ id: 1, _rankingScore: 0, _rankingScoreDetails: { skipped: { order: 0 } } })
  await server.send('POST', '/multi-search', {
    body: { queries: [{ indexUid: 'hasty', q: 'lamp' }, { indexUid: 'shop' }, { indexUid: 'hasty', q: 'lamp' }] },
  })
  expect(server.context.events.degradedSearches - before).toBe(3)
})
