import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_SYMBOLS, type SymbolTable } from './symbol-table.js'
import { trainTable } from './train-table.js'

const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara']
const sentence = (i: number): Buffer =>
  Buffer.from(
    `"${NAMES[i % 5]} directed ${NAMES[(i * 3) % 5]} in a film of ${1900 + ((i * 7) % 100)}, starring nobody."`,
  )

const packedSize = (table: SymbolTable, value: Uint8Array): number =>
  table.pack(value, new Uint8Array(value.length * 2))
const texts = (table: SymbolTable): string[] => table.symbols.map((symbol) => Buffer.from(symbol).toString('latin1'))

test('what is frequent becomes symbols, and values like those of the sample get much shorter', () => {
  const table = trainTable(Array.from({ length: 200 }, (_, i) => sentence(i)))
  const fresh = sentence(12_345)
  expect(packedSize(table, fresh)).toBeLessThan(fresh.length / 4)
})

test('the same sample gives the same table', () => {
  const sample = Array.from({ length: 100 }, (_, i) => sentence(i))
  expect(texts(trainTable(sample))).toEqual(texts(trainTable(sample)))
})

test('nothing, and empty values, give an empty table', () => {
  expect(trainTable([]).symbols).toEqual([])
  expect(trainTable([new Uint8Array(), new Uint8Array()]).symbols).toEqual([])
})

test('of random bytes the table holds bytes, and packs at most to the double', () => {
  const random = createHash('shake256', { outputLength: 20_000 }).digest()
  const table = trainTable([random])
  expect(table.symbols).toHaveLength(MAX_SYMBOLS)
  expect(packedSize(table, random)).toBeLessThan(random.length * 1.1)
})

test('any sample gives a table without a symbol twice, which it packs within bounds', () => {
  const value = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ minLength: 1, maxLength: 3 }).map((text) => Buffer.from(text.repeat(100))),
  )
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (sample) => {
      const table = trainTable(sample)
      expect(new Set(texts(table)).size).toBe(table.symbols.length)
      for (const one of sample) expect(packedSize(table, one)).toBeLessThanOrEqual(2 * one.length)
    }),
    { numRuns: 30 },
  )
})
