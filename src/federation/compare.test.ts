import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScoreValue, SortValue } from '../engine/index.js'
import { compareHits, compareScored } from './compare.js'
import type { Scored } from './model.js'

const score = (value: number): ScoreValue => ({ kind: 'score', value })
const vector = (value: number): ScoreValue => ({ kind: 'vector', value })
const asc = (value: SortValue): ScoreValue => ({ kind: 'sort', isAscending: true, value })
const desc = (value: SortValue): ScoreValue => ({ kind: 'sort', isAscending: false, value })
const near = (distanceMeters: number | null): ScoreValue => ({ kind: 'geo', isAscending: true, distanceMeters })
const far = (distanceMeters: number | null): ScoreValue => ({ kind: 'geo', isAscending: false, distanceMeters })

const hit = (values: ScoreValue[], weighted = 0.5, queryPosition = 0): Scored => ({
  values,
  score: weighted,
  queryPosition,
})
const order = (left: Scored, right: Scored) => Math.sign(compareScored(left, right))

describe('values of one kind', () => {
  test.each<[string, ScoreValue, ScoreValue]>([
    ['the higher score', score(0.9), score(0.4)],
    ['the more similar one', vector(0.9), score(0.4)],
    ['the smaller number, ascending', asc(1), asc(2)],
    ['the larger number, descending', desc(2), desc(1)],
    ['the smaller text, ascending', asc('a'), asc('b')],
    ['the larger text, descending', desc('b'), desc('a')],
    ['a number before a text, ascending', asc(9), asc('a')],
    ['a number before a text, descending', desc(9), desc('a')],
    ['any value before none, ascending', asc('z'), asc(null)],
    ['any value before none, descending', desc(0), desc(null)],
    ['the farther one, ascending', near(30), near(10)],
    ['the farther one, descending', far(30), far(10)],
    ['any distance before none', near(1), near(null)],
  ])('%s is better', (_name, better, worse) => {
    expect(order(hit([better]), hit([worse]))).toBe(1)
    expect(order(hit([worse]), hit([better]))).toBe(-1)
  })

  test('scores that differ by a rounding error are equal', () => {
    expect(order(hit([score(0.1 + 0.2)]), hit([score(0.3)]))).toBe(0)
  })

  test('values that are neither number nor text are equal to all', () => {
    expect(order(hit([asc(undefined)]), hit([asc(3)]))).toBe(0)
  })

  test('the next value decides among equals', () => {
    expect(order(hit([score(1), asc(2), score(0.1)]), hit([score(1), asc(2), score(0.2)]))).toBe(-1)
  })
})

describe('lists that are not alike', () => {
  test('no values at all come last, whatever the score', () => {
    expect(order(hit([], 1), hit([score(0.001)], 0.001))).toBe(-1)
  })

  test('opposite directions are left to the scores', () => {
    expect(order(hit([asc(1), score(1)], 0.2), hit([desc(9)], 0.3))).toBe(-1)
  })

  test('opposite directions of distances are passed over', () => {
    expect(order(hit([near(1), score(0.9)], 0.1), hit([far(9), score(0.4)], 0.3))).toBe(1)
  })

  test('whoever has more values left wins where two cannot be compared, then the score', () => {
    expect(order(hit([score(1), score(1)], 0.1), hit([asc(1)], 0.9))).toBe(1)
    expect(order(hit([score(1)], 0.1), hit([asc(1)], 0.9))).toBe(-1)
  })
})

test('among equals the earlier query comes first', () => {
  expect(compareHits(hit([score(1)], 1, 0), hit([score(1)], 1, 1))).toBeLessThan(0)
  expect(compareHits(hit([score(1)], 1, 1), hit([score(1)], 1, 0))).toBeGreaterThan(0)
  expect(compareHits(hit([score(1)], 1, 1), hit([score(1)], 1, 1))).toBe(0)
})

const values = fc.array(
  fc.oneof(
    fc.constantFrom(score(0), score(0.5), vector(0.5), vector(1)),
    fc.constantFrom<SortValue>(null, 1, 2, 'a', 'b').chain((value) => fc.constantFrom(asc(value), desc(value))),
    fc.constantFrom(null, 1, 2).chain((distance) => fc.constantFrom(near(distance), far(distance))),
  ),
  { maxLength: 3 },
)

test('turning a comparison around turns its answer around', () => {
  fc.assert(
    fc.property(values, values, fc.constantFrom(0.1, 0.2), (left, right, weighted) => {
      expect(order(hit(left, weighted), hit(right)) + order(hit(right), hit(left, weighted))).toBe(0)
    }),
  )
})
