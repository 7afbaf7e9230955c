import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DocBits } from './doc-bits.js'

const anyList = fc
  .oneof(fc.uniqueArray(fc.nat(50), { maxLength: 20 }), fc.uniqueArray(fc.nat(2000), { maxLength: 1000 }))
  .map((ids) => Uint32Array.from(ids).sort())

describe('sets as bits', () => {
  test('behave as sets do', () => {
    fc.assert(
      fc.property(anyList, anyList, anyList, (a, b, gone) => {
        const [either, both] = [new DocBits(2001), new DocBits(2001)]
        const other = new DocBits(2001)
        other.addAll(b)
        either.addAll(a)
        either.or(other)
        both.addAll(a)
        both.and(other)
        both.removeAll(gone)
        const expectedBoth = a.filter((id) => b.includes(id) && !gone.includes(id))
        expect(either.toArray()).toEqual(Uint32Array.from(new Set([...a, ...b])).sort())
        expect(both.toArray()).toEqual(expectedBoth)
        expect(both.count()).toBe(expectedBoth.length)
        expect(either.without(other).toArray()).toEqual(a.filter((id) => !b.includes(id)))
        expect(either.isWithin(other)).toBe(a.every((id) => b.includes(id)))
        expect([both.isWithin(either), both.isWithin(other)]).toEqual([true, true])
      }),
    )
  })

  test('know whether they have any of a part of a list, also beyond their limit', () => {
    fc.assert(
      fc.property(anyList, anyList, fc.nat(20), (members, ids, start) => {
        const from = Math.min(start, ids.length)
        const expected = ids.subarray(from).some((id) => members.includes(id))
        expect(DocBits.ofSorted(members).hasAny(ids, from, ids.length)).toBe(expected)
      }),
    )
  })
})
