import fc from 'fast-check'
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

test('what stays longer than others settles', () => {
  const cache = new ByteCache(100)
  const settled: string[] = []
  const settling = (name: string) => ({ sizeBytes: 40, settle: () => void settled.push(name) })
  cache.set('a', settling('a'))
  cache.set('b', settling('b'))
  cache.get('b')
  cache.set('c', settling('c'))
  expect(settled).toEqual([])
  cache.set('d', settling('d'))
  expect([settled, [...cache.keys()].sort()]).toEqual([['b'], ['b', 'd']])
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

/** The same by a plain list, the oldest first. */
class PlainCache {
  entries: { key: string; sizeBytes: number; wasUsed: boolean }[] = []

  get(key: string): void {
    const found = this.entries.find((entry) => entry.key === key)
    if (found !== undefined) found.wasUsed = true
  }

  set(key: string, sizeBytes: number): void {
    this.delete(key)
    this.entries.push({ key, sizeBytes, wasUsed: false })
    while (this.entries.reduce((sum, entry) => sum + entry.sizeBytes, 0) > 100) {
      const oldest = this.entries.shift()!
      if (oldest.wasUsed) this.entries.push({ ...oldest, wasUsed: false })
    }
  }

  delete(key: string): void {
    this.entries = this.entries.filter((entry) => entry.key !== key)
  }
}

test('however it is used, the oldest that was not asked for goes', () => {
  const step = fc.record({
    kind: fc.constantFrom('get', 'set', 'set', 'set', 'delete', 'clear'),
    key: fc.constantFrom(...'abcdefgh'),
    sizeBytes: fc.integer({ min: 1, max: 120 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [cache, plain] = [new ByteCache(100), new PlainCache()]
      for (const { kind, key, sizeBytes } of steps) {
        if (kind === 'set') {
          cache.set(key, sized(sizeBytes))
          plain.set(key, sizeBytes)
        } else if (kind === 'clear') {
          cache.clear()
          plain.entries = []
        } else for (const either of [cache, plain]) either[kind as 'get' | 'delete'](key)
        expect([...cache.keys()]).toEqual(plain.entries.map((entry) => entry.key))
      }
    }),
  )
})
