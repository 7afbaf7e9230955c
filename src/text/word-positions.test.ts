import { expect, test } from 'vitest'
import { coarsePosition, nextStart } from './word-positions.js'

test('the first value of a field starts at 0, each later one 8 behind the last word', () => {
  expect([nextStart(undefined), nextStart(0), nextStart(10)]).toEqual([0, 8, 18])
})

// Spec 5 §2.4.
test.each([
  [0, 0],
  [15, 15],
  [16, 24],
  [23, 24],
  [24, 32],
  [32, 32],
  [33, 64],
  [64, 64],
  [65, 128],
  [32_768, 32_768],
  [32_769, 65_535],
  [65_535, 65_535],
])('position %i is ranked as %i', (position, coarse) => {
  expect(coarsePosition(position)).toBe(coarse)
})
