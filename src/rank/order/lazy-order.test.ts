import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder } from './lazy-order.js'

test('items come as sorting would have them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const sorted = [...items].sort((a, b) => a - b)
      expect([...inOrder([...items], (a, b) => a - b)]).toEqual(sorted)
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
