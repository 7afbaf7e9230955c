import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import { graphOfPaths, termsWithNgrams } from '../match/index.js'
import { defaultSettings } from '../settings/index.js'
import { Bucket } from './bucket.js'
import { type Column, numberCombinations } from './combinations.js'
import { splitByCost } from './graph-rule.js'

/** Few values that come again and again, or nearly all that a column can hold. */
const value = fc.oneof(fc.nat(2), fc.nat(65_535), fc.constantFrom(0, 65_534, 65_535))

const someColumns = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 })).chain(([size, count]) =>
  fc.array(
    fc.array(value, { minLength: size, maxLength: size }).map((values) => Uint16Array.from(values)),
    { minLength: count, maxLength: count },
  ),
)

function expectSamePartition(columns: readonly Column[]): void {
  const size = columns[0]!.length
  const { column, combinations } = numberCombinations(columns, size)
  const texts = new Map<number, string>()
  const numbers = new Map<string, number>()
  for (let i = 0; i < size; i++) {
    const text = columns.map((values) => values[i]).join()
    const number = column[i]!
    if (number >= combinations) expect(number).toBeLessThan(combinations)
    if ((texts.get(number) ?? text) !== text) expect(texts.get(number)).toBe(text)
    if ((numbers.get(text) ?? number) !== number) expect(numbers.get(text)).toBe(number)
    texts.set(number, text)
    numbers.set(text, number)
  }
}

test('members have the same number when they have the same values, and only then', () => {
  fc.assert(fc.property(someColumns, (columns) => expectSamePartition(columns)))
})

/** Thousands of attributes, and nearly every document has its word in another one. */
function manyValues(size: number, step: number): Column {
  return Uint16Array.from({ length: size }, (_, i) => 1 + ((i * step) % 65_535))
}

test.each([17, 1000, 70_000])(
  'numbers stay below a few times the %i members, however many values there are',
  (size) => {
    const columns = [manyValues(size, 1), manyValues(size, 7919), manyValues(size, 104_729)]
    expectSamePartition(columns)
    expect(numberCombinations(columns, size).combinations).toBeLessThanOrEqual(Math.max(1 << 14, 8 * size))
  },
)

test('documents with tens of thousands of costs are split by each of them', () => {
  const word = (position: number) => ({ kind: 'word', word: 'ab'[position]!, position, isPrefix: false }) as const
  const terms = termsWithNgrams([0, 1].map(word), defaultSettings.typoTolerance).filter(({ size }) => size === 1)
  const graph = graphOfPaths([terms.map((term) => ({ term, levels: 0b111, isExactOnly: false }))])
  const size = 70_000
  const columns = [manyValues(size, 1), manyValues(size, 7919)]
  const bits = new DenseDocSet(size)
  for (let i = 0; i < size; i++) bits.add(i)
  const costs = Array.from({ length: size }, (_, i) => columns[0]![i]! + columns[1]![i]! - 2)
  const docIds = Uint32Array.from({ length: size }, (_, i) => i).sort((a, b) => costs[a]! - costs[b]! || a - b)
  for (const isSum of [true, false]) {
    const rule = {
      columns,
      solve: ([a, b]: Uint16Array) => ({ cost: a! + b! - 2, path: graph.nodes }),
      maxCost: 131_068,
      detail: (rank: number) => ({ rule: 'attributeRank', rank, max: 131_069 }) as const,
      isSum,
      isRefining: false,
    }
    const found: number[] = []
    const parts = splitByCost(rule, Bucket.of(bits), graph)
    for (let next = parts.next(); next.done !== true; next = parts.next()) found.push(...next.value.bucket.docIds)
    expect(Buffer.from(Uint32Array.from(found).buffer).equals(Buffer.from(docIds.buffer)), `isSum: ${isSum}`).toBe(true)
  }
})
