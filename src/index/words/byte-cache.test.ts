import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.js'

const sized = (sizeBytes: number) => ({ sizeBytes })

test('what was not used lately goes first', () => {
  const cache = new ByteCache(100)
  cache.set('a', sized(40))
  cache.set('b', sized(40))
  cache.get('a')
  cache.set('c', sized(40))
  expect([...cache.keys()].sort()).toEqual(['a', 'c'])
  cache.get('c')
  cache.set('d', sized(40))
  expect([...cache.keys()].sort()).toEqual(['c', 'd'])
})

test('what has grown counts with its new size', () => {
  const cache = new ByteCache(100)
  const growing = sized(10)
  cache.set('a', sized(40))
  cache.set('b', growing)
  growing.sizeBytes = 70
  expect(cache.get('b')).toBe(growing)
  cache.set('c', sized(10))
  expect([...cache.keys()]).toEqual(['b', 'c'])
})

test('what is larger than the cache is not kept', () => {
  const cache = new ByteCache(100)
  cache.set('a', sized(101))
  expect(cache.get('a')).toBeUndefined()
})

test('what was dropped leaves room', () => {
  const cache = new ByteCache(100)
  cache.set('a', sized(60))
  cache.delete('a')
  cache.delete('a')
  cache.set('b', sized(60))
  cache.set('c', sized(40))
  expect([...cache.keys()]).toEqual(['b', 'c'])
  cache.clear()
  expect([...cache.keys()]).toEqual([])
})
