import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBound, lowerBoundFrom } from './lower-bound.js'

const list = (max: number, maxLength: number) =>
  fc.uniqueArray(fc.nat(max), { maxLength }).map((ids) => Uint32Array.from(ids).sort())

const anyList = fc.oneof(list(50, 20), list(2000, 10), list(2000, 1000))

test('the place of a docId is that of the first one that is not smaller, from where one starts', () => {
  fc.assert(
    fc.property(anyList, fc.nat(2100), fc.nat(30), (ids, wanted, start) => {
      const plain = (from: number) => {
        const found = ids.findIndex((id, i) => i >= from && id >= wanted)
        return found === -1 ? ids.length : found
      }
      const from = Math.min(start, ids.length)
      expect(lowerBoundFrom(ids, wanted, from)).toBe(plain(from))
      expect(lowerBound(ids, wanted)).toBe(plain(0))
    }),
  )
})
