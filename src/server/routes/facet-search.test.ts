import { beforeAll, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/films/settings', {
    body: {
      filterableAttributes: ['genres', 'year', { attributePatterns: ['plain'], features: { facetSearch: false } }],
    },
  })
  await server.add('films', [
    { id: 1, title: 'Dune', genres: ['Fantasy', 'Science Fiction'], year: 1984 },
    { id: 2, title: 'Dune 2', genres: ['Fantasy'], year: 2024 },
    { id: 3, title: 'Emma', genres: ['Romance'], year: 1996 },
  ])
})

const find = async (body: object, index = 'films') =>
  (await server.send('POST', `/indexes/${index}/facet-search`, { body })).json
const codeOf = (body: object | string, index = 'films') =>
  server.codeOf('POST', `/indexes/${index}/facet-search`, { body, headers: { 'content-type': 'application/json' } })

test('finds the values of a facet', async () => {
  expect(await find({ facetName: 'genres', facetQuery: 'fantazy', limit: 'passed over' })).toEqual({
    facetHits: [{ value: 'Fantasy', count: 2 }],
    facetQuery: 'fantazy',
    processingTimeMs: expect.any(Number),
  })
  expect((await find({ facetName: 'genres', facetQuery: 'fiction' })).facetHits).toEqual([])
  expect(await find({ facetName: 'genres', q: 'emma' })).toMatchObject({
    facetHits: [{ value: 'Romance', count: 1 }],
    facetQuery: null,
  })
})

test('counts what the filter lets through', async () => {
  const { facetHits } = await find({ facetName: 'genres', filter: 'year > 2000' })
  expect(facetHits).toEqual([{ value: 'Fantasy', count: 1 }])
})

test.each<[object, string]>([
  [{}, 'missing_facet_search_facet_name'],
  [{ facetName: 'title' }, 'invalid_facet_search_facet_name'],
  [{ facetName: 'plain' }, 'invalid_facet_search_facet_name'],
  [{ facetName: 'genres', filter: 'a &' }, 'invalid_search_filter'],
  [{ facetName: 'title', filter: 'title = 1' }, 'invalid_search_filter'],
  [{ facetName: 'genres', vector: [1], filter: 'a &' }, 'missing_search_hybrid'],
  [{ facetName: 'genres', useNetwork: true }, 'feature_not_enabled'],
])('%j is %s', async (body, code) => {
  expect(await codeOf(body)).toBe(code)
})

test('looks for the index before the filter is read', async () => {
  expect(await codeOf({ facetName: 'a', filter: 'a &' }, 'missing')).toBe('index_not_found')
  expect(await codeOf({ facetName: 1 }, 'bad%20uid')).toBe('invalid_facet_search_facet_name')
  expect(await codeOf({ facetName: 'a' }, 'bad%20uid')).toBe('invalid_index_uid')
})

test('can be switched off', async () => {
  await server.done('PUT', '/indexes/off/settings/facet-search', {
    body: 'false',
    headers: { 'content-type': 'application/json' },
  })
  expect(await codeOf({ facetName: 'nope' }, 'off')).toBe('facet_search_disabled')
})

test('duplicates that a search would show are counted, unless they must not be', async () => {
  await server.done('PATCH', '/indexes/series/settings', {
    body: { filterableAttributes: ['genre'], distinctAttribute: 'name' },
  })
  const films = Array.from({ length: 50 }, (_, id) => ({ id, genre: 'Drama', name: `series ${Math.floor(id / 2)}` }))
  await server.add('series', films)
  const countOf = async (body: object) => (await find({ facetName: 'genre', ...body }, 'series')).facetHits[0].count
  expect(await countOf({})).toBe(30)
  expect(await countOf({ exhaustiveFacetCount: true })).toBe(25)
})
