/**
 * What `environment.ts` uses of lmdb-js beyond what its documentation promises. It may change with any release, so the
 * version is exact in `package.json`; whoever raises it learns here what has changed its meaning.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as lmdb from 'lmdb'
import { type Database, open, type RootDatabase } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const
type Store = Database<Buffer, Buffer>

let path: string
let root: RootDatabase<Buffer, Buffer>

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'findling-lmdb-'))
  root = open<Buffer, Buffer>({ path, ...BINARY, overlappingSync: false, eventTurnBatching: false } as never)
})

afterEach(async () => {
  await root.close()
  rmSync(path, { recursive: true })
})

const openStore = (name: string): Store => root.openDB<Buffer, Buffer>(name, BINARY as never)
const key = (text: string) => Buffer.from(text)

const readJson = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))

test('lmdb is pinned to the version that these tests are about', () => {
  const { version } = readJson('node_modules/lmdb/package.json')
  expect(readJson('package.json').dependencies.lmdb).toBe(version)
  expect(readJson('package-lock.json').packages['node_modules/lmdb'].version).toBe(version)
})

test('allDbs holds everything that was opened, and nothing but Environment takes it out again', async () => {
  const { allDbs } = lmdb as unknown as { readonly allDbs: Map<string, unknown> }
  expect(allDbs).toBeInstanceOf(Map)
  const other = open<Buffer, Buffer>({ path: join(path, 'other'), ...BINARY } as never)
  const store = other.openDB<Buffer, Buffer>('words', BINARY as never)
  expect([...allDbs.values()]).toEqual(expect.arrayContaining([other, store]))
  await other.close()
  const left = [...allDbs].filter(([, opened]) => opened === other || opened === store)
  expect(left, 'close forgets what was opened by itself: Environment need not').toHaveLength(2)
  for (const [name] of left) allDbs.delete(name)
})

interface Decoding {
  decoder: { decode(memory: Buffer, length: number): unknown } | undefined
  decoderCopies: boolean | undefined
}

/** What a decoder is handed for each entry of a store. */
function handedOut(store: Store, decoderCopies: boolean | undefined) {
  const handed: { memory: Buffer; length: number; text: string }[] = []
  const decoding = store as unknown as Decoding
  const before = { decoder: decoding.decoder, decoderCopies: decoding.decoderCopies }
  decoding.decoder = {
    decode(memory, length) {
      handed.push({ memory, length, text: memory.subarray(0, length).toString() })
      return memory
    },
  }
  decoding.decoderCopies = decoderCopies
  for (const _ of store.getRange({})) {
    // The decoder has seen it.
  }
  Object.assign(decoding, before)
  return handed
}

test('a binary store has neither decoder nor decoderCopies, and goes back to copies without them', () => {
  const store = openStore('values')
  const { decoder, decoderCopies } = store as unknown as Decoding
  expect([decoder, decoderCopies]).toEqual([undefined, undefined])
  root.transactionSync(() => ['one', 'three'].forEach((text) => void store.putSync(key(text), Buffer.from(text))))
  handedOut(store, true)
  const values = Array.from(store.getRange({}), ({ value }) => value)
  expect(values.map(String)).toEqual(['one', 'three'])
  expect(values[0]!.buffer).not.toBe(values[1]!.buffer)
})

test('a decoder of a store whose decoderCopies is set is lent the memory that the next entry is read into', () => {
  const store = openStore('values')
  const texts = ['one', 'three', 'x'.repeat(20_000)]
  root.transactionSync(() => texts.forEach((text, i) => void store.putSync(key(`${i}`), Buffer.from(text))))
  const lent = handedOut(store, true)
  expect(lent.map(({ text }) => text)).toEqual(texts)
  expect(lent.map(({ length }) => length)).toEqual(texts.map((text) => text.length))
  expect(lent[1]!.memory.buffer).toBe(lent[0]!.memory.buffer)
  const copied = handedOut(store, undefined)
  expect(copied.map(({ text }) => text)).toEqual(texts)
  expect(copied[1]!.memory.buffer).not.toBe(copied[0]!.memory.buffer)
})

test('getBinaryFast lends memory that is longer than it says', () => {
  const store = openStore('values')
  root.transactionSync(() => store.putSync(key('a'), Buffer.from('value')))
  const lent = store.getBinaryFast(key('a'))!
  expect(lent.length).toBe(5)
  expect(lent.byteLength).toBeGreaterThan(5)
  expect(lent.subarray(0, lent.length).toString()).toBe('value')
})

test('putSync answers whether it has written', () => {
  const store = openStore('values')
  const put = (text: string, options: object): unknown => store.putSync(key(text), Buffer.from('v'), options as never)
  root.transactionSync(() => {
    expect([put('b', { noOverwrite: true }), put('b', { noOverwrite: true })]).toEqual([true, false])
    expect([put('c', { append: true }), put('a', { append: true })]).toEqual([true, false])
  })
})

test('statistics count pages, entries and free pages', () => {
  const store = openStore('values')
  const stats = () => root.getStats() as { pageSize: number; lastPageNumber: number; free: { entryCount: number } }
  expect(stats()).toMatchObject({ entryCount: 1, free: { entryCount: 0 } })
  root.transactionSync(() => void store.putSync(key('a'), Buffer.alloc(10_000)))
  root.transactionSync(() => void store.putSync(key('b'), Buffer.from('short')))
  expect(stats().free.entryCount).toBeGreaterThan(0)
  expect(stats().lastPageNumber).toBeGreaterThan(10_000 / stats().pageSize)
  const ofStore = store.getStats() as Record<string, number>
  expect(ofStore).toMatchObject({ entryCount: 2, treeBranchPageCount: 0, treeLeafPageCount: 1 })
  expect(ofStore.overflowPages).toBe(Math.ceil(10_000 / stats().pageSize))
})

test('a transaction inside another ends with it, and ABORT undoes all of it', () => {
  const store = openStore('values')
  root.transactionSync(() => {
    root.childTransaction(() => void store.putSync(key('kept'), Buffer.from('v')))
  })
  root.transactionSync(() => {
    store.putSync(key('undone'), Buffer.from('v'))
    return lmdb.ABORT
  })
  expect([store.doesExist(key('kept')), store.doesExist(key('undone'))]).toEqual([true, false])
})
