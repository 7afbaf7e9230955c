import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstInOrder, inOrder } from './first-in-order.js'
import { Heap } from './heap.js'
import { equalsInOrder, KeyHeap } from './key-heap.js'

const ascending = (a: number, b: number) => a - b
const numbers = fc.array(fc.integer({ min: -20, max: 20 }))

test('items come as sorting would have them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      expect([...inOrder([...items], ascending)]).toEqual([...items].sort(ascending))
    }),
  )
})

test('the first item takes a few comparisons for each', () => {
  const items = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_007)
  let comparisons = 0
  const order = inOrder(items, (a, b) => {
    comparisons++
    return a - b
  })
  expect(order.next().value).toBe(0)
  expect(comparisons).toBeLessThan(30_000)
})

test('the first in order are those that sorting would put first', () => {
  fc.assert(
    fc.property(numbers, fc.nat(12), (items, limit) => {
      expect(firstInOrder(items, limit, ascending)).toEqual([...items].sort(ascending).slice(0, limit))
    }),
  )
})

/** Steps that both kinds of heap can take; `null` removes the first. */
const replacements = fc.array(fc.option(fc.integer({ min: -20, max: 20 })))

test('however the first one is replaced, the smallest is next', () => {
  fc.assert(
    fc.property(numbers, replacements, (items, steps) => {
      const heap = new Heap([...items], ascending)
      let plain = [...items].sort(ascending)
      for (const step of steps) {
        expect(heap.first).toBe(plain[0])
        if (plain.length === 0) break
        if (step === null) heap.removeFirst()
        else heap.replaceFirst(step)
        plain = [...plain.slice(1), ...(step === null ? [] : [step])].sort(ascending)
      }
    }),
  )
})

const drained = (heap: KeyHeap): [id: number, key: number][] => {
  const found: [number, number][] = []
  for (; heap.size > 0; heap.removeFirst()) found.push([heap.first, heap.firstKey])
  return found
}

test('ids come by their keys, whether the keys are given at once or one by one', () => {
  fc.assert(
    fc.property(numbers, (keys) => {
      const pushed = new KeyHeap(2)
      for (const [id, key] of keys.entries()) pushed.push(id, key)
      expect([...pushed.allIds].sort(ascending)).toEqual([...keys.keys()])
      for (const heap of [pushed, KeyHeap.of(Float64Array.from(keys))]) {
        const found = drained(heap)
        expect(found.map(([, key]) => key)).toEqual([...keys].sort(ascending))
        expect(found.every(([id, key]) => keys[id] === key)).toBe(true)
        expect(new Set(found.map(([id]) => id)).size).toBe(keys.length)
        expect(heap.first).toBe(-1)
      }
    }),
  )
})

test('however the first key is replaced, the smallest is next', () => {
  fc.assert(
    fc.property(numbers, replacements, (keys, steps) => {
      const heap = KeyHeap.of(Float64Array.from(keys))
      let plain = [...keys].sort(ascending)
      for (const step of steps) {
        expect(heap.size).toBe(plain.length)
        if (plain.length === 0) break
        expect(heap.firstKey).toBe(plain[0])
        if (step === null) heap.removeFirst()
        else heap.replaceFirst(0, step)
        plain = [...plain.slice(1), ...(step === null ? [] : [step])].sort(ascending)
      }
    }),
  )
})

test('indexes of equal keys come together', () => {
  fc.assert(
    fc.property(numbers, (keys) => {
      const groups = [...equalsInOrder(Float64Array.from(keys))]
      const expected = [...new Set(keys)].sort(ascending).map((key) => {
        return { key, indexes: [...keys.keys()].filter((i) => keys[i] === key) }
      })
      expect(groups.map(({ key, indexes }) => ({ key, indexes: indexes.sort(ascending) }))).toEqual(expected)
    }),
  )
})
