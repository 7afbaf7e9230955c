import { expect, test } from 'vitest'
import { type ChangedParts, changedParts } from './difference.js'
import { defaultSettings } from './model.js'
import { type Body, settingsAfter } from './settings.fixture.js'

const change = (before: Body, after: Body): ChangedParts =>
  changedParts(settingsAfter(before), settingsAfter(before, after))

/** The names of the parts that are stale. */
function stale(parts: ChangedParts): string[] {
  return Object.entries(parts)
    .filter(([, value]) => value === true || typeof value === 'string' || (value instanceof Map && value.size > 0))
    .map(([name]) => name)
}

test.each<[Body, Body, string[]]>([
  [{}, {}, []],
  [{ stopWords: ['a'], embedders: { e: {} } }, { stopWords: ['a'], embedders: { e: {} } }, []],
  [
    {},
    {
      displayedAttributes: ['a'],
      pagination: { maxTotalHits: 1 },
      searchCutoffMs: 1,
      faceting: { maxValuesPerFacet: 1 },
      foreignKeys: [{ foreignIndexUid: 'a', fieldName: 'b' }],
      chat: { description: 'x' },
      typoTolerance: { enabled: false, minWordSizeForTypos: { oneTypo: 1 }, disableOnWords: ['x'] },
    },
    [],
  ],
  [{ searchableAttributes: ['a', 'b'] }, { searchableAttributes: ['b', 'a'] }, []],
  [{ rankingRules: ['words', 'a:asc'] }, { rankingRules: ['a:desc', 'words'] }, []],
  [{}, { synonyms: { a: ['b'] } }, ['synonyms']],
  [{}, { stopWords: ['a'] }, ['analysis']],
  [{}, { dictionary: ['a'] }, ['analysis', 'synonyms']],
  [{}, { separatorTokens: ['a'] }, ['analysis', 'synonyms']],
  [{}, { nonSeparatorTokens: ['a'] }, ['analysis', 'synonyms']],
  [{}, { localizedAttributes: [{ attributePatterns: ['*'], locales: ['en'] }] }, ['locales', 'facets']],
  [{}, { proximityPrecision: 'byAttribute' }, ['proximityPrecision']],
  [{}, { prefixSearch: 'disabled' }, ['prefixSearch']],
  [{}, { typoTolerance: { disableOnAttributes: ['a'] } }, ['exactAttributes']],
  [{}, { typoTolerance: { disableOnNumbers: true } }, ['exactNumbers']],
  [{}, { searchableAttributes: ['a'] }, ['searchableMembers']],
  [{}, { filterableAttributes: ['a'] }, ['facets']],
  [{}, { sortableAttributes: ['_geo'] }, ['facets', 'geo']],
  [{ filterableAttributes: ['_geojson'] }, { filterableAttributes: [] }, ['facets', 'geoJson']],
  [{}, { distinctAttribute: 'a' }, ['facets']],
  [{}, { rankingRules: ['a:asc'] }, ['facets']],
  [{}, { facetSearch: false }, ['facetSearch']],
  [{}, { embedders: { e: {} } }, ['embedders']],
])('after %o the change %o makes %j stale', (before, after, parts) => {
  expect(stale(change(before, after))).toEqual(parts)
})

test('only the fields concerned are analysed again', () => {
  const members = change({ searchableAttributes: ['a', 'b'] }, { searchableAttributes: ['b', 'c'] })
  expect(['a', 'b', 'c.x', 'd'].map((field) => members.isTextStale(field))).toEqual([true, false, true, false])
  const locales = change({}, { localizedAttributes: [{ attributePatterns: ['a'], locales: ['en'] }] })
  expect(['a', 'b'].map((field) => locales.isTextStale(field))).toEqual([true, false])
  const words = change({ searchableAttributes: ['a'] }, { stopWords: ['x'] })
  expect(['a', 'b'].map((field) => words.isTextStale(field))).toEqual([true, false])
})

test('only the facets concerned are built again', () => {
  const filters = change(
    { filterableAttributes: ['a', 'b'] },
    { filterableAttributes: ['b', { attributePatterns: ['c*'] }] },
  )
  expect(['a', 'b', 'cx', 'd'].map((field) => filters.isFacetStale(field))).toEqual([true, false, true, false])
  const search = change({ filterableAttributes: ['a'] }, { facetSearch: false })
  expect(['a', 'b'].map((field) => search.isFacetStale(field))).toEqual([true, false])
  const ranking = change({ rankingRules: ['a:asc'] }, { rankingRules: ['a:desc', 'b:asc'] })
  expect(['a', 'b'].map((field) => ranking.isFacetStale(field))).toEqual([false, true])
})

