import { Socket } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { DerivedValues } from '../../cache/index.js'
import { askerWith } from '../../searching/index.js'
import { authorize } from '../../state/index.js'
import type { IndexServer } from '../index-server.fixture.js'
import { runSearchCall } from '../search/answer-call.js'
import { MASTER_KEY } from '../test-server.fixture.js'
import { type ShardServers, startShardServers } from './shard-servers.fixture.js'

let network: ShardServers
let a: IndexServer

const COLORS = ['Red', 'green', 'Blue', 'yellow', 'PINK', 'grey']
const WORDS = ['sand', 'desert', 'storm', 'moon', 'winter', 'river', 'stone']
const pick = <T>(list: readonly T[], i: number): T => list[i % list.length]!

const BOOKS = Array.from({ length: 120 }, (_, i) => ({
  id: i,
  title: `${pick(WORDS, i)} ${pick(WORDS, i * 3 + 1)}`,
  color: pick(COLORS, i * i),
  tags: [pick(COLORS, i), `t${i % 17}`, i % 5],
  year: 1900 + ((i * 37) % 101),
  rank: i,
  series: i % 4 === 0 ? `series ${i % 9}` : null,
  _geo: { lat: (i * 7) % 60, lng: (i * 11) % 90 },
  _vectors: { mine: [Math.cos(i), Math.sin(i)] },
}))

const SETTINGS = {
  filterableAttributes: ['color', 'tags', 'year', 'series', 'id'],
  sortableAttributes: ['year', 'rank', 'title', '_geo'],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness', 'rank:asc'],
  faceting: { maxValuesPerFacet: 7, sortFacetValuesBy: { tags: 'count' } },
  embedders: { mine: { source: 'userProvided', dimensions: 2 } },
}

