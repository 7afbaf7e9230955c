import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subtractPlaces, unitePlaces } from './place-sets.js'

const places = fc
  .uniqueArray(fc.oneof(fc.nat(20), fc.nat(0xffff_ffff)), { maxLength: 20 })
  .map((list) => Uint32Array.from(list).sort())

test('union and difference are those of plain sets', () => {
  fc.assert(
    fc.property(places, places, (a, b) => {
      const sorted = (numbers: Iterable<number>) => [...numbers].sort((left, right) => left - right)
      expect([...unitePlaces(a, b)]).toEqual(sorted(new Set([...a, ...b])))
      expect([...subtractPlaces(a, b)]).toEqual([...a].filter((place) => !b.includes(place)))
    }),
  )
})
