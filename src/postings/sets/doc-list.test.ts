import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../../bitmap/index.js'
import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import { addDocList, readDocList, skipDocList, writeDocList } from './doc-list.js'
import { RANGE_SIZE } from './set-key.js'

/** Lists with few numbers, far apart or close together, and with nearly all. */
const docLists: fc.Arbitrary<Uint16Array> = fc
  .oneof(
    fc.uniqueArray(fc.nat(RANGE_SIZE - 1), { maxLength: 200 }),
    fc.uniqueArray(fc.nat(600), { maxLength: 500, size: 'max' }),
    fc.tuple(fc.nat(300), fc.uniqueArray(fc.nat(3000), { maxLength: 40 })).map(([from, gaps]) => {
      const missing = new Set(gaps)
      return Array.from({ length: 3000 }, (_, i) => from + i).filter((doc) => !missing.has(doc))
    }),
  )
  .map((list) => Uint16Array.from(list).sort())

function written(...lists: readonly Uint16Array[]): Buffer {
  const writer = new ByteWriter()
  for (const list of lists) writeDocList(writer, list)
  return writer.take()
}

test('lists are read as they were written, one behind the other', () => {
  fc.assert(
    fc.property(docLists, docLists, (first, second) => {
      const bytes = written(first, second)
      const reader = new ByteReader(bytes)
      const docs = new Uint16Array(RANGE_SIZE)
      expect(docs.slice(0, readDocList(reader, docs))).toEqual(first)
      expect(docs.slice(0, readDocList(reader, docs))).toEqual(second)
      expect(reader.isAtEnd).toBe(true)
    }),
  )
})

test('a list is added to a set as far as the set goes', () => {
  const scratch = new Uint16Array(RANGE_SIZE)
  fc.assert(
    fc.property(docLists, docLists, fc.nat(2), fc.nat(40_000), (before, list, range, limit) => {
      const docs = new DenseDocSet(limit + 1)
      docs.addAll(Uint32Array.of(0))
      const reader = new ByteReader(written(before, list))
      skipDocList(reader, scratch)
      addDocList(reader, docs, range * RANGE_SIZE, scratch)
      const wanted = new Set([0, ...Array.from(list, (doc) => doc + range * RANGE_SIZE)])
      const below = (docId: number) => docId <= limit
      expect(Array.from(docs.toArray()).filter(below)).toEqual([...wanted].filter(below).sort((a, b) => a - b))
    }),
  )
})

test('dense lists take no more than a bit for each document', () => {
  const all = Uint16Array.from({ length: RANGE_SIZE }, (_, i) => i)
  expect(written(all).length).toBeLessThan(RANGE_SIZE / 8 + 8)
})

test('damaged lists are told, or read as others: never beyond their end', () => {
  const scratch = new Uint16Array(RANGE_SIZE)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const reader = new ByteReader(bytes)
      try {
        expect(readDocList(reader, scratch)).toBeLessThanOrEqual(RANGE_SIZE)
        expect(reader.at).toBeLessThanOrEqual(bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptBytes)
      }
    }),
    { numRuns: 1000 },
  )
})
