import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Pairs } from './doc-lists.js'

const list = (max: number, maxLength: number) =>
  fc.uniqueArray(fc.nat(max), { maxLength }).map((ids) => Uint32Array.from(ids).sort())

/** From a few ids to many, so that every way to compare lists is taken. */
const anyList = fc.oneof(list(50, 20), list(2000, 10), list(2000, 1000))

describe('what two lists have in common', () => {
  test('is found whatever their lengths, again and again with the same list', () => {
    const pairs = new Pairs()
    fc.assert(
      fc.property(anyList, fc.array(anyList, { minLength: 1, maxLength: 4 }), (left, rights) => {
        for (const right of rights) {
          pairs.findCommon(left, right)
          const found = Array.from({ length: pairs.count }, (_, k) => [pairs.left[k]!, pairs.right[k]!])
          const expected = [...left.keys()]
            .filter((i) => right.includes(left[i]!))
            .map((i) => [i, right.indexOf(left[i]!)])
          expect(found).toEqual(expected)
          expect([...pairs.commonOf(left, right)]).toEqual(expected.map(([i]) => left[i!]!))
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('members are found in a list of any order that names them again', () => {
  const pairs = new Pairs()
  fc.assert(
    fc.property(anyList, fc.array(fc.nat(5000)), (left, named) => {
      pairs.findMembers(left, Uint32Array.from(named))
      const found = Array.from({ length: pairs.count }, (_, k) => [pairs.left[k]!, pairs.right[k]!])
      const expected = [...named.keys()]
        .filter((i) => left.includes(named[i]!))
        .map((i) => [left.indexOf(named[i]!), i])
      expect(found).toEqual(expected)
    }),
  )
})
