import fc from 'fast-check'
import type { SortKey } from '../match/index.js'
import type { RankRequest } from './model.js'
import { FIRST_SLICE } from './slices.js'
import type { PlainDocument } from './twin/index.twin.js'

/** Words that complete, misspell, split and join one another. */
const vocabulary = [
  ...['sun', 'flower', 'sunflower', 'sunflowers', 'flow', 'snow', 'board', 'snowboard', 'bord', 'snowbord'],
  ...['the', 'sunfolwer', '12345', 's', 'un', 'boards'],
]
// Some come more often, so that documents have words in common.
const word = fc.oneof(
  fc.constantFrom('sun', 'flower', 'snow', 'board', 'sunflower', 'snowboard'),
  fc.constantFrom(...vocabulary),
)
const misspelt = ['flowr', 'sunflwer', 'bord', 'xun', '12346', 'snowbaords', 'sunflowr', 'baord', 'flowre']
const prefixes = ['su', 'sno', 'flo', 'snowb', 'sunfl', 'oard', '1234', 'zzz']
const typed = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom(...misspelt) },
  { weight: 1, arbitrary: fc.constantFrom(...prefixes) },
)
const separator = fc.oneof(
  { weight: 6, arbitrary: fc.constant(' ') },
  { weight: 1, arbitrary: fc.constantFrom(', ', '. ', '-', '  ') },
)

function textOf(parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.tuple(parts, separator), { maxLength, size: 'max' }).map((list) => list.flat().join(''))
}

const price = fc.constantFrom<unknown>(1, 2, 2.5, 10, '7', 'b', 'A', true, null, [3, 1], ['x', 2])
const color = fc.constantFrom<unknown>('red', 'Red', 'blue', ['red', 'green'], ['blue', 1], 1, null, [])

const document: fc.Arbitrary<PlainDocument> = fc.record(
  {
    title: textOf(word, 4),
    overview: textOf(word, 8),
    tags: fc.array(textOf(word, 3), { maxLength: 3 }),
    meta: fc.record({ note: textOf(word, 4), list: fc.array(textOf(word, 2), { maxLength: 2 }) }),
    price,
    color,
  },
  { requiredKeys: ['title'] },
)

/** More than a hundred words that begin with `s`, `su` and `sun`: these prefixes are cached. */
const crowded: PlainDocument = {
  title: Array.from({ length: 110 }, (_, i) => `sun${i}${i % 3 === 0 ? ` ${vocabulary[i % 10]}` : ''}`).join(' '),
}

/** Each has an id, and the first one has all fields, in one order, so that fields always get the same numbers. */
export const someDocuments: fc.Arbitrary<readonly PlainDocument[]> = fc
  .tuple(
    fc.array(document, { minLength: 1, maxLength: 12, size: 'max' }),
    fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.constant([crowded]) }),
  )
  .map(([documents, more]) => {
    const first = {
      title: '',
      overview: '',
      tags: [],
      meta: { note: '', list: [] },
      price: null,
      color: null,
      ...documents[0],
    }
    return [first, ...documents.slice(1), ...more].map((one, id) => ({ id, ...one }))
  })

const textRules = ['words', 'typo', 'proximity', 'attributeRank', 'wordPosition', 'exactness', 'sort']
const rankingRules = fc.oneof(
  { weight: 3, arbitrary: fc.constant(textRules) },
  { weight: 2, arbitrary: fc.shuffledSubarray([...textRules, 'price:asc']) },
  { weight: 1, arbitrary: fc.shuffledSubarray(['words', 'typo', 'proximity', 'attribute', 'exactness', 'color:desc']) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...textRules, 'price:asc', 'price:desc'), { maxLength: 9 }) },
)

const typoTolerance = fc.record(
  {
    enabled: fc.constantFrom(true, true, true, false),
    minWordSizeForTypos: fc.constantFrom(
      { oneTypo: 2, twoTypos: 4 },
      { oneTypo: 3, twoTypos: 5 },
      { oneTypo: 5, twoTypos: 6 },
    ),
    disableOnWords: fc.constantFrom(['flower'], ['sunflower', 'snow']),
    disableOnAttributes: fc.constantFrom(['title'], ['tags', 'overview'], ['meta', 'title']),
    disableOnNumbers: fc.boolean(),
  },
  { requiredKeys: [] },
)