const REST = { source: 'rest', url: 'http://e.example', request: '{{text}}', response: '{{embedding}}' }
const FRAGMENTS = {
  ...REST,
  dimensions: 3,
  request: '{{fragment}}',
  indexingFragments: { a: { value: 'a' }, b: { value: 'b' } },
  searchFragments: { q: { value: 'q' } },
}
const OPEN_AI = { source: 'openAi' }
const COMPOSITE = { source: 'composite', searchEmbedder: OPEN_AI, indexingEmbedder: OPEN_AI }
const none = { added: [], changed: [], removed: [] }
const changed = (regenerate: string, more: object = {}) => ({
  kind: 'changed',
  regenerate,
  fragments: none,
  quantize: false,
  ...more,
})

test.each<[object, object | null, object | undefined]>([
  [OPEN_AI, null, { kind: 'removed' }],
  [OPEN_AI, { source: 'huggingFace' }, changed('all')],
  [OPEN_AI, { model: 'text-embedding-3-large' }, changed('all')],
  [OPEN_AI, { url: 'http://other.example' }, changed('none')],
  [OPEN_AI, { dimensions: 3 }, changed('all')],
  [OPEN_AI, { documentTemplate: 'x' }, changed('rendered')],
  [{ documentTemplate: 'x' }, { documentTemplateMaxBytes: 7 }, changed('none')],
  [OPEN_AI, { apiKey: 'k' }, changed('none')],
  [OPEN_AI, { distribution: { mean: 0.5, sigma: 0.5 } }, changed('none')],
  [OPEN_AI, { binaryQuantized: true }, changed('none', { quantize: true })],
  [OPEN_AI, {}, undefined],
  [{ source: 'huggingFace' }, { pooling: 'forceCls' }, changed('all')],
  [{ source: 'ollama', model: 'm', dimensions: 3 }, { dimensions: 4 }, changed('none')],
  [{ source: 'ollama', model: 'm' }, { url: 'http://other.example/api/embed' }, changed('all')],
  [REST, { url: 'http://other.example' }, changed('all')],
  [REST, { request: { a: '{{text}}' } }, changed('all')],
  [REST, { headers: { a: 'b' } }, changed('none')],
  [FRAGMENTS, { searchFragments: { q: { value: 'x' } } }, changed('none')],
  [
    FRAGMENTS,
    { indexingFragments: { a: null, b: { value: 'x' }, c: { value: 'c' } } },
    changed('none', { fragments: { added: ['c'], changed: ['b'], removed: ['a'] } }),
  ],
  [FRAGMENTS, { indexingFragments: null, searchFragments: null, request: '{{text}}' }, changed('all')],
  [COMPOSITE, { searchEmbedder: { source: 'openAi', model: 'text-embedding-3-large' } }, changed('none')],
  [COMPOSITE, { indexingEmbedder: { model: 'text-embedding-3-large' } }, changed('all')],
  [COMPOSITE, { indexingEmbedder: { documentTemplate: 'x' } }, changed('rendered')],
])('an embedder %o changed by %o', (before, after, expected) => {
  expect(change({ embedders: { e: before } }, { embedders: { e: after } }).embedders.get('e')).toEqual(expected)
})

test('a new embedder is added', () => {
  expect(change({}, { embedders: { e: {} } }).embedders.get('e')).toEqual({ kind: 'added' })
})

test('an embedder that is removed and added again without quantization is replaced', () => {
  const quantized = settingsAfter({ embedders: { e: { binaryQuantized: true } } })
  expect(changedParts(quantized, settingsAfter({ embedders: { e: {} } })).embedders.get('e')).toEqual({
    kind: 'replaced',
  })
})

test('templates are rendered again when fields become searchable, where there is a template', () => {
  const before = { embedders: { a: {}, b: { source: 'userProvided', dimensions: 3 }, c: FRAGMENTS, d: COMPOSITE } }
  const { embedders } = change(before, { searchableAttributes: ['x'] })
  expect([...embedders]).toEqual([
    ['a', changed('rendered')],
    ['d', changed('rendered')],
  ])
  expect(changedParts(defaultSettings, settingsAfter({ searchableAttributes: ['x'] })).embedders.size).toBe(0)
})
