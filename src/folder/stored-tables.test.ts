import { expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { StoredTables, SymbolTable } from '../documents/index.js'
import { temporaryIndex } from './temporary-index.fixture.js'

const table = (text: string): SymbolTable => new SymbolTable([Buffer.from(text)])
const texts = ({ symbols }: SymbolTable): string[] => symbols.map((symbol) => Buffer.from(symbol).toString())

test('tables are numbered in the order in which they come, and the latest counts', () => {
  const folder = temporaryIndex()
  const { main } = folder.databases
  expect(folder.symbolTables.latest()).toBeUndefined()
  folder.write(() => {
    expect(folder.symbolTables.add(table('a')).number).toBe(1)
    expect(folder.symbolTables.add(table('b')).number).toBe(2)
  })
  const elsewhere = new StoredTables(main)
  expect(elsewhere.latest()).toMatchObject({ number: 2 })
  expect([texts(elsewhere.of(1)), texts(elsewhere.of(2))]).toEqual([['a'], ['b']])
})

test('other single values of an index are no tables', () => {
  const folder = temporaryIndex()
  folder.write(() => folder.create('2026-01-05T10:00:00Z', 'id'))
  expect(folder.symbolTables.latest()).toBeUndefined()
})

test('a table of a transaction that was given up is forgotten', () => {
  const folder = temporaryIndex()
  const giveUp = () =>
    folder.write(() => {
      folder.symbolTables.add(table('a'))
      throw new Error('no')
    })
  expect(giveUp).toThrow('no')
  expect(folder.symbolTables.latest()).toBeUndefined()
  expect(() => folder.symbolTables.of(1)).toThrow(CorruptBytes)
  folder.write(() => folder.symbolTables.add(table('b')))
  expect(texts(folder.symbolTables.of(1))).toEqual(['b'])
})
