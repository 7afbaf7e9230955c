import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import type { FieldId } from '../../documents/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { sortableNumber } from '../values/sortable-number.js'
import { chunkedKey, type FactKey, NUMBER_SHIFTS, numberKey, stringKey } from './facet-key.js'
import { type FacetValue, StoredFieldFacets } from './field-facets.js'

const FIELD = 0x00ff as FieldId
const folder = temporaryIndex()
const facets = new StoredFieldFacets(folder.databases.facets, FIELD)

/** DocIds in several chunks. */
const docIdOf = (i: number): number => i * 40_000

/** Stores that the document of the i-th value has it, and a neighbour field that must not be seen. */
function store(keysOf: (field: FieldId, i: number) => FactKey[], count: number): void {
  const entries = new Map<string, Bitmap>()
  for (let i = 0; i < count; i++) {
    for (const field of [FIELD, (FIELD + 1) as FieldId, (FIELD - 1) as FieldId]) {
      for (const fact of keysOf(field, i)) {
        const key = chunkedKey(fact, docIdOf(i) >>> 16).toString('latin1')
        const ids = entries.get(key) ?? Bitmap.empty()
        ids.add(docIdOf(i))
        entries.set(key, ids)
      }
    }
  }
  folder.write(() => {
    folder.databases.facets.clear()
    for (const [key, ids] of entries) folder.databases.facets.put(Buffer.from(key, 'latin1'), ids.serialize())
  })
}

interface Limits<T> {
  readonly min?: { readonly value: T; readonly isInclusive: boolean }
  readonly max?: { readonly value: T; readonly isInclusive: boolean }
}

function within<T>(value: T, { min, max }: Limits<T>, compare: (a: T, b: T) => number): boolean {
  const low = min === undefined ? 1 : compare(value, min.value)
  const high = max === undefined ? -1 : compare(value, max.value)
  return (low > 0 || (low === 0 && min!.isInclusive)) && (high < 0 || (high === 0 && max!.isInclusive))
}

const limits = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Limits<T>> => {
  const bound = fc.record({ value: values, isInclusive: fc.boolean() })
  return fc.record({ min: bound, max: bound }, { requiredKeys: [] })
}

/** The distinct values in order, each with the documents that hold it. */
function distinct<T>(values: readonly T[], compare: (a: T, b: T) => number): { value: T; docIds: number[] }[] {
  const sorted = [...new Set(values)].sort(compare)
  return sorted.map((value) => ({
    value,
    docIds: values.flatMap((other, i) => (other === value ? [docIdOf(i)] : [])),
  }))
}

const shown = <T>(values: Iterable<{ value: T; docIds: Bitmap }>) =>
  Array.from(values, ({ value, docIds }) => ({ value, docIds: [...docIds] }))

/** Behind each value come those that follow it. */
function expectTails<T>(
  values: readonly { value: T; docIds: number[] }[],
  after: (value: FacetValue<T>) => Iterable<FacetValue<T>>,
): void {
  for (const [i, { value, docIds }] of values.entries()) {
    expect(shown(after({ value, docIds: Bitmap.fromSorted(docIds) }))).toEqual(values.slice(i + 1))
  }
}

describe('numbers', () => {
  const numbers = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer({ min: -300, max: 300 }),
    fc.constantFrom(0, 1, -1, 65_536, Number.MAX_VALUE, Number.MIN_VALUE, -Number.MAX_VALUE),
  )
  const ascending = (a: number, b: number) => a - b || 0

  test('ranges and lists are those of the plain values', () => {
    const ranges = fc.array(limits(numbers), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(numbers, { maxLength: 12 }), ranges, (values, asked) => {
        store(
          (field, i) => NUMBER_SHIFTS.map((shift) => numberKey(field, sortableNumber(values[i]!), shift)),
          values.length,
        )
        const plain = (test: (value: number) => boolean) =>
          values.flatMap((value, i) => (test(value) ? [docIdOf(i)] : []))
        for (const range of asked) {
          expect([...facets.numberRange(range)]).toEqual(plain((value) => within(value, range, ascending)))
        }
        for (const one of values) expect([...facets.numberEquals(one)]).toEqual(plain((value) => value === one))
        expect(shown(facets.numbers())).toEqual(distinct(values, ascending))
        expect(shown(facets.numbers(true))).toEqual(distinct(values, ascending).reverse())
        expectTails(distinct(values, ascending), (value) => facets.numbersAfter(value))
      }),
    )
  })
})

