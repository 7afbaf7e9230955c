import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FAR, followDistance, shareField } from './distance.js'

const positions = fc
  .uniqueArray(fc.tuple(fc.nat(2), fc.oneof(fc.nat(12), fc.integer({ min: 65_530, max: 65_535 }))), {
    maxLength: 12,
    selector: ([field, position]) => field * 65_536 + position,
  })
  .map((found) => Uint32Array.from(found, ([field, position]) => field * 65_536 + position).sort())

test('the distance of two words is the smallest forward one in any field', () => {
  fc.assert(
    fc.property(positions, positions, (left, right) => {
      let expected = FAR
      for (const a of left) {
        for (const b of right) if (a >>> 16 === b >>> 16 && b > a) expected = Math.min(expected, b - a)
      }
      expect(followDistance(left, 0, left.length, right, 0, right.length)).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

test('two words share a field when one field holds both', () => {
  fc.assert(
    fc.property(positions, positions, (left, right) => {
      const fields = new Set(right.map((place) => place >>> 16))
      const expected = left.some((place) => fields.has(place >>> 16))
      expect(shareField(left, 0, left.length, right, 0, right.length)).toBe(expected)
    }),
  )
})
