import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from './dense-doc-set.js'
import { SparseDocSet } from './sparse-doc-set.js'

const LIMIT = 301
const anyIds = fc.uniqueArray(fc.nat(LIMIT - 1), { maxLength: 60 }).map((ids) => Uint32Array.from(ids).sort())

function bitsOf(ids: Uint32Array): DenseDocSet {
  const bits = new DenseDocSet(LIMIT)
  bits.addAll(ids)
  return bits
}

test('lists behave as bits do', () => {
  fc.assert(
    fc.property(anyIds, anyIds, fc.nat(LIMIT - 1), (a, b, docId) => {
      const [list, other] = [new SparseDocSet(a, LIMIT), new SparseDocSet(b, LIMIT)]
      const [bits, otherBits] = [bitsOf(a), bitsOf(b)]
      expect(list.toArray()).toEqual(bits.toArray())
      expect([list.toBitmap().toArray(), bits.toBitmap().toArray()]).toEqual([a, a])
      expect(list.count()).toBe(bits.count())
      expect(list.has(docId)).toBe(bits.has(docId))
      expect(list.within(otherBits).toArray()).toEqual(bits.within(otherBits).toArray())
      expect(list.without(other).toArray()).toEqual(bits.without(otherBits).toArray())
      expect(list.without(otherBits).toArray()).toEqual(bits.without(otherBits).toArray())
      expect(list.with(other).toArray()).toEqual(bits.with(otherBits).toArray())
      expect(list.with(list).toArray()).toEqual(a)
    }),
  )
})

test('lists and bits may meet each other', () => {
  fc.assert(
    fc.property(anyIds, anyIds, fc.boolean(), (a, b, isCounted) => {
      const [list, other, bits] = [new SparseDocSet(a, LIMIT), new SparseDocSet(b, LIMIT), bitsOf(a)]
      if (isCounted) bits.count()
      for (const [mixed, plain] of [
        [bits.without(other), list.without(other)],
        [bits.with(other), list.with(other)],
        [list.with(bitsOf(b)), list.with(other)],
      ] as const) {
        expect(mixed.toArray()).toEqual(plain.toArray())
        expect(mixed.count()).toBe(plain.count())
      }
      expect(bits.toArray()).toEqual(a)
    }),
  )
})

test('lists are made of docIds in any order, and of those of which something is said', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(LIMIT - 1)), (ids) => {
      const list = SparseDocSet.ofAny(Uint32Array.from(ids), LIMIT)
      const members = Uint32Array.from(new Set(ids)).sort()
      expect(list.toArray()).toEqual(members)
      const said = Uint8Array.from(members, (id) => id % 3)
      expect(list.filter(said).toArray()).toEqual(members.filter((id) => id % 3 !== 0))
    }),
  )
})

test('bits copy those members of lists that they have', () => {
  fc.assert(
    fc.property(anyIds, anyIds, fc.nat(3), (members, ids, at) => {
      const found = new Uint32Array(at + ids.length + 1)
      const end = bitsOf(members).copyMembers(ids, found, at)
      expect(found.slice(at, end)).toEqual(ids.filter((id) => members.includes(id)))
    }),
  )
})
