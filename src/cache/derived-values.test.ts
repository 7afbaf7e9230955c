import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.js'
import { type Carried, DerivedValues } from './derived-values.js'
import { VersionCache } from './version-cache.js'

const COUNTED = Symbol('counted')

test('a value is made once for each version', () => {
  const values = new DerivedValues(new Map())
  let made = 0
  const derived = () => values.derive(COUNTED, () => ++made)
  expect([derived(), derived()]).toEqual([1, 1])
  values.clear()
  expect(derived()).toBe(2)
})

test('what is carried is made of what it was, once for each version', () => {
  const values = new DerivedValues(new Map())
  const carried = () => values.carry<number[]>(COUNTED, (before = []) => [...before, before.length])
  expect([carried(), carried()]).toEqual([[0], [0]])
  values.clear()
  values.clear()
  expect(carried()).toEqual([0, 1])
})

test('what is carried outlives what was derived', () => {
  const carried: Carried = new Map()
  const first = new DerivedValues(carried)
  first.carry(COUNTED, () => 'first')
  const second = new DerivedValues(carried)
  expect(second.carry(COUNTED, (before) => `${before} and second`)).toBe('first and second')
})

test('known results go with their version, and count as what they take', () => {
  const values = new DerivedValues(new Map())
  const known = new VersionCache<string>('answers', 1000)
  known.keep(values, 'a', 'b', 10)
  values.derive(COUNTED, () => new ByteCache(10))
  expect([known.get(values, 'a'), values.sizeBytes]).toEqual(['b', 12])
  values.clear()
  expect([known.get(values, 'a'), values.sizeBytes]).toEqual([undefined, 0])
})
