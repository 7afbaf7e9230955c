import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareBytes, sortedByName, sortedUnique } from './byte-order.js'

test('the order is that of the UTF-8 bytes', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '🔑'),
    maxLength: 6,
  })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

test('characters beyond U+FFFF come after all others', () => {
  expect(sortedUnique(['😀', '\uffff', 'a', '😀'])).toEqual(['a', '\uffff', '😀'])
})

test('entries are sorted by name', () => {
  expect([...sortedByName([['b', 1] as const, ['B', 2] as const])]).toEqual([
    ['B', 2],
    ['b', 1],
  ])
})
