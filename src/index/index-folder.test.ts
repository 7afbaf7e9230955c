import { expect, test } from 'vitest'
import { ByteWriter } from '../bytes/index.js'
import type { DocId } from '../documents/index.js'
import { encodeDocument } from '../documents/index.js'
import { decodeJson, docIdKey } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { indexStats } from './index-stats.js'

const NOW = '2026-01-05T10:00:00.123456789Z'
const docId = (id: number): DocId => id as DocId

test('a folder is no index until it is created', () => {
  const folder = temporaryIndex()
  expect(folder.meta()).toBeUndefined()
  expect(() => indexStats(folder)).toThrow(/has lost what is known of it/)
  expect([...folder.docIds()]).toEqual([])
  expect(folder.fields().all()).toEqual([])
  folder.write(() => folder.create(NOW, null))
  expect(folder.meta()).toMatchObject({ primaryKey: null, createdAt: NOW, updatedAt: NOW, documentCount: 0 })
  expect(folder.fields().all()).toEqual([])
})

test('the primary key of a new index is its first field', () => {
  const folder = temporaryIndex()
  folder.write(() => folder.create(NOW, 'a.b'))
  expect(folder.fields().all()).toEqual(['a.b'])
})

test('what is written in a transaction that throws is not there', () => {
  const folder = temporaryIndex()
  expect(() =>
    folder.write(() => {
      folder.create(NOW, 'id')
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(folder.meta()).toBeUndefined()
})

test('docIds sort as their keys do, and documents are found by both numbers and names', () => {
  const folder = temporaryIndex()
  const ids = [0, 255, 256, 65_536, 0xffff_ffff].map(docId)
  expect(ids.map(docIdKey).sort(Buffer.compare)).toEqual(ids.map(docIdKey))
  folder.write(() => {
    for (const id of ids) folder.databases.documents.put(docIdKey(id), encodeDocument([], new ByteWriter(16)))
    folder.databases.externalIds.put(Buffer.from('last'), docIdKey(docId(0xffff_ffff)))
  })
  expect(folder.docIdOf('last')).toBe(0xffff_ffff)
  expect(folder.document(docId(0xffff_ffff))).toEqual([])
  expect(folder.document(docId(7))).toBeUndefined()
})

test('no text is too short or too long to be asked for', () => {
  const folder = temporaryIndex()
  for (const id of ['', 'x', 'x'.repeat(511), 'x'.repeat(512), 'é'.repeat(100_000)]) {
    expect(folder.docIdOf(id)).toBeUndefined()
  }
})

test('meta data of another version are refused', () => {
  expect(() => decodeJson(Buffer.from('\x09{}'), 'the index meta data')).toThrow('the index meta data has version 9')
})
