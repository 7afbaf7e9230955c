import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { FreeSlots } from './free-slots.js'

/** What comes next can be asked for any number of times. */
const take = (slots: FreeSlots, count: number): number[] =>
  Array.from({ length: count }, () => {
    expect(slots.peek()).toBe(slots.peek())
    const next = slots.peek()
    expect(slots.take()).toBe(next)
    return next
  })

test('holes come first, then what is above', () => {
  expect(take(new FreeSlots(Bitmap.of(0, 2, 3, 6)), 5)).toEqual([1, 4, 5, 7, 8])
  expect(take(new FreeSlots(Bitmap.empty()), 3)).toEqual([0, 1, 2])
  expect(take(new FreeSlots(Bitmap.range(0, 70_000)), 2)).toEqual([70_000, 70_001])
  expect(take(new FreeSlots(Bitmap.of(0xffff_ffff)), 2)).toEqual([0, 1])
})

test('slots are those that a plain walk over all numbers finds', () => {
  const runs = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 20 })
  fc.assert(
    fc.property(runs, fc.constantFrom(0, 65_520), fc.nat(200), (gaps, start, count) => {
      const taken: number[] = []
      let next = start
      for (const [gap, run] of gaps) {
        next += gap
        for (let i = 0; i < run; i++) taken.push(next++)
      }
      const known = new Set(taken)
      const plain: number[] = []
      for (let slot = 0; plain.length < count; slot++) if (!known.has(slot)) plain.push(slot)
      expect(take(new FreeSlots(Bitmap.fromSorted(taken)), count)).toEqual(plain)
    }),
  )
})

test('a run that ends where a container ends is stepped over', () => {
  const taken = Bitmap.range(10, 131_072)
  expect(take(new FreeSlots(taken), 12).slice(-3)).toEqual([9, 131_072, 131_073])
})
