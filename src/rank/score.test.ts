import { expect, test } from 'vitest'
import { rankingScore } from './score.js'
import type { ScoreDetail } from './score-detail.js'

test('the worked example of spec 6 §5.1', () => {
  const details: ScoreDetail[] = [
    { rule: 'words', matching: 3, max: 3 },
    { rule: 'typo', count: 1, max: 3 },
    { rule: 'proximity', rank: 6, max: 7 },
    { rule: 'attributeRank', rank: 1, max: 1 },
    { rule: 'wordPosition', rank: 30, max: 31 },
    { rule: 'exactAttribute', type: 'noExactMatch' },
    { rule: 'exactWords', matching: 2, max: 3 },
  ]
  expect(rankingScore(details)).toBe(0.904089861751152)
})

test('sorts do not count, and nothing at all is as good as can be', () => {
  expect(rankingScore([])).toBe(1)
  expect(rankingScore([{ rule: 'sort', attribute: 'price', direction: 'asc', value: 3 }])).toBe(1)
})

test('what was skipped for lack of time counts as nothing', () => {
  expect(rankingScore([{ rule: 'skipped' }])).toBe(0)
})

test('exactness of two words, combined', () => {
  const score = (type: 'exactMatch' | 'matchesStart' | 'noExactMatch', matching: number) =>
    rankingScore([
      { rule: 'exactAttribute', type },
      { rule: 'exactWords', matching, max: 2 },
    ])
  expect(score('exactMatch', 2)).toBe(1)
  expect(score('matchesStart', 2)).toBeCloseTo(6 / 9)
  expect([2, 1, 0].map((words) => score('noExactMatch', words) * 9)).toEqual(
    [3, 2, 1].map((ninths) => expect.closeTo(ninths)),
  )
})
