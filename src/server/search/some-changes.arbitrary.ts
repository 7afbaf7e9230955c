import fc from 'fast-check'
import type { RequestKind } from '../../answer/index.js'
import type { Change } from './changing-indexes.fixture.js'

export const UIDS = ['a', 'b'] as const

/** More than a hundred words that begin with `x`: that beginning is never taken apart. */
const crowd = fc.nat(399).map((i) => `x${i}`)
const word = fc.oneof(
  fc.constantFrom('sun', 'flower', 'sunflower', 'snow', 'board', 'snowboard', 'the', 'école', 'x'),
  crowd,
)
const text = (maxLength: number) => fc.array(word, { maxLength, size: 'max' }).map((words) => words.join(' '))

const document = (ids: fc.Arbitrary<number>) =>
  fc.record(
    {
      id: ids,
      title: text(4),
      body: text(12),
      price: fc.oneof(fc.nat(9), fc.constantFrom(2.5, -1, '7')),
      color: fc.constantFrom<unknown>('red', 'Red', 'blue', ['red', 'green'], null),
      meta: fc.record({ note: text(2), rank: fc.nat(3) }),
      _geo: fc.record({ lat: fc.integer({ min: -60, max: 60 }), lng: fc.integer({ min: -90, max: 90 }) }),
      _vectors: fc.record({ e: fc.option(fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 5 }))) }),
    },
    { requiredKeys: ['id', 'title', '_vectors'] },
  )

/**
 * Many, so that sizes are passed at which other structures begin. Some have words that begin with `x`, or that letter
 * alone; others leave what is known of them as it was.
 */
const crowded = fc
  .record({ part: fc.nat(4), shift: fc.nat(399), letter: fc.constantFrom('x', 'x', 's') })
  .map(({ part, shift, letter }) =>
    Array.from({ length: 120 }, (_, i) => {
      const words = Array.from({ length: 10 }, (_, k) => `${letter}${(i * 13 + k * 31 + shift) % 400}`)
      return {
        id: 1000 + part * 120 + i,
        title: i % 20 === 0 ? letter : words.join(' '),
        // So long that a symbol table is learnt.
        body: `board${i % 5} ${'snow on the board and a flower in the sun, '.repeat(6)}`,
        price: i % 50,
        color: `shade ${i % 40}`,
        _vectors: { e: i % 3 === 0 ? null : [i % 5, i % 4, 1] },
      }
    }),
  )

const uid = fc.constantFrom(...UIDS)
const ids = fc.nat(40)

/** With these all questions have an answer. */
export const FIRST_SETTINGS = {
  filterableAttributes: ['price', 'color', '_geo', 'meta.rank'],
  sortableAttributes: ['price', 'color', '_geo'],
  embedders: { e: { source: 'userProvided', dimensions: 3 } },
}

/** A value or two for every setting, and its default. */
const patches: readonly object[] = [
  { prefixSearch: 'disabled' },
  { prefixSearch: 'indexingTime' },
  { prefixSearch: null },
  { searchableAttributes: ['title'] },
  { searchableAttributes: ['body', 'title', 'meta.note'] },
  { searchableAttributes: null },
  { displayedAttributes: ['id', 'title'] },
  { displayedAttributes: null },
  { filterableAttributes: ['price'] },
  FIRST_SETTINGS,
  FIRST_SETTINGS,
  { filterableAttributes: [{ attributePatterns: ['*'], features: { facetSearch: true } }] },
  { sortableAttributes: ['price'] },
  { sortableAttributes: ['price', 'color', '_geo'] },
  { sortableAttributes: null },
  { rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'] },
  { rankingRules: ['sort', 'price:desc', 'words', 'exactness'] },
  { rankingRules: null },
  { stopWords: ['the', 'sun'] },
  { stopWords: null },
  { synonyms: { sun: ['snow board'], flower: ['x1'] } },
  { synonyms: null },
  { distinctAttribute: 'color' },
  { distinctAttribute: null },
  { typoTolerance: { minWordSizeForTypos: { oneTypo: 3, twoTypos: 5 } } },
  { typoTolerance: { disableOnWords: ['snow'], disableOnAttributes: ['title'], disableOnNumbers: true } },
  { typoTolerance: { enabled: false } },
  { typoTolerance: null },
  { separatorTokens: ['w'] },
  { separatorTokens: null },
  { nonSeparatorTokens: [' '] },
  { nonSeparatorTokens: null },
  { dictionary: ['sun flower'] },
  { dictionary: null },
  { proximityPrecision: 'byAttribute' },
  { proximityPrecision: null },
  { facetSearch: false },
  { facetSearch: true },
  { localizedAttributes: [{ attributePatterns: ['title'], locales: ['fra'] }] },
  { localizedAttributes: null },
  { faceting: { maxValuesPerFacet: 3, sortFacetValuesBy: { '*': 'count' } } },
  { faceting: null },
  { pagination: { maxTotalHits: 30 } },
  { pagination: null },
  { searchCutoffMs: 60_000 },
  { embedders: { e: { source: 'userProvided', dimensions: 3 } } },
  { embedders: { e: { source: 'userProvided', dimensions: 3, binaryQuantized: true } } },
  { embedders: null },
]

const settings = fc.record({ kind: fc.constant('settings' as const), uid, patch: fc.constantFrom(...patches) })

const some: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      uid,
      method: fc.constantFrom('replace' as const, 'update' as const),
      documents: fc.array(document(ids), { maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      uid,
      method: fc.constant('replace' as const),
      documents: crowded,
    }),
  },
  { weight: 12, arbitrary: settings },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('deleteIds' as const),
      uid,
      ids: fc.array(
        fc.oneof(ids, fc.integer({ min: 1000, max: 1599 })).map((id) => `${id}`),
        { maxLength: 30 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('deleteFilter' as const),
      uid,
      filter: fc.constantFrom('price < 3', 'price > 30', 'color = red', 'price EXISTS'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      uid,
      function: fc.constantFrom('doc.title = doc.title + " x7 école"', 'doc.price = doc.id % 4', 'doc.color = "blue"'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), uid }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancelled' as const), uid, documents: crowded }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('versions' as const), uid, count: fc.constantFrom(1, 63, 64, 65) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), uid }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('downgrade' as const, 'upgrade' as const), uid }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recreate' as const), uid }) },
)

