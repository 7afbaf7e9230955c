import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DenseDocSet, keptBytes } from './dense-doc-set.js'
import { DenseDocSetBuilder } from './dense-doc-set-builder.js'

const anyList = fc
  .oneof(fc.uniqueArray(fc.nat(50), { maxLength: 20 }), fc.uniqueArray(fc.nat(2000), { maxLength: 1000 }))
  .map((ids) => Uint32Array.from(ids).sort())

const ofLists = (lists: readonly Uint32Array[]): DenseDocSet =>
  DenseDocSet.ofSources(
    lists.map((list) => ({ count: list.length, addTo: (docs) => docs.addAll(list) })),
    2001,
  )

describe('sets as bits', () => {
  test('behave as sets do', () => {
    fc.assert(
      fc.property(anyList, anyList, anyList, (a, b, gone) => {
        const [either, both] = [new DenseDocSet(2001), new DenseDocSet(2001)]
        const other = new DenseDocSet(2001)
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
        expect(either.within(other).toArray()).toEqual(b)
      }),
    )
  })

  test('know how many they are, counted on the way or afterwards, and after they have changed', () => {
    fc.assert(
      fc.property(fc.array(anyList, { maxLength: 4 }), anyList, (lists, more) => {
        const bits = ofLists(lists)
        const expected = new Set(lists.flatMap((list) => [...list]))
        expect(bits.toArray()).toEqual(Uint32Array.from(expected).sort())
        expect(bits.count()).toBe(expected.size)
        for (const docId of more) bits.add(docId)
        expect(bits.count()).toBe(new Set([...expected, ...more]).size)
        bits.removeAll(more)
        expect(bits.count()).toBe([...expected].filter((docId) => !more.includes(docId)).length)
        bits.addAll(more)
        bits.and(ofLists([more]))
        expect(bits.count()).toBe(more.length)
        bits.or(ofLists(lists))
        expect(bits.count()).toBe(new Set([...expected, ...more]).size)
      }),
    )
  })

  test('become lists where those are much smaller, and say what they take', () => {
    fc.assert(
      fc.property(anyList, (members) => {
        const bits = new DenseDocSet(2001)
        bits.addAll(members)
        const kept = bits.compact()
        expect(kept.toArray()).toEqual(members)
        expect(keptBytes(members.length, 2001)).toBe(kept instanceof DenseDocSet ? 251 : kept.docIds.byteLength)
        expect(kept instanceof DenseDocSet).toBe(members.length > 31)
        expect(bits.compact(0) instanceof DenseDocSet).toBe(members.length > 0)
      }),
    )
  })

  test('may be made of lists without knowing the highest docId, and tell members of lists', () => {
    const far = fc.uniqueArray(fc.nat(100_000), { maxLength: 50 }).map((ids) => Uint32Array.from(ids).sort())
    fc.assert(
      fc.property(anyList, far, anyList, (a, b, asked) => {
        const bits = new DenseDocSetBuilder().add(a, a.length).add(b, b.length).finish()
        const members = Uint32Array.from(new Set([...a, ...b])).sort()
        expect(bits.toArray()).toEqual(members)
        expect(bits.limit).toBe((members.at(-1) ?? -1) + 1)
        const list = Uint32Array.from(new Set([...asked, ...b])).sort()
        expect(bits.membersOf(list)).toEqual(list.filter((id) => members.includes(id)))
        const larger = new DenseDocSet(100_001)
        larger.addAll(asked)
        larger.or(bits)
        expect(larger.toArray()).toEqual(Uint32Array.from(new Set([...asked, ...members])).sort())
      }),
    )
  })

  test('know whether they have any of a part of a list, also beyond their limit', () => {
    fc.assert(
      fc.property(anyList, anyList, fc.nat(20), (members, ids, start) => {
        const from = Math.min(start, ids.length)
        const expected = ids.subarray(from).some((id) => members.includes(id))
        expect(DenseDocSet.ofSorted(members).hasAny(ids, from, ids.length)).toBe(expected)
      }),
    )
  })
})
