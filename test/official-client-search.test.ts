import { Meilisearch, MeilisearchApiError } from 'meilisearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './server.js'

const masterKey = 'a-master-key-of-enough-bytes'
let server: TestServer
let client: Meilisearch

const books = [
  { id: 1, title: 'Emma', year: 1815, tags: ['love'] },
  { id: 2, title: 'Ulysses', year: 1922, tags: [] },
  { id: 3, title: 'Beloved', year: 1987, tags: ['love', 'ghosts'] },
]

beforeAll(async () => {
  server = await TestServer.start({ masterKey })
  client = new Meilisearch({
    host: server.url,
    apiKey: masterKey,
    defaultWaitOptions: { interval: 10, timeout: 20_000 },
  })
  const settings = { filterableAttributes: ['tags', 'year'], sortableAttributes: ['year'] }
  await client.index('books').updateSettings(settings).waitTask()
  await client.index('books').addDocuments(books).waitTask()
})

afterAll(() => server.close())

/** The code of the error that the client reports. */
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.catch((reason: unknown) => reason)
  return error instanceof MeilisearchApiError ? error.cause?.code : undefined
}

test('searches find, filter, sort, count and mark, by POST and by GET', async () => {
  const index = client.index('books')
  const found = await index.search('belovd by', { attributesToHighlight: ['title'], showRankingScore: true })
  expect(found).toMatchObject({ query: 'belovd by', limit: 20, offset: 0, estimatedTotalHits: 1 })
  expect(found.hits[0]).toMatchObject({ id: 3, _formatted: { title: '<em>Beloved</em>' } })
  expect(found.hits[0]!._rankingScore).toBeLessThan(1)

  const options = { filter: ['tags = love', ['year > 1900', 'year = 1815']], sort: ['year:desc'], facets: ['tags'] }
  const sorted = await index.search('', options)
  expect(sorted.hits.map(({ id }) => id)).toEqual([3, 1])
  expect(sorted.facetDistribution).toEqual({ tags: { ghosts: 1, love: 2 } })
  const got = await index.searchGet('', { ...options, filter: 'tags = love', attributesToRetrieve: ['id'] })
  expect(got.hits).toEqual([{ id: 3 }, { id: 1 }])

  const page = await index.search('', { page: 2, hitsPerPage: 2 })
  expect([page.totalHits, page.totalPages, page.hits.length]).toEqual([3, 2, 1])
})

test('several searches are one request, facets are searched by themselves', async () => {
  const { results } = await client.multiSearch({
    queries: [
      { indexUid: 'books', q: 'emma' },
      { indexUid: 'books', filter: 'year = 1922' },
    ],
  })
  expect(results.map(({ indexUid, hits }) => [indexUid, hits.map(({ id }) => id)])).toEqual([
    ['books', [1]],
    ['books', [2]],
  ])
  const { facetHits } = await client.index('books').searchForFacetValues({ facetName: 'tags', facetQuery: 'gho' })
  expect(facetHits).toEqual([{ value: 'ghosts', count: 1 }])
})

test('refusals reach the client with their codes', async () => {
  expect(await codeOf(client.index('missing').search(''))).toBe('index_not_found')
  expect(await codeOf(client.index('books').search('', { sort: ['title:asc'] }))).toBe('invalid_search_sort')
  expect(await codeOf(client.multiSearch({ queries: [{ indexUid: 'missing' }] }))).toBe('index_not_found')
})

test('an index that is deleted, swapped or made again is never confused with another', async () => {
  await client
    .index('a')
    .addDocuments([{ id: 'first' }])
    .waitTask()
  await client
    .index('b')
    .addDocuments([{ id: 'second' }])
    .waitTask()
  const idsOf = async (uid: string) => (await client.index(uid).search('')).hits.map(({ id }) => id)
  expect([await idsOf('a'), await idsOf('b')]).toEqual([['first'], ['second']])
  await client.swapIndexes([{ indexes: ['a', 'b'], rename: false }]).waitTask()
  expect([await idsOf('a'), await idsOf('b')]).toEqual([['second'], ['first']])
  await client.deleteIndex('a').waitTask()
  expect(await codeOf(client.index('a').search(''))).toBe('index_not_found')
  await client
    .index('a')
    .addDocuments([{ id: 'third' }])
    .waitTask()
  expect(await idsOf('a')).toEqual(['third'])
})
