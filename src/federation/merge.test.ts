import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareHits } from './compare.js'
import { mergeByScore } from './merge.js'
import type { Scored } from './model.js'

const hit = (score: number, queryPosition: number): Scored => ({
  values: [{ kind: 'score', value: score }],
  score,
  queryPosition,
})
const place = ({ score, queryPosition }: Scored): [number, number] => [score, queryPosition]

test('the best of the first entries comes next', () => {
  const books = [hit(1, 0), hit(0.4, 0)]
  const films = [hit(0.5, 1), hit(0.45, 1)]
  expect([...mergeByScore([books, films])].map(place)).toEqual([
    [1, 0],
    [0.5, 1],
    [0.45, 1],
    [0.4, 0],
  ])
})

test('lists of distances keep their order, the one whose first entry is farther goes first', () => {
  const list = (queryPosition: number, ...distances: number[]): Scored[] =>
    distances.map((distanceMeters) => ({
      values: [{ kind: 'geo', isAscending: true, distanceMeters }],
      score: 1,
      queryPosition,
    }))
  const merged = [...mergeByScore([list(0, 10, 500), list(1, 30, 40)])]
  expect(merged.map(({ values: [value] }) => value?.kind === 'geo' && value.distanceMeters)).toEqual([30, 40, 10, 500])
})

test('of hits that are alike in everything, those of the list being read go on', () => {
  const tagged = (tag: string) => ({ ...hit(1, 0), tag })
  const merged = [...mergeByScore([[tagged('a1'), tagged('a2')], [], [tagged('b1'), tagged('b2')]])]
  expect(merged.map(({ tag }) => tag)).toEqual(['a1', 'a2', 'b1', 'b2'])
})

/** Looks at all first entries every time. */
function* mergePlainly(lists: readonly (readonly Scored[])[]): Generator<Scored> {
  const left = lists.map((list) => [...list])
  for (;;) {
    const open = left.filter((list) => list.length > 0)
    if (open.length === 0) return
    yield open.reduce((best, list) => (compareHits(list[0]!, best[0]!) < 0 ? list : best)).shift()!
  }
}

test('the heap agrees with looking at all first entries', () => {
  const scores = fc.array(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(scores, { maxLength: 7 }), (lists) => {
      const sorted = lists.map((list, position) => list.sort((a, b) => b - a).map((score) => hit(score, position)))
      expect([...mergeByScore(sorted)].map(place)).toEqual([...mergePlainly(sorted)].map(place))
    }),
  )
})
