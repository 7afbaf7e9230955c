import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { at, ids, openNetwork } from './network-servers.fixture.js'

let here: IndexServer
let there: IndexServer

beforeAll(async () => {
  ;({ here, there } = await openNetwork())
})

const federated = (queries: object[], federation: object = {}, server = here) =>
  server.send('POST', '/multi-search', { body: { queries, federation } })

describe('queries that name a remote', () => {
  test('are run there, and their hits say so', async () => {
    const { status, json } = await federated([at('here', { q: 'dune' }), at('there', { q: 'dune' })])
    expect(status).toBe(200)
    expect(json.hits).toEqual([
      {
        id: 1,
        title: 'Dune',
        color: 'Red',
        year: 1965,
        _federation: { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1, remote: 'here' },
      },
      {
        id: 11,
        title: 'Dune Messiah',
        color: 'red',
        year: 1969,
        secret: 'sand',
        _federation: {
          indexUid: 'books',
          queriesPosition: 1,
          weightedRankingScore: expect.any(Number),
          remote: 'there',
        },
      },
    ])
    expect(json).toMatchObject({ estimatedTotalHits: 2, remoteErrors: {} })
    expect(Object.keys(json).slice(-2)).toEqual(['requestUid', 'remoteErrors'])
  })

  test('may name this server', async () => {
    const { json } = await federated([at('here')])
    expect([ids(json.hits), json.hits[0]._federation.remote, json.remoteErrors]).toEqual([[1, 2], 'here', {}])
  })

  test('are merged by sorts and pages like all others', async () => {
    const sort = ['year:asc']
    const { json } = await federated([at('here', { sort }), at('there', { sort })], { page: 2, hitsPerPage: 2 })
    expect(ids(json.hits)).toEqual([1, 11])
    expect(json).toMatchObject({ page: 2, hitsPerPage: 2, totalPages: 2, totalHits: 4 })
    const offset = await federated([at('here', { sort }), at('there', { sort })], { offset: 1, limit: 2 })
    expect(ids(offset.json.hits)).toEqual([12, 1])
  })

  test('have facets, added up with those from here', async () => {
    const queries = [at('here'), at('there')]
    const byIndex = await federated(queries, { facetsByIndex: { books: ['year', 'color'] } })
    expect(byIndex.json.facetsByIndex).toEqual({
      books: {
        distribution: {
          color: { Red: 1, blue: 1, green: 1, red: 1 },
          year: { 1815: 1, 1961: 1, 1965: 1, 1969: 1 },
        },
        stats: { year: { min: 1815, max: 1969 } },
      },
    })
    const merged = await federated(queries, {
      facetsByIndex: { books: ['year'] },
      mergeFacets: { maxValuesPerFacet: 1 },
    })
    expect(merged.json.facetDistribution).toEqual({ year: { 1815: 1 } })
    const remoteOnly = await federated([at('there')], { facetsByIndex: { books: ['year'] } })
    expect(remoteOnly.json.facetsByIndex.books.distribution).toEqual({ year: { 1961: 1, 1969: 1 } })
  })

  test('lose hits whose distinct value another server has', async () => {
    const { json } = await federated([at('here'), at('there', { attributesToRetrieve: ['id'] })], {
      distinct: 'color',
      facetsByIndex: { books: ['year'] },
    })
    expect(ids(json.hits)).toEqual([1, 2, 12])
    expect(json.estimatedTotalHits).toBe(3)
    expect(json.facetsByIndex.books.distribution).toEqual({ year: { 1815: 1, 1961: 1, 1965: 1 } })
  })

  test('have metadata with the name of the remote', async () => {
    const { json } = await here.send('POST', '/multi-search', {
      body: { queries: [at('there', { q: 'a' }), { indexUid: 'books' }], federation: {} },
      headers: { 'Meili-Include-Metadata': 'true' },
    })
    const queryUid = expect.any(String)
    expect(json.metadata).toEqual([
      { query: 'a', queryUid, indexUid: 'books', primaryKey: 'id', remote: 'there' },
      { queryUid, indexUid: 'books', primaryKey: 'id', remote: 'here' },
    ])
  })

  test.each<[object, string]>([
    [at('nowhere'), 'invalid_multi_search_remote'],
    [at('there', { useNetwork: true }), 'invalid_multi_search_federation_options'],
  ])('%j is %s', async (query, code) => {
    const { status, json } = await federated([{ indexUid: 'books' }, query])
    expect([status, json.code]).toEqual([400, code])
    expect(json.message).toContain('`.queries[1]`')
  })
})