/** Changes that a reader does not look between. */
export const someSteps: fc.Arbitrary<readonly (readonly Change[])[]> = fc.array(
  fc.array(some, { minLength: 1, maxLength: 3 }),
  { minLength: 4, maxLength: 10, size: 'max' },
)

export interface Question {
  readonly kind: RequestKind
  /** Empty where the request names indexes itself. */
  readonly uid: string
  readonly body: object
  /** As other servers ask, for their part of an answer. */
  readonly isForShards?: true
}

const DETAILS = { showRankingScoreDetails: true, limit: 50 }

const searches: readonly object[] = [
  // Before all others: once all places of a long word were read, none of them is looked for in the store.
  { q: 'x', filter: 'price = 7', ...DETAILS },
  { q: 'x', ...DETAILS },
  { q: 'x1', ...DETAILS },
  { q: 'x12' },
  { q: 's', ...DETAILS },
  { q: 'su', limit: 100 },
  { q: 'sun' },
  { q: 'sun flower', ...DETAILS },
  { q: 'sun x', ...DETAILS },
  { q: 'the snwoboard', ...DETAILS },
  { q: '"sun flower" -board', ...DETAILS },
  { q: 'eco', attributesToHighlight: ['*'], showMatchesPosition: true },
  { q: 'x3 sn', attributesToSearchOn: ['title'], matchingStrategy: 'all' },
  { q: 'x', distinct: 'color', facets: ['*'] },
  { q: '', facets: ['price', 'color'], filter: 'price > 2' },
  { q: '', facets: ['*'] },
  { q: 'sun', filter: 'color IN [red, blue] OR meta.rank = 1', facets: ['color'] },
  { q: '', sort: ['price:asc', 'color:desc'] },
  { q: 's', sort: ['_geoPoint(10, 10):asc'] },
  { q: '', sort: ['_geoPoint(10, 10):asc'], limit: 30 },
  { q: '', filter: '_geoRadius(10, 10, 4000000)' },
  { q: 'x', hybrid: { embedder: 'e', semanticRatio: 1 }, vector: [1, 2, 3], retrieveVectors: true },
  { q: 'sun', hybrid: { embedder: 'e', semanticRatio: 0.5 }, vector: [3, 0, 1], showRankingScore: true },
  { q: 'sun', hybrid: { embedder: 'e', semanticRatio: 0.5 }, showRankingScore: true },
  { q: 'x', page: 2, hitsPerPage: 10, rankingScoreThreshold: 0.3 },
]

const ofIndex = (uid: string): Question[] => [
  ...searches.map((body) => ({ kind: 'searchBody' as const, uid, body })),
  ...['', 're', 'shade 1', 'x'].map((facetQuery) => ({
    kind: 'facetSearch' as const,
    uid,
    body: { facetName: 'color', facetQuery },
  })),
  { kind: 'similarBody', uid, body: { id: 3, embedder: 'e' } },
  { kind: 'chatOffer', uid, body: {} },
]

/** How rare they are is counted among the documents that are asked for. */
const RARE_WORDS = { q: 'sun flower', matchingStrategy: 'frequency', federationOptions: { shards: ['one'] } }

/** Single letters, beginnings, typos, filters, facets, sorts, places, vectors, of each index and of both together. */
export const QUESTIONS: readonly Question[] = [
  ...UIDS.flatMap(ofIndex),
  {
    kind: 'multiSearch',
    uid: '',
    body: { federation: {}, queries: UIDS.map((indexUid) => ({ indexUid, q: 'x', filter: 'price >= 0' })) },
  },
  { kind: 'multiSearch', uid: '', body: { queries: UIDS.map((indexUid) => ({ indexUid, q: 'sun' })) } },
  {
    kind: 'multiSearch',
    uid: '',
    isForShards: true,
    body: { federation: {}, queries: UIDS.map((indexUid) => ({ ...RARE_WORDS, indexUid })) },
  },
]