describe('strings', () => {
  const strings = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{10ffff}', '\uffff'), maxLength: 3 }),
    fc.constantFrom('', 'a'.repeat(468), 'a'.repeat(467)),
  )
  const asked = fc.oneof(strings, fc.constantFrom('a'.repeat(469), 'a'.repeat(5000), 'c'.repeat(100_000)))

  test('ranges, beginnings, parts and lists are those of the plain values', () => {
    fc.assert(
      fc.property(fc.array(strings, { maxLength: 10 }), limits(asked), asked, (values, range, text) => {
        store((field, i) => [stringKey(field, values[i]!)], values.length)
        const plain = (test: (value: string) => boolean) =>
          values.flatMap((value, i) => (test(value) ? [docIdOf(i)] : []))
        expect([...facets.stringRange(range)]).toEqual(plain((value) => within(value, range, compareBytes)))
        expect([...facets.stringPrefix(text)]).toEqual(plain((value) => value.startsWith(text)))
        expect([...facets.stringContains(text)]).toEqual(plain((value) => value.includes(text)))
        expect([...facets.stringEquals(text)]).toEqual(plain((value) => value === text))
        for (const one of values) expect(facets.firstWithString(one)).toBe(docIdOf(values.indexOf(one)))
        expect(shown(facets.strings())).toEqual(distinct(values, compareBytes))
        expect(shown(facets.strings(true))).toEqual(distinct(values, compareBytes).reverse())
        expectTails(distinct(values, compareBytes), (value) => facets.stringsAfter(value))
      }),
    )
  })

  test('a zero inside a text does not make it the one that ends there', () => {
    const values = ['a', 'a\0', 'a\0b', '\0', 'ab']
    store((field, i) => [stringKey(field, values[i]!)], values.length)
    for (const [i, value] of values.entries()) expect([...facets.stringEquals(value)]).toEqual([docIdOf(i)])
    const bound = (value: string, isInclusive: boolean) => ({ value, isInclusive })
    expect([...facets.stringRange({ max: bound('a', true) })]).toEqual([0, docIdOf(3)])
    expect([...facets.stringRange({ min: bound('a', false) })]).toEqual([docIdOf(1), docIdOf(2), docIdOf(4)])
    expect([...facets.stringPrefix('a\0')]).toEqual([docIdOf(1), docIdOf(2)])
    expectTails(distinct(values, compareBytes), (value) => facets.stringsAfter(value))
  })
})

test('many values are found together as each is alone', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\0'), maxLength: 4 })
  const number = fc.integer({ min: -20, max: 20 })
  const stored = fc.array(fc.oneof(text, number), { maxLength: 60 })
  const asked = { strings: fc.array(text, { maxLength: 80 }), numbers: fc.array(number, { maxLength: 20 }) }
  fc.assert(
    fc.property(stored, fc.record(asked), (values, { strings, numbers }) => {
      const factOf = (field: FieldId, value: string | number): FactKey =>
        typeof value === 'string' ? stringKey(field, value) : numberKey(field, sortableNumber(value), 0)
      store((field, i) => [factOf(field, values[i]!)], values.length)
      const alone = [
        ...strings.map((one) => facets.stringEquals(one)),
        ...numbers.map((one) => facets.numberEquals(one)),
      ]
      expect([...facets.equalsAny(strings, numbers)]).toEqual([...Bitmap.orMany(alone)])
    }),
    { numRuns: 300 },
  )
})

test('of a value that is in many chunks all are found, whatever stands between them', () => {
  // The key of chunk 1 of `a` comes behind those of `a\0` in chunk 0.
  const values = ['a', 'a\0', 'a', 'a\0', 'a']
  store((field, i) => [stringKey(field, values[i]!)], values.length)
  expect([...facets.equalsAny(['a'], [])]).toEqual([0, 2, 4].map(docIdOf))
  expect([...facets.equalsAny(['a', 'a\0', 'b'], [])]).toEqual([0, 1, 2, 3, 4].map(docIdOf))
})
