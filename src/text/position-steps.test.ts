import { expect, test } from 'vitest'
import { POSITION_STEPS, stepOf } from './position-steps.js'
import { coarsePosition, POSITION_LIMIT } from './word-positions.js'

test('each position has the step of its coarse position', () => {
  const coarse = Array.from({ length: POSITION_LIMIT }, (_, position) => coarsePosition(position))
  expect(POSITION_STEPS).toEqual([...new Set(coarse)])
  expect(coarse.every((position, i) => POSITION_STEPS[stepOf[i]!] === position)).toBe(true)
  expect(stepOf).toHaveLength(POSITION_LIMIT)
})