const synonyms = fc.constantFrom(
  { sun: ['snow board', 'flower'], flower: ['snow'] },
  { 'snow board': ['sunflower', 'the sun'], snowboard: ['sun flow'], 'sun the flower': ['bord'] },
  { sunflower: ['the', 'the sun', '12345 board'], bord: ['snow the board'] },
)

/** As a settings request holds them; what is left out has its default. */
export const someSettings: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .record(
    {
      searchableAttributes: fc.constantFrom(
        ['title', 'overview', 'tags'],
        ['overview', 'title'],
        ['tags', 'x', 'title', 'meta'],
        ['meta.list', 'title', 'meta.note'],
      ),
      rankingRules,
      stopWords: fc.constantFrom(['the'], ['flow', 'the']),
      synonyms,
      typoTolerance,
      proximityPrecision: fc.constantFrom('byWord', 'byWord', 'byAttribute'),
      prefixSearch: fc.constantFrom('indexingTime', 'indexingTime', 'disabled'),
    },
    { requiredKeys: [] },
  )
  .map((settings) => ({ ...settings, sortableAttributes: ['price', 'color'], filterableAttributes: ['color'] }))

const queryPart = fc.oneof(
  { weight: 8, arbitrary: typed },
  { weight: 1, arbitrary: textOf(word, 3).map((text) => `"${text.trim()}"`) },
  { weight: 1, arbitrary: word.map((text) => `-${text}`) },
)
const query = fc
  .tuple(fc.array(fc.tuple(queryPart, separator), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, isOpen]) => {
    const text = parts.flat().join('')
    return isOpen ? text.trimEnd() : text
  })

const sortKey: fc.Arbitrary<SortKey> = fc.record({
  kind: fc.constant('attribute' as const),
  attribute: fc.constantFrom('price', 'color'),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
})

function rarely<T>(arbitrary: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })
}

/** A request whose filter is a plain list of documents, some of which may not exist. */
export type PlainRequest = Partial<Omit<RankRequest, 'filter'>> & { readonly filter: readonly number[] | null }

export const someRequest: fc.Arbitrary<PlainRequest> = fc.record({
  q: fc.oneof(
    { weight: 9, arbitrary: query },
    { weight: 1, arbitrary: fc.constantFrom(null, '', '-sun') },
  ) as fc.Arbitrary<string | null>,
  matchingStrategy: fc.constantFrom('last' as const, 'last' as const, 'all' as const, 'frequency' as const),
  attributesToSearchOn: rarely(
    fc.constantFrom<readonly string[] | null>(
      ['title'],
      ['overview', 'tags'],
      ['t*'],
      ['*view', 'nope'],
      ['meta', 'meta.note'],
      ['*'],
    ),
    null,
  ),
  sort: rarely(fc.uniqueArray(sortKey, { maxLength: 2 }), []),
  distinct: rarely(fc.constant<string | null>('color'), null),
  filter: rarely(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7, 8]) as fc.Arbitrary<readonly number[] | null>, null),
  depth: fc.oneof(fc.constant(2000), fc.nat(6)),
  isExhaustive: fc.boolean(),
  firstSlice: fc.constantFrom(FIRST_SLICE, 1, 2, 3),
  fewByDocument: fc.constantFrom(0, 0, 2, 1000),
  mostListed: fc.constantFrom(0, 3, 1000),
  largestOrigin: fc.constantFrom(0, 3, 1000),
  deadline: fc.oneof(
    { weight: 30, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    { weight: 1, arbitrary: fc.constant(Number.NEGATIVE_INFINITY) },
  ),
  threshold: rarely(fc.constantFrom<number | null>(0, 0.3, 0.5, 0.7, 0.8, 0.9, 1), null),
})
