import { expect, test } from 'vitest'
import { FieldRegistry } from '../documents/index.js'
import { temporaryIndex } from './temporary-index.fixture.js'

test('names that are only read are one object until they change', () => {
  const folder = temporaryIndex()
  const put = (names: string[], unknown: number[] = []) =>
    folder.write(() => folder.putFields(new FieldRegistry(names, unknown)))
  const empty = folder.readFields()
  expect(empty.all()).toEqual([])
  put(['b', 'a'], [1])
  const first = folder.readFields()
  expect([first.known(), folder.fields() === first]).toEqual([['b'], false])
  put(['b', 'a'], [1])
  expect(folder.readFields()).toBe(first)
  put(['b', 'a'])
  expect(folder.readFields().inByteOrder()).toEqual(['a', 'b'])
})

test('names of a transaction that failed are not read afterwards', () => {
  const folder = temporaryIndex()
  folder.write(() => folder.putFields(new FieldRegistry(['a'])))
  const fail = () => {
    folder.putFields(new FieldRegistry(['a', 'b']))
    expect(folder.readFields().all()).toEqual(['a', 'b'])
    throw new Error('no')
  }
  expect(() => folder.write(fail)).toThrow('no')
  expect(folder.readFields().all()).toEqual(['a'])
})
