import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subtractPositions, unitePositions } from './position-sets.js'

const positions = fc
  .uniqueArray(fc.oneof(fc.nat(20), fc.nat(0xffff_ffff)), { maxLength: 20 })
  .map((list) => Uint32Array.from(list).sort())

test('union and difference are those of plain sets', () => {
  fc.assert(
    fc.property(positions, positions, (a, b) => {
      const sorted = (numbers: Iterable<number>) => [...numbers].sort((left, right) => left - right)
      expect([...unitePositions(a, b)]).toEqual(sorted(new Set([...a, ...b])))
      expect([...subtractPositions(a, b)]).toEqual([...a].filter((position) => !b.includes(position)))
    }),
  )
})
