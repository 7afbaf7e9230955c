import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import { normalizeStoredFacet, ValueTally } from '../../columns/index.js'
import { columnOf } from '../../rank/index.js'
import { ValueIndex } from '../../rank/order/value-index.fixture.js'
import { countByDocument } from './count-by-document.js'
import { countByValue } from './count-by-value.js'
import { KeptValues } from './kept-values.js'
import type { FacetCount } from './model.js'
import { numberLabel } from './number-label.js'
import { COST_PER_PART, countingCost } from './walk-cost.js'

const scalar = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.constantFrom(1e21, 0.5, 'a', 'A', ' a', 'é', 'E\u0301', 'B', 'Z', '\u{10000}', '\uffff', true, null, ''),
)
const lists = fc.array(fc.array(scalar, { maxLength: 4 }), { minLength: 1, maxLength: 25 })

const tally = new ValueTally()

/** The plain twin, without an order. */
function plainCounts(values: readonly unknown[][], candidates: readonly number[]): FacetCount[] {
  const counts = new Map<number | string, FacetCount>()
  for (const docId of candidates) {
    const given = values[docId]!.filter((one) => one !== null && one !== '')
    const spelled = new Map<number | string, string>()
    for (const one of given) {
      if (typeof one === 'number') spelled.set(one, numberLabel(one))
      else spelled.set(normalizeStoredFacet(String(one)), String(one))
    }
    for (const [value, label] of spelled) {
      const known = counts.get(value)
      counts.set(value, { label: known?.label ?? label, value, count: (known?.count ?? 0) + 1 })
    }
  }
  return [...counts.values()]
}

type Compare = (a: FacetCount, b: FacetCount) => number
const byNumber: Compare = (a, b) => (a.value as number) - (b.value as number)
const byLabel: Compare = (a, b) => compareBytes(a.label, b.label)
const byText: Compare = (a, b) => compareBytes(a.value as string, b.value as string)
const byCount =
  (byValue: Compare): Compare =>
  (a, b) =>
    b.count - a.count || byValue(b, a)

interface Orders {
  readonly numbers: Compare
  readonly texts: Compare
}

function ordered(counts: readonly FacetCount[], { numbers, texts }: Orders, limit: number): FacetCount[] {
  const isNumber = ({ value }: FacetCount) => typeof value === 'number'
  const sortedTexts = counts.filter((count) => !isNumber(count)).sort(texts)
  return [...counts.filter(isNumber).sort(numbers), ...sortedTexts].slice(0, limit)
}

function plainStats(counts: readonly FacetCount[]) {
  const numbers = counts.map(({ value }) => value).filter((value) => typeof value === 'number')
  return numbers.length === 0 ? null : { min: Math.min(...numbers), max: Math.max(...numbers) }
}

test('looking at documents and walking through values count what the plain twin counts', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.func(fc.boolean()), fc.integer({ min: 1, max: 12 }), async (values, isIn, maxValues) => {
      const documents = values.map((v, id) => ({ id, v }))
      const made = await ValueIndex.of({ filterableAttributes: ['v'] }, documents)
      const docIds = Uint32Array.from(values.map((_, docId) => docId).filter((docId) => isIn(docId)))
      const counts = plainCounts(values, [...docIds])
      const stats = plainStats(counts)
      const column = columnOf(made.index, 'v')
      if (column !== undefined) {
        const facets = made.index.facets.field('v')!
        const candidates = Bitmap.fromSorted(docIds)
        const walk = { values: facets, column, candidates, maxValues, maxCost: Number.POSITIVE_INFINITY }
        const alpha = { attribute: 'v', order: 'alpha' } as const
        const count = { attribute: 'v', order: 'count' } as const
        const byFrequency = ordered(counts, { numbers: byCount(byNumber), texts: byCount(byText) }, maxValues)
        const expected = (list: FacetCount[]) => ({ attribute: 'v', values: list, stats })
        expect(countByDocument(alpha, { column, docIds, maxValues, tally })).toEqual(
          expected(ordered(counts, { numbers: byLabel, texts: byText }, maxValues)),
        )
        const inOrder = expected(ordered(counts, { numbers: byNumber, texts: byText }, maxValues))
        // Kept as far as there is room: none, some, all; the second time they are there.
        const kept = [0, 1000, 2000, 1 << 20].map((maxBytes) => new KeptValues(facets, maxBytes))
        for (const values of [facets, ...kept, ...kept]) {
          expect(countByValue(alpha, { ...walk, values })).toEqual(inOrder)
          expect(countByValue(count, { ...walk, values })).toEqual(expected(byFrequency))
        }
        for (const values of kept) values.read(3)
        for (const values of kept) expect(countByValue(alpha, { ...walk, values })).toEqual(inOrder)
        expect(countByDocument(count, { column, docIds, maxValues, tally })).toEqual(expected(byFrequency))
        const all = Uint32Array.from(values.keys())
        const most = { count: docIds.length, all: () => all, others: () => all.filter((docId) => !isIn(docId)) }
        // The first time the candidates are counted, then all others.
        for (let time = 0; time < 3; time++) {
          expect(countByDocument(count, { column, docIds, most, maxValues, tally })).toEqual(expected(byFrequency))
        }
      }
      await made.delete()
    }),
    { numRuns: 25 },
  )
}, 30_000)

test('a walk gives up when it becomes too expensive', async () => {
  const field = { attribute: 'v', order: 'alpha' } as const
  const documents = Array.from({ length: 40 }, (_, id) => ({ id, v: id % 2 === 0 ? id : `t${id}` }))
  const made = await ValueIndex.of({ filterableAttributes: ['v'] }, documents)
  const walk = {
    values: made.index.facets.field('v')!,
    column: columnOf(made.index, 'v')!,
    candidates: made.index.docIds,
  }
  // Forty values with one document each, and one step back from the end to find the largest number.
  const cost = 41 * (COST_PER_PART + 2 + countingCost(1, 1))
  expect(countByValue(field, { ...walk, maxValues: 50, maxCost: cost })?.values).toHaveLength(40)
  expect(countByValue(field, { ...walk, maxValues: 50, maxCost: cost - 1 })).toBeUndefined()
  // With one hit in eight values it takes too long to find thirty.
  const few = { ...walk, candidates: Bitmap.of(14, 30), maxValues: 30 }
  expect(countByValue(field, { ...few, maxCost: 50 * COST_PER_PART })).toBeUndefined()
  await made.delete()
})

test('labels of numbers read back as the numbers, without exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const label = numberLabel(number + 0)
      expect(label).toMatch(/^-?\d+(\.\d*[1-9])?$/)
      expect(Number(label)).toBe(number + 0)
    }),
  )
})
