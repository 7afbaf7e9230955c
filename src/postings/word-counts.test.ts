import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import {
  CHUNK_SIZE,
  chunkKey,
  chunkOf,
  decodeChunk,
  encodeChunk,
  StoredWordCounts,
  WordCountChanges,
  writeCounts,
} from './word-counts.js'

test('a chunk gives back its counts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(31), { maxLength: CHUNK_SIZE }), (counts) => {
      const chunk = new Uint8Array(CHUNK_SIZE)
      chunk.set(counts)
      expect(decodeChunk(encodeChunk(chunk))).toEqual(chunk)
    }),
  )
  expect(encodeChunk(Uint8Array.of(3, 0, 7, 0, 0))).toEqual(Buffer.of(1, 3, 0, 7))
  expect(() => decodeChunk(Buffer.of(9))).toThrow('a chunk of word counts has version 9')
})

test('keys sort by field, then by docId', () => {
  const position = fc.tuple(fc.nat(65_535), fc.nat(0xffff_ffff))
  fc.assert(
    fc.property(position, position, ([field, docId], [otherField, otherDocId]) => {
      const order = Math.sign(field - otherField || Math.floor(docId / 1024) - Math.floor(otherDocId / 1024))
      const keys = [chunkKey(chunkOf(field, docId)), chunkKey(chunkOf(otherField, otherDocId))] as const
      expect(Buffer.compare(...keys)).toBe(order)
    }),
  )
})

test('counts are those that were set last', () => {
  const folder = temporaryIndex()
  const docId = fc.oneof(fc.nat(3000), fc.nat(0xffff_ffff))
  const setting = fc.record({ fieldId: fc.constantFrom(0, 1, 65_535), docId, count: fc.nat(31) })
  fc.assert(
    fc.property(fc.array(fc.array(setting, { maxLength: 30 }), { maxLength: 4 }), (batches) => {
      folder.write(() => folder.databases.wordCounts.clear())
      const twin = new Map<string, number>()
      for (const batch of batches) {
        folder.write(() => {
          const changes = new WordCountChanges()
          for (const { fieldId, docId, count } of batch) changes.set(fieldId, docId, count)
          for (const chunk of changes.byChunk()) writeCounts(folder.databases.wordCounts, chunk)
        })
        for (const { fieldId, docId, count } of batch) twin.set(`${fieldId} ${docId}`, count)
        const stored = new StoredWordCounts(folder.databases.wordCounts)
        for (const [key, count] of twin) {
          const [fieldId, docId] = key.split(' ').map(Number)
          expect(stored.get(docId!, fieldId!)).toBe(count)
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('chunks without words are not stored', () => {
  const folder = temporaryIndex()
  const set = (count: number) =>
    folder.write(() => {
      const changes = new WordCountChanges()
      changes.set(1, 5000, count)
      for (const chunk of changes.byChunk()) writeCounts(folder.databases.wordCounts, chunk)
    })
  set(4)
  expect(folder.databases.wordCounts.count()).toBe(1)
  set(0)
  expect(folder.databases.wordCounts.count()).toBe(0)
})
