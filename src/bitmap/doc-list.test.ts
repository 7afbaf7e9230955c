import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocBits } from './doc-bits.js'
import { DocList } from './doc-list.js'

const LIMIT = 301
const anyIds = fc.uniqueArray(fc.nat(LIMIT - 1), { maxLength: 60 }).map((ids) => Uint32Array.from(ids).sort())

function bitsOf(ids: Uint32Array): DocBits {
  const bits = new DocBits(LIMIT)
  bits.addAll(ids)
  return bits
}

test('lists behave as bits do', () => {
  fc.assert(
    fc.property(anyIds, anyIds, fc.nat(LIMIT - 1), (a, b, docId) => {
      const [list, other] = [new DocList(a, LIMIT), new DocList(b, LIMIT)]
      const [bits, otherBits] = [bitsOf(a), bitsOf(b)]
      expect(list.toArray()).toEqual(bits.toArray())
      expect(list.count()).toBe(bits.count())
      expect(list.has(docId)).toBe(bits.has(docId))
      expect(list.isWithin(otherBits)).toBe(bits.isWithin(otherBits))
      expect(list.within(otherBits).toArray()).toEqual(bits.within(otherBits).toArray())
      expect(list.without(other).toArray()).toEqual(bits.without(otherBits).toArray())
      expect(list.without(otherBits).toArray()).toEqual(bits.without(otherBits).toArray())
      expect(list.with(other).toArray()).toEqual(bits.with(otherBits).toArray())
      expect(list.with(list).toArray()).toEqual(a)
    }),
  )
})
