import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer()
})

const fields = async (index: string, body: object = {}) =>
  (await server.send('POST', `/indexes/${index}/fields`, { body })).json
const namesOf = async (index: string, filter: object) =>
  (await fields(index, { filter })).results.map(({ name }: { name: string }) => name)

const nothing = {
  displayed: { enabled: true },
  searchable: { enabled: false },
  sortable: { enabled: false },
  distinct: { enabled: false },
  rankingRule: { enabled: false },
  filterable: { enabled: false, sortBy: 'alpha', facetSearch: false, equality: false, comparison: false },
  localized: { locales: [] },
}

test('an index without key and documents has no fields, with a key it has one', async () => {
  await server.done('POST', '/indexes', { body: { uid: 'empty' } })
  expect(await fields('empty')).toEqual({ results: [], offset: 0, limit: 20, total: 0 })
  await server.done('PATCH', '/indexes/empty', { body: { primaryKey: 'sku' } })
  expect(await fields('empty')).toMatchObject({ results: [{ name: 'sku' }], total: 1 })
})

test('an index that does not exist is not found, whatever its name', async () => {
  expect(await server.codeOf('POST', '/indexes/missing/fields', { body: {} })).toBe('index_not_found')
  expect(await server.codeOf('POST', '/indexes/not%20a%20uid/fields', { body: {} })).toBe('index_not_found')
})

describe('an index with settings', () => {
  beforeAll(async () => {
    await server.done('PATCH', '/indexes/films/settings', {
      body: {
        displayedAttributes: ['title', 'genre', 'crew'],
        searchableAttributes: ['title', 'crew.name'],
        filterableAttributes: [
          'genre',
          { attributePatterns: ['crew.*', '_geo'], features: { facetSearch: true } },
          '_geo',
        ],
        sortableAttributes: ['year', '_geo', '_geojson'],
        distinctAttribute: 'sku',
        rankingRules: ['words', 'genre:asc', 'year:desc'],
        faceting: { sortFacetValuesBy: { genre: 'count' } },
        localizedAttributes: [{ attributePatterns: ['t*', '_*'], locales: ['fr', 'eng'] }],
      },
    })
    await server.add('films', [
      {
        id: 1,
        title: 'x',
        genre: 'y',
        year: 2000,
        sku: 'z',
        crew: { name: 'n', age: 3 },
        _geo: { lat: 1, lng: 2 },
        _geojson: null,
        _vectors: {},
      },
    ])
  })

  test('each field shows what the settings make of it', async () => {
    const { results, total } = await fields('films', { limit: 100 })
    const filterable = (changes: object) => ({ filterable: { ...nothing.filterable, enabled: true, ...changes } })
    const on = { enabled: true }
    const off = { enabled: false }
    const patterned = filterable({ facetSearch: true, equality: true })
    const named = { facetSearch: true, equality: true, comparison: true }
    expect(total).toBe(13)
    expect(results).toEqual([
      { ...nothing, name: '_geo', displayed: off, sortable: on, ...patterned },
      { ...nothing, name: '_geo.lat', displayed: off, sortable: on, ...filterable(named) },
      { ...nothing, name: '_geo.lng', displayed: off, sortable: on, ...filterable(named) },
      { ...nothing, name: '_geojson', displayed: off, sortable: on },
      { ...nothing, name: '_vectors', displayed: off },
      { ...nothing, name: 'crew' },
      { ...nothing, name: 'crew.age', ...patterned },
      { ...nothing, name: 'crew.name', searchable: on, ...patterned },
      {
        ...nothing,
        name: 'genre',
        rankingRule: { enabled: true, order: 'asc' },
        ...filterable({ ...named, sortBy: 'count' }),
      },
      { ...nothing, name: 'id', displayed: off },
      { ...nothing, name: 'sku', displayed: off, distinct: on },
      { ...nothing, name: 'title', searchable: on, localized: { locales: ['Fra', 'Eng'] } },
      { ...nothing, name: 'year', displayed: off, sortable: on, rankingRule: { enabled: true, order: 'desc' } },
    ])
    expect(Object.keys(results[0])).toEqual(['name', ...Object.keys(nothing)])
  })

  test.each<[object, string[]]>([
    [{ attributePatterns: ['ti*'] }, ['title']],
    [{ attributePatterns: ['title.to*'] }, []],
    [{ attributePatterns: ['crew'] }, ['crew']],
    [{ attributePatterns: [] }, []],
    [{ attributePatterns: ['*e', 'sku'] }, ['crew.age', 'crew.name', 'genre', 'sku', 'title']],
    [{ searchable: true }, ['crew.name', 'title']],
    [{ rankingRule: true }, ['genre', 'year']],
    [{ distinct: true, displayed: null }, ['sku']],
    [{ displayed: true, filterable: true }, ['crew.age', 'crew.name', 'genre']],
    [{ displayed: true, filterable: false, searchable: false }, ['crew']],
    [{ sortable: true, attributePatterns: ['y*'] }, ['year']],
  ])('the filter %j keeps %j', async (filter, names) => {
    expect(await namesOf('films', filter)).toEqual(names)
  })

  test('the total counts what the filter keeps, the page cuts it', async () => {
    const { results, ...page } = await fields('films', { offset: 1, limit: 1, filter: { displayed: true } })
    expect(page).toEqual({ offset: 1, limit: 1, total: 5 })
    expect(results).toMatchObject([{ name: 'crew.age' }])
    expect(await fields('films', { filter: null, limit: 0 })).toEqual({ results: [], offset: 0, limit: 0, total: 13 })
  })
})

test('nested names that are only searched are fields too, and names stay when documents go', async () => {
  await server.add('nested', [{ id: 1, a: { b: [{ c: 'x' }], 'd.e': 1 } }])
  const names = ['a', 'a.b', 'a.b.c', 'a.d.e', 'id']
  expect(await namesOf('nested', {})).toEqual(names)
  const cleared = await server.done('DELETE', '/indexes/nested/documents')
  expect(cleared).toMatchObject({ status: 'succeeded', details: { deletedDocuments: 1 } })
  expect(await namesOf('nested', {})).toEqual(names)
})

test.each<[object, string]>([
  [{ offset: -1 }, 'invalid_index_offset'],
  [{ offset: null }, 'invalid_index_offset'],
  [{ limit: '20' }, 'invalid_index_limit'],
  [{ filter: { x: 1 } }, 'invalid_index_fields_filter'],
  [{ filter: 'x' }, 'invalid_index_fields_filter'],
  [{ filter: { attributePatterns: 'x' } }, 'invalid_index_fields_filter_attribute_patterns'],
  [{ filter: { displayed: 'yes' } }, 'invalid_index_fields_filter_displayed'],
  [{ filter: { searchable: 1 } }, 'invalid_index_fields_filter_searchable'],
  [{ filter: { sortable: 1 } }, 'invalid_index_fields_filter_sortable'],
  [{ filter: { distinct: 1 } }, 'invalid_index_fields_filter_distinct'],
  [{ filter: { rankingRule: 1 } }, 'invalid_index_fields_filter_ranking_rule'],
  [{ filter: { filterable: 1 } }, 'invalid_index_fields_filter_filterable'],
  [{ fields: 1 }, 'bad_request'],
  [[], 'bad_request'],
])('%j is refused with %s', async (body, code) => {
  expect(await server.codeOf('POST', '/indexes/missing/fields', { body })).toBe(code)
})
