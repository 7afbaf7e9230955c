import { expect, test } from 'vitest'
import type { TopologyChange } from '../../state/index.js'
import { canGoOn, describeMove } from './move-phase.js'
import type { MoveState } from './move-records.js'

const REMOTE = { url: 'http://a', searchApiKey: null, writeApiKey: null }
const remotes = (...names: string[]) => new Map(names.map((name) => [name, REMOTE]))

/** `a` leads; `c` is to join `a` and `b`. */
const changeOf = (self: string): TopologyChange => ({
  before: { remotes: remotes('a', 'b'), shards: new Map([['s1', ['a', 'b']]]), version: '1' },
  after: { self, leader: 'a', remotes: remotes('a', 'b', 'c'), shards: new Map([['s1', ['c']]]), version: '2' },
})

const BEGUN: MoveState = {
  taskUid: 7,
  isExported: false,
  movedDocuments: 0,
  received: [],
  isAssigned: false,
  isTold: false,
  finished: {},
  isChangeTold: false,
  changed: [],
}
const EXPORTED = { ...BEGUN, isExported: true }
const TOLD = { ...EXPORTED, received: ['a', 'b'], isAssigned: true, isTold: true, finished: { c: true } }
const FINISHED = { ...TOLD, finished: { a: true, b: true, c: true } }

const seen = (self: string, state: MoveState, isChanged = false) => {
  const move = { change: changeOf(self), state, isChanged }
  return [canGoOn(move), describeMove(move)]
}

test('documents are handed over, and those of others awaited', () => {
  expect(seen('c', BEGUN)).toEqual([true, 'waiting for older tasks, then exporting documents'])
  expect(seen('c', { ...EXPORTED, received: ['a'] })).toEqual([false, 'importing documents; awaited: "b"'])
  expect(seen('c', { ...EXPORTED, received: ['a', 'b'] })).toEqual([true, 'importing documents'])
})

test('the leader is the first to change over, when all have all', () => {
  expect(seen('a', TOLD)).toEqual([false, 'waiting for others to finish importing; awaited: "b"'])
  expect(seen('a', FINISHED)).toEqual([true, 'waiting for others to finish importing'])
  expect(seen('c', FINISHED)).toEqual([false, 'waiting for others to finish importing; awaited: "a"'])
  expect(seen('c', { ...TOLD, changed: ['b'] })).toEqual([true, 'waiting for others to finish importing'])
})

test('a server that could not take part ends the change, unless it counts already', () => {
  const failed = { ...TOLD, finished: { b: false, c: true } }
  expect(seen('c', failed)[0]).toBe(true)
  expect(seen('c', { ...failed, isChangeTold: true }, true)[0]).toBe(false)
})

test('documents are deleted when all have changed over', () => {
  expect(seen('c', FINISHED, true)).toEqual([true, 'changing over to the new shards'])
  const told = { ...FINISHED, isChangeTold: true, changed: ['a'] }
  expect(seen('c', told, true)).toEqual([false, 'waiting for others to change over to the new shards; awaited: "b"'])
  expect(seen('c', { ...told, changed: ['b', 'a'] }, true)).toEqual([
    true,
    'deleting documents of shards no longer owned',
  ])
})
