import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedUnique } from './byte-order.js'
import { byteOrderOf } from './order-of.js'

test('the order is that of the bytes', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\u00fe', '\u00ff', '\u0100', '日', '\uffff', '😀', '🔑'),
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 80 }), (words) => {
      expect(Array.from(byteOrderOf(words), (number) => words[number])).toEqual(sortedUnique(words))
    }),
  )
})