describe('searches of the whole network', () => {
  test('find the documents of all servers', async () => {
    const { json } = await here.send('POST', '/indexes/books/search', {
      body: { q: 'dune', useNetwork: true, facets: ['year'], showRankingScore: true },
    })
    expect(json.hits.map(({ id, _federation }: { id: number; _federation: object }) => [id, _federation])).toEqual([
      [1, { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1, remote: 'here' }],
      [11, { indexUid: 'books', queriesPosition: 0, weightedRankingScore: expect.any(Number), remote: 'there' }],
    ])
    expect(Object.keys(json)).toEqual([
      'hits',
      'query',
      'processingTimeMs',
      'limit',
      'offset',
      'estimatedTotalHits',
      'facetDistribution',
      'facetStats',
      'requestUid',
      'remoteErrors',
    ])
    expect(json).toMatchObject({
      query: 'dune',
      estimatedTotalHits: 2,
      facetDistribution: { year: { 1965: 1, 1969: 1 } },
      facetStats: { year: { min: 1965, max: 1969 } },
      remoteErrors: {},
    })
  })

  test('come from every route of searches', async () => {
    const { json: get } = await here.send('GET', '/indexes/books/search?useNetwork=true')
    expect(ids(get.hits)).toEqual([1, 2, 11, 12])
    const queries = [{ indexUid: 'books', useNetwork: true, limit: 3 }, { indexUid: 'books' }]
    const { json: multi } = await here.send('POST', '/multi-search', { body: { queries } })
    expect(multi.results.map(({ hits }: { hits: { id: number }[] }) => ids(hits))).toEqual([
      [1, 2, 11],
      [1, 2],
    ])
    expect(multi.results[0]).toHaveProperty('remoteErrors', {})
    expect(multi.results[1]).not.toHaveProperty('remoteErrors')
    const { json: one } = await federated([
      { indexUid: 'books', useNetwork: true },
      { indexUid: 'books', q: 'emma' },
    ])
    expect(ids(one.hits)).toEqual([2, 1, 11, 12])
  })

  test('made at the same time are not mixed up', async () => {
    const words = ['dune', 'emma', 'solaris', 'messiah', 'dune', 'emma']
    const answers = await Promise.all(
      words.map((q) => here.send('POST', '/indexes/books/search', { body: { q, useNetwork: true } })),
    )
    expect(answers.map(({ json }) => [json.query, ids(json.hits)])).toEqual([
      ['dune', [1, 11]],
      ['emma', [2]],
      ['solaris', [12]],
      ['messiah', [11]],
      ['dune', [1, 11]],
      ['emma', [2]],
    ])
  })

  test('stay here when they say so', async () => {
    const { json } = await here.send('POST', '/indexes/books/search', { body: { useNetwork: false } })
    expect(ids(json.hits)).toEqual([1, 2])
    expect(json).not.toHaveProperty('remoteErrors')
    expect(json.hits[0]).not.toHaveProperty('_federation')
  })

  test('make the distinct attribute of a query that of all', async () => {
    const query = { indexUid: 'books', useNetwork: true, distinct: 'color' }
    expect(ids((await federated([query])).json.hits)).toEqual([1, 2, 12])
    const { status, json } = await federated([query, { indexUid: 'books', distinct: 'year' }])
    expect([status, json.code]).toEqual([400, 'invalid_multi_search_distinct'])
  })

  test.each([['search'], ['facet-search']])(
    'say what is wrong with a filter even when nobody is asked: %s',
    async (route) => {
      const server = await startIndexServer()
      await server.done('POST', '/indexes', { body: { uid: 'books' } })
      await server.send('PATCH', '/experimental-features', { body: { network: true } })
      const body = {
        filter: [[{ x: 'nope' }]],
        useNetwork: true,
        ...(route === 'search' ? {} : { facetName: 'color' }),
      }
      const { status, json } = await server.send('POST', `/indexes/books/${route}`, { body })
      expect([status, json.code]).toEqual([400, 'invalid_search_filter'])
    },
  )

  test('find facet values everywhere', async () => {
    const { json } = await here.send('POST', '/indexes/books/facet-search', {
      body: { facetName: 'color', facetQuery: 'r', useNetwork: true, filter: 'year > 1900' },
    })
    expect(json).toEqual({
      facetHits: [
        { value: 'Red', count: 1 },
        { value: 'red', count: 1 },
      ],
      facetQuery: 'r',
      processingTimeMs: expect.any(Number),
      remoteErrors: {},
    })
  })

  test('are told that an index does not exist, as other searches are', async () => {
    const { status, json } = await here.send('POST', '/indexes/missing/search', { body: { useNetwork: true } })
    expect([status, json.code]).toEqual([404, 'index_not_found'])
    expect(json.message).not.toContain('queries')
  })

  test('21.10 L179: find the documents of a shard that several remotes hold once', async () => {
    const settings = { body: { filterableAttributes: ['color'] } }
    for (const server of [here, there]) {
      await server.done('PATCH', '/indexes/copies/settings', settings)
      await server.add('copies', [
        { id: 1, color: 'red' },
        { id: 2, color: 'blue' },
      ])
    }
    await here.send('PATCH', '/network', { body: { shards: { both: { remotes: ['here', 'there'] } } } })
    const search = await here.send('POST', '/indexes/copies/search', {
      body: { useNetwork: true, facets: ['color'], hitsPerPage: 5 },
    })
    const multi = await federated([{ indexUid: 'copies', useNetwork: true }])
    const facets = await here.send('POST', '/indexes/copies/facet-search', {
      body: { facetName: 'color', useNetwork: true },
    })
    await here.send('PATCH', '/network', { body: { shards: null } })
    expect([ids(search.json.hits), search.json.totalHits]).toEqual([[1, 2], 2])
    expect(search.json.facetDistribution).toEqual({ color: { blue: 1, red: 1 } })
    expect([ids(multi.json.hits), multi.json.estimatedTotalHits]).toEqual([[1, 2], 2])
    expect(facets.json.facetHits).toEqual([
      { value: 'blue', count: 1 },
      { value: 'red', count: 1 },
    ])
  })

  test('of a server without a network find nothing', async () => {
    const { json } = await there.send('POST', '/indexes/books/search', { body: { useNetwork: true } })
    expect(json).toMatchObject({ hits: [], estimatedTotalHits: 0 })
    expect(json).not.toHaveProperty('remoteErrors')
  })
})
