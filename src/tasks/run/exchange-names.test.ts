import { expect, test } from 'vitest'
import { importOf, swapOf, updateIndex } from '../task.fixture.js'
import { exchangeNames } from './exchange-names.js'

test('a task follows its index to the other name', () => {
  expect(exchangeNames(importOf('a'), 'a', 'b')).toEqual(importOf('b'))
  expect(exchangeNames(importOf('b'), 'a', 'b')).toEqual(importOf('a'))
  expect(exchangeNames(importOf('c'), 'a', 'b')).toEqual(importOf('c'))
})

test('an earlier swap has its names exchanged', () => {
  expect(exchangeNames(swapOf(['a', 'c'], ['b', 'd', true]), 'a', 'b')).toEqual(swapOf(['b', 'c'], ['a', 'd', true]))
})

test('an update remembers the name it was sent to, however often its index is renamed', () => {
  const once = exchangeNames(updateIndex('a', 'z'), 'a', 'b')
  expect(once).toEqual({ ...updateIndex('b', 'z'), oldIndexUid: 'a', newestIndexUid: 'z' })
  const twice = exchangeNames(once, 'b', 'c')
  expect(twice).toEqual({ ...updateIndex('c', 'z'), oldIndexUid: 'a', newestIndexUid: 'z' })
  expect(exchangeNames(twice, 'z', 'y')).toEqual({ ...updateIndex('c', 'z'), oldIndexUid: 'a', newestIndexUid: 'y' })
  expect(exchangeNames(updateIndex('a'), 'a', 'b')).toEqual({ ...updateIndex('b'), oldIndexUid: 'a' })
})

test('tasks about tasks stay as they are', () => {
  const content = { type: 'taskDeletion', query: '?indexUids=a', matched: 0, tasks: '' } as const
  expect(exchangeNames(content, 'a', 'b')).toBe(content)
})
