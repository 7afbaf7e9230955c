import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { FieldId } from '../documents/index.js'
import {
  CHUNK_DOCUMENTS,
  ChunkMemory,
  type ChunkRows,
  chunkKey,
  decodeRows,
  encodeChunk,
  readOrdinals,
  spellingInChunk,
  stampOf,
} from './column-chunk.js'
import { type ColumnRow, compareValues, textValue } from './column-value.js'
import { ValueNumbering } from './value-numbering.js'
import { normalizeStoredFacet } from './values/normalize-facet.js'

const writer = new ByteWriter(1024)
const memory = new ChunkMemory()

const texts = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'aBcDé \0語😀'), minLength: 1, maxLength: 6 }),
    fc.constantFrom('Tom Hanks', 'tom hanks', 'TOM HANKS', 'x'.repeat(468), 'X'.repeat(469), 'É'.repeat(300)),
  )
  .map((spelling) => textValue(normalizeStoredFacet(spelling), spelling))

const numbers = fc.oneof(
  fc.constantFrom(0, -1, 1, 2001, 1e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
)

const rowOf = (values: (number | ReturnType<typeof textValue>)[]): ColumnRow => {
  const byKey = new Map(values.map((value) => [typeof value === 'number' ? value : `t${value.norm}`, value]))
  return [...byKey.values()].sort(compareValues)
}

const row = fc.array(fc.oneof(texts, numbers), { minLength: 1, maxLength: 4 }).map(rowOf)

const chunks: fc.Arbitrary<ChunkRows> = fc
  .array(fc.tuple(fc.nat(CHUNK_DOCUMENTS - 1), row), { minLength: 1, maxLength: 12 })
  .map((entries) => {
    const rows: ChunkRows = []
    for (const [low, values] of entries) rows[low] = values
    return rows
  })

const present = (rows: ChunkRows): [number, ColumnRow][] =>
  [...rows.entries()].flatMap(([i, row]) => (row ? [[i, row]] : []))

test('what is written comes back', () => {
  fc.assert(
    fc.property(chunks, fc.nat(0xffff_ffff), (rows, stamp) => {
      const bytes = encodeChunk(rows, stamp, writer)!
      expect(present(decodeRows(bytes, memory))).toEqual(present(rows))
      expect(stampOf(bytes)).toBe(stamp)
    }),
  )
})

test('places take two and four bytes where there are many values', () => {
  for (const count of [256, 257, 65_536, 65_537]) {
    const rows: ChunkRows = [Array.from({ length: count }, (_, i) => i), [0, count - 1]]
    expect(decodeRows(encodeChunk(rows, 1, writer)!, memory).join(';')).toBe(rows.join(';'))
  }
})

test('documents without values take no room of their own', () => {
  expect(encodeChunk([], 1, writer)).toBeUndefined()
  expect(encodeChunk([[], undefined, []], 1, writer)).toBeUndefined()
  const last: ChunkRows = []
  last[CHUNK_DOCUMENTS - 1] = [7]
  expect(encodeChunk(last, 1, writer)!.length).toBeLessThan(24)
})

test('a capital letter costs a bit, not the whole spelling', () => {
  const spelled = (spelling: string) =>
    encodeChunk([[textValue(normalizeStoredFacet(spelling), spelling)]], 1, writer)!.length
  expect(spelled('Tom Hanks') - spelled('tom hanks')).toBe(2)
  expect(spelled('Tom Hänks') - spelled('tom hanks')).toBeGreaterThan(9)
})

test('the values of each document get ordinals, in its order', () => {
  fc.assert(
    fc.property(chunks, (rows) => {
      const numbering = new ValueNumbering()
      const { starts, ordinals, valueCount } = readOrdinals(encodeChunk(rows, 1, writer)!, numbering, memory)
      const read = Array.from({ length: CHUNK_DOCUMENTS }, (_, low) =>
        Array.from(ordinals.subarray(starts[low], starts[low + 1]), (ordinal) => numbering.valueOf(ordinal)),
      )
      const norms = Array.from({ length: CHUNK_DOCUMENTS }, (_, low) =>
        (rows[low] ?? []).map((value) => (typeof value === 'number' ? value : value.norm)),
      )
      expect(read).toEqual(norms)
      expect(numbering.size).toBe(new Set(norms.flat()).size)
      expect(valueCount).toBeGreaterThanOrEqual(numbering.size)
    }),
  )
})

test('each document has its own spelling of a norm', () => {
  fc.assert(
    fc.property(chunks, (rows) => {
      const bytes = encodeChunk(rows, 1, writer)!
      for (const [low, row] of present(rows)) {
        for (const value of row) {
          if (typeof value !== 'number')
            expect(spellingInChunk(bytes, { low, norm: value.norm }, memory)).toBe(value.spelling)
        }
        expect(spellingInChunk(bytes, { low, norm: 'no such norm' }, memory)).toBeUndefined()
      }
    }),
  )
})

test('keys sort by field, then by docId', () => {
  const keys = [
    [0, 0],
    [0, 255],
    [0, 256],
    [0, 0xff_ffff],
    [1, 0],
    [255, 1],
    [256, 0],
  ].map(([field, chunk]) => chunkKey(field as FieldId, chunk!))
  expect([...keys].sort(Buffer.compare)).toEqual(keys)
})

test('damaged bytes are told', () => {
  const bytes = encodeChunk([[1, 2, textValue('a', 'A')]], 1, writer)!
  for (let size = 0; size < bytes.length; size++) {
    expect(() => decodeRows(bytes.subarray(0, size), memory)).toThrow(CorruptBytes)
  }
  expect(() => decodeRows(Buffer.concat([Buffer.of(9), bytes.subarray(1)]), memory)).toThrow('version 9')
})
