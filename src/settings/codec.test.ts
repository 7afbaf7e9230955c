import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CorruptSettings, decodeSettings, encodeSettings } from './codec.js'
import { defaultSettings } from './model.js'
import { settingsAfter } from './settings.fixture.js'

const words = fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 })
const flag = fc.boolean()
const rule = fc.oneof(
  fc.string(),
  fc.record({
    attributePatterns: words,
    features: fc.record({ facetSearch: flag, filter: fc.record({ equality: flag, comparison: flag }) }),
  }),
)
const embedder = fc.constantFrom(
  {},
  { source: 'huggingFace', distribution: { mean: 1, sigma: 0.25 } },
  { source: 'ollama', model: 'm', apiKey: 'secret-secret' },
  { source: 'userProvided', dimensions: 3, binaryQuantized: false },
  {
    source: 'rest',
    url: 'http://e.example',
    request: { a: [1.5, '{{text}}'] },
    response: '{{embedding}}',
    headers: { b: 'c' },
  },
  {
    source: 'rest',
    url: 'http://e.example',
    dimensions: 3,
    request: '{{fragment}}',
    response: '{{embedding}}',
    indexingFragments: { f: { value: { x: '{{ doc.a }}' } } },
    searchFragments: { g: { value: '{{ q }}' } },
  },
  {
    source: 'composite',
    searchEmbedder: { source: 'openAi', apiKey: 'k' },
    indexingEmbedder: { source: 'openAi', documentTemplate: '{{ doc.a }}', documentTemplateMaxBytes: 9 },
    binaryQuantized: true,
  },
)
const body = fc.record(
  {
    displayedAttributes: words,
    searchableAttributes: words,
    filterableAttributes: fc.array(rule, { maxLength: 3 }),
    sortableAttributes: words,
    foreignKeys: fc.array(fc.record({ foreignIndexUid: fc.string(), fieldName: fc.string() }), { maxLength: 2 }),
    rankingRules: fc.constantFrom(['words', 'a:b:asc'], [], ['attribute']),
    stopWords: words,
    nonSeparatorTokens: words,
    dictionary: words,
    synonyms: fc.dictionary(fc.string(), words, { maxKeys: 3 }),
    distinctAttribute: fc.string(),
    proximityPrecision: fc.constant('byAttribute'),
    typoTolerance: fc.record({
      enabled: flag,
      disableOnWords: words,
      minWordSizeForTypos: fc.constant({ oneTypo: 0 }),
    }),
    faceting: fc.record({ sortFacetValuesBy: fc.dictionary(fc.string(), fc.constantFrom('alpha', 'count')) }),
    embedders: fc.dictionary(fc.string({ minLength: 1 }), embedder, { maxKeys: 3 }),
    searchCutoffMs: fc.nat(),
    localizedAttributes: fc.constant([{ attributePatterns: ['*'], locales: ['en', 'cmn'] }]),
    facetSearch: flag,
    prefixSearch: fc.constant('disabled'),
    chat: fc.record({
      description: fc.string(),
      searchParameters: fc.constant({ rankingScoreThreshold: 1, limit: 0 }),
    }),
  },
  { requiredKeys: [] },
)

test('stored settings read back as they were', () => {
  fc.assert(
    fc.property(body, (sent) => {
      const settings = settingsAfter(sent)
      expect(decodeSettings(encodeSettings(settings))).toEqual(settings)
    }),
  )
})

test('normalized words are not normalized again when they are read', () => {
  const settings = {
    ...defaultSettings,
    stopWords: ['Ä'],
    typoTolerance: { ...defaultSettings.typoTolerance, disableOnWords: ['ABC'] },
  }
  expect(decodeSettings(encodeSettings(settings))).toEqual(settings)
})

test('other bytes are not taken for settings', () => {
  const bytes = encodeSettings(defaultSettings)
  expect(() => decodeSettings(Uint8Array.of())).toThrow(CorruptSettings)
  expect(() => decodeSettings(Uint8Array.of(9, ...bytes.slice(1)))).toThrow(/version/)
  expect(() => decodeSettings(bytes.slice(0, -1))).toThrow(CorruptSettings)
  expect(() => decodeSettings(Buffer.from('\u0001{"stopWords":3}'))).toThrow(CorruptSettings)
})