beforeAll(async () => {
  network = await startShardServers({ s1: 'ab', s2: 'bc', s3: 'ca' })
  a = network.servers.get('a')!
  await network.done('PATCH', '/indexes/books/settings', SETTINGS)
  await network.done('POST', '/indexes/books/documents', BOOKS)
  await network.done('PATCH', '/indexes/films/settings', { ...SETTINGS, distinctAttribute: 'group' })
  await network.done(
    'POST',
    '/indexes/films/documents',
    BOOKS.map((book) => ({ ...book, group: book.rank % 3 === 0 ? null : book.rank % 23 })),
  )
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

/** What one server with all documents would have said. */
function withoutTraces({ processingTimeMs: _time, requestUid: _uid, remoteErrors, ...rest }: Json): Json {
  expect(remoteErrors ?? {}).toEqual({})
  const { hits } = rest
  return hits === undefined ? rest : { ...rest, hits: hits.map(({ _federation, ...hit }: Json) => hit) }
}

async function compare(method: string, path: string, body?: object): Promise<Json> {
  const expected = await network.whole.send(method, path, body && { body })
  expect(expected.status, expected.text).toBe(200)
  for (const [name, server] of network.servers) {
    const found = await server.send(method, path, body && { body })
    expect(found.status, found.text).toBe(200)
    expect(withoutTraces(found.json), name).toEqual(withoutTraces(expected.json))
    const facets = /"facetDistribution":\{.*?\}\}/
    expect(found.text.match(facets)?.[0], name).toBe(expected.text.match(facets)?.[0])
  }
  return expected.json
}

describe('searches over shards answer as one server with all documents does', () => {
  test.each<[string, object]>([
    ['words', { q: 'sand storm', limit: 50, showRankingScore: true, showRankingScoreDetails: true }],
    ['nothing to look for', { limit: 200, sort: ['rank:asc'] }],
    ['pages', { q: 'moon', hitsPerPage: 3, page: 2, sort: ['year:desc', 'rank:asc'] }],
    ['a filter', { filter: ['color = red', ['year > 1950', 'tags = t3']], sort: ['rank:desc'] }],
    ['facets by value and by count', { q: 'river', facets: ['*'], limit: 0 }],
    ['facets named', { facets: ['tags', 'year', 'color'], filter: 'year > 1940' }],
    ['places', { sort: ['_geoPoint(10, 20):asc', 'rank:asc'], limit: 30 }],
    [
      'meaning',
      { vector: [1, 0.2], hybrid: { embedder: 'mine', semanticRatio: 1 }, limit: 10, showRankingScore: true },
    ],
    ['words and meaning', { q: 'sand', vector: [1, 0.2], hybrid: { embedder: 'mine' }, limit: 15 }],
    ['a threshold', { q: 'sand storm', rankingScoreThreshold: 0.8, limit: 100 }],
    ['cropping and matches', { q: 'sand', attributesToHighlight: ['title'], showMatchesPosition: true, limit: 9 }],
  ])('%s', async (_name, body) => {
    await compare('POST', '/indexes/books/search', body)
  })

  test.each<[string, string, object]>([
    ['asked for, in pages', 'books', { distinct: 'series', hitsPerPage: 4, page: 2, facets: ['series'] }],
    ['asked for with words, in pages', 'books', { q: 'moon', distinct: 'color', hitsPerPage: 2, facets: ['color'] }],
    ['of the settings, in pages', 'films', { sort: ['rank:desc'], hitsPerPage: 10, page: 1 }],
    ['of the settings, in pages with words', 'films', { q: 'sand', hitsPerPage: 3, page: 2, facets: ['color'] }],
  ])('distinct %s', async (_name, uid, body) => {
    const { totalHits } = await compare('POST', `/indexes/${uid}/search`, body)
    expect(totalHits).toBeGreaterThan(0)
  })

  test.each<[string, object]>([
    ['books', { distinct: 'series', limit: 12, offset: 3 }],
    ['films', { q: 'sand', limit: 12 }],
  ])('distinct hits of %s, which are counted roughly', async (uid, body) => {
    const path = `/indexes/${uid}/search`
    const { json } = await a.send('POST', path, { body })
    const { json: expected } = await network.whole.send('POST', path, { body })
    expect(withoutTraces(json).hits).toEqual(expected.hits)
    expect(json.estimatedTotalHits).toBeLessThanOrEqual(expected.estimatedTotalHits)
  })

  test('by parameters', async () => {
    const { hits } = await compare('GET', '/indexes/books/search?q=stone&limit=5&sort=rank:desc')
    expect(hits).toHaveLength(5)
  })

  test('several at once', async () => {
    const queries = [
      { indexUid: 'books', q: 'sand' },
      { indexUid: 'books', q: 'winter', facets: ['tags'] },
    ]
    const { json } = await a.send('POST', '/multi-search', { body: { queries } })
    const { json: expected } = await network.whole.send('POST', '/multi-search', { body: { queries } })
    expect(json.results.map(withoutTraces)).toEqual(expected.results.map(withoutTraces))
  })

  test('several as one', async () => {
    await compare('POST', '/multi-search', {
      queries: [
        { indexUid: 'books', q: 'sand' },
        { indexUid: 'books', q: 'winter', federationOptions: { weight: 0.9 } },
      ],
      federation: { limit: 30, facetsByIndex: { books: ['tags', 'color'] } },
    })
  })

  test('facets of several as one', async () => {
    await compare('POST', '/multi-search', {
      queries: [{ indexUid: 'books', q: 'sand' }],
      federation: { facetsByIndex: { books: ['tags', 'year'] }, mergeFacets: { maxValuesPerFacet: 4 } },
    })
  })

  test.each<[string, object]>([
    ['all values', { facetName: 'tags' }],
    ['by count, some values', { facetName: 'tags', facetQuery: 't' }],
    ['by value', { facetName: 'color', facetQuery: 'g', filter: 'year < 1980' }],
    ['of a search', { facetName: 'color', q: 'sand' }],
  ])('facet search: %s', async (_name, body) => {
    await compare('POST', '/indexes/books/facet-search', body)
  })

  test.each<[string, string]>([
    ['sorted', '?sort=year:desc,rank:asc&limit=20&offset=10'],
    ['filtered and sorted', `?sort=rank:desc&filter=${encodeURIComponent('color = blue')}&fields=id,title`],
    ['sorted by place', '?sort=_geoPoint(30,40):asc,rank:asc&limit=7'],
  ])('documents %s', async (_name, query) => {
    await compare('GET', `/indexes/books/documents${query}`)
  })
})

describe('similar documents over shards are those of one server', () => {
  test.each([0, 1, 2, 3, 50, 119])('like %d', async (id) => {
    const more = { filter: 'year > 1930', showRankingScore: true, showRankingScoreDetails: true }
    const { hits } = await compare('POST', '/indexes/books/similar', {
      id,
      embedder: 'mine',
      limit: 6,
      offset: 2,
      ...more,
    })
    expect(hits).toHaveLength(6)
  })

  test('not below a threshold', async () => {
    await compare('POST', '/indexes/books/similar', {
      id: 0,
      embedder: 'mine',
      rankingScoreThreshold: 0.98,
      limit: 100,
    })
    await compare('GET', '/indexes/books/similar?id=0&embedder=mine&limit=3&attributesToRetrieve=id')
  })

  test('an id that is nowhere is not found', async () => {
    for (const server of network.servers.values()) {
      const missing = await server.send('POST', '/indexes/books/similar', { body: { id: 777, embedder: 'mine' } })
      expect([missing.status, missing.json.code]).toEqual([400, 'not_found_similar_id'])
      const wrong = await server.send('POST', '/indexes/books/similar', { body: { id: { of: '1' }, embedder: 'mine' } })
      expect([wrong.status, wrong.json.code]).toEqual([400, 'invalid_similar_id'])
    }
  })
})

describe('searches of language models over shards', () => {
  /** Runs one as the server does for a conversation. */
  async function searchOf(server: IndexServer, search: object): Promise<Json> {
    const { context } = server
    const header = `Bearer ${MASTER_KEY}`
    const auth = authorize(context, { actions: ['search'], indexUid: 'books', header })
    if (!auth.ok) throw new Error(auth.failure.message)
    const searcher = {
      context,
      auth: auth.value,
      headers: { authorization: header },
      asker: askerWith(new AbortController().signal),
    }
    const bytes = Buffer.from(JSON.stringify(search))
    const answered = await runSearchCall(searcher, { kind: 'chatSearch', bytes, uid: 'books' })
    if (!answered.ok || !(answered.value instanceof Uint8Array)) throw new Error('no answer in memory')
    return JSON.parse(Buffer.from(answered.value).toString())
  }

  test.each<[string, object]>([
    ['words', { q: 'sand storm' }],
    ['a filter', { q: 'moon', filter: 'color = "red" OR year > 1990' }],
    ['a filter that does not fit', { q: 'moon', filter: '"title" = "x"' }],
  ])('%s', async (_name, search) => {
    const expected = await searchOf(network.whole, search)
    for (const server of network.servers.values()) expect(await searchOf(server, search)).toEqual(expected)
  })

  test.each<[string[], boolean]>([
    [['search'], false],
    [['search', 'chatCompletions'], true],
  ])('what a model is told is heard by keys with %j: %j', async (actions, isHeard) => {
    const { json: key } = await a.send('POST', '/keys', { body: { actions, indexes: ['*'], expiresAt: null } })
    const headers = { authorization: `Bearer ${key.key}`, 'x-findling-shards': 'chat', 'meili-proxy-search': 'true' }
    const body = { federation: {}, queries: [{ indexUid: 'books', q: 'moon' }] }
    const { json } = await a.send('POST', '/multi-search', { headers, body })
    expect(json.hits.length).toBeGreaterThan(0)
    expect(json.hits.every((hit: Json) => 'chatText' in hit._federation)).toBe(isHeard)
  })
})

describe('under a leader', () => {
  test('each shard is asked once, and hits say where they come from', async () => {
    const { json } = await a.send('POST', '/indexes/books/search', { body: { limit: 1000 } })
    expect(json.estimatedTotalHits).toBe(BOOKS.length)
    expect(new Set(json.hits.map(({ id }: Json) => id)).size).toBe(BOOKS.length)
    const remotes = new Set(json.hits.map(({ _federation }: Json) => _federation.remote))
    expect(remotes.has('a')).toBe(true)
    expect(remotes.size).toBe(2)
    expect(json.remoteErrors).toEqual({})
  })

  test('45: searches that are to stay here find the documents of this server', async () => {
    const { json } = await a.send('POST', '/indexes/books/search', { body: { limit: 1000, useNetwork: false } })
    const { json: stats } = await a.send('GET', '/indexes/books/stats')
    expect(json.estimatedTotalHits).toBe(stats.numberOfDocuments)
    expect(json.estimatedTotalHits).toBeLessThan(BOOKS.length)
    expect(json.hits[0]).not.toHaveProperty('_federation')
    expect(json).not.toHaveProperty('remoteErrors')
  })
})

test('other servers are asked before this one searches its own part', async () => {
  // With connections that are open.
  await a.send('POST', '/indexes/books/search', { body: { q: 'winter' } })
  const events: string[] = []
  const writing = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...given: unknown[]) {
    if (String(given[0]).startsWith('POST /multi-search')) events.push('asked')
    return write.apply(this, given as never)
  })
  const searching = vi.spyOn(DerivedValues.prototype, 'derive').mockImplementation(function (this: object, ...given) {
    events.push('searched')
    return derive.apply(this as never, given)
  })
  try {
    await a.send('POST', '/indexes/books/search', { body: { q: 'river stone' } })
  } finally {
    writing.mockRestore()
    searching.mockRestore()
  }
  expect(events[0]).toBe('asked')
  expect(events).toContain('searched')
})

const { write } = Socket.prototype
const { derive } = DerivedValues.prototype
