import { expect, test } from 'vitest'
import type { ScoreDetail } from '../rank/index.js'
import { defaultSettings, type RankingRule } from '../settings/index.js'
import { ScoreDetailPrinter } from './score-details.js'

interface Options {
  readonly rules?: readonly RankingRule[]
  readonly displayed?: readonly string[]
}

function show(details: readonly ScoreDetail[], { rules, displayed }: Options = {}): unknown {
  const printer = new ScoreDetailPrinter({
    rankingRules: rules ?? defaultSettings.rankingRules,
    displayedAttributes: displayed ?? '*',
  })
  return JSON.parse(printer.print(details))
}

const words: ScoreDetail = { rule: 'words', matching: 3, max: 3 }
const typo: ScoreDetail = { rule: 'typo', count: 1, max: 3 }
const proximity: ScoreDetail = { rule: 'proximity', rank: 6, max: 7 }
const attributeRank: ScoreDetail = { rule: 'attributeRank', rank: 1, max: 2 }
const wordPosition: ScoreDetail = { rule: 'wordPosition', rank: 3, max: 4 }
const noMatch: ScoreDetail = { rule: 'exactAttribute', type: 'noExactMatch' }
const exactWords: ScoreDetail = { rule: 'exactWords', matching: 1, max: 3 }
const skipped: ScoreDetail = { rule: 'skipped' }

test('rules in their order', () => {
  expect(show([words, typo, proximity, attributeRank, wordPosition, noMatch, exactWords])).toEqual({
    words: { order: 0, matchingWords: 3, maxMatchingWords: 3, score: 1 },
    typo: { order: 1, typoCount: 1, maxTypoCount: 3, score: 0.75 },
    proximity: { order: 2, score: 6 / 7 },
    attributeRank: { order: 3, score: 0.5 },
    wordPosition: { order: 4, score: 0.75 },
    exactness: { order: 5, matchType: 'noExactMatch', matchingWords: 1, maxMatchingWords: 3, score: 2 / 12 },
  })
})

test('the two halves of the rule `attribute` are one entry', () => {
  const rules: RankingRule[] = ['words', 'attribute']
  expect(show([words, attributeRank, wordPosition], { rules })).toEqual({
    words: { order: 0, matchingWords: 3, maxMatchingWords: 3, score: 1 },
    attribute: { order: 1, attributeRankingOrderScore: 0.5, queryWordDistanceScore: 0.75, score: 3 / 8 },
  })
})

test.each<[Extract<ScoreDetail, { rule: 'exactAttribute' }>['type'], number]>([
  ['exactMatch', 1],
  ['matchesStart', 2 / 3],
])('%s says nothing of words', (type, score) => {
  expect(show([{ rule: 'exactAttribute', type }, exactWords, skipped])).toEqual({
    exactness: { order: 0, matchType: type, score },
    skipped: { order: 1 },
  })
})

test('time may end between the halves of a rule', () => {
  expect(show([attributeRank, skipped], { rules: ['attribute'] })).toEqual({
    attribute: { order: 0, attributeRankingOrderScore: 0.5 },
    skipped: { order: 1 },
  })
  expect(show([noMatch, skipped])).toEqual({
    exactness: { order: 0, matchType: 'noExactMatch', score: 1 / 3 },
    skipped: { order: 1 },
  })
})

test('what was sorted by, unless it is not displayed', () => {
  const details: ScoreDetail[] = [
    { rule: 'sort', attribute: 'a "b"', direction: 'asc', value: 1.5 },
    { rule: 'sort', attribute: 'hidden', direction: 'desc', value: 'x' },
    { rule: 'sort', attribute: 'none', direction: 'desc', value: null },
  ]
  expect(show(details, { displayed: ['a "b"', 'none'] })).toEqual({
    'a "b":asc': { order: 0, value: 1.5 },
    '<hidden-rule-1>': { order: 1, value: '<hidden>' },
    'none:desc': { order: 2, value: null },
  })
})

test('points, without exponents', () => {
  const near: ScoreDetail = {
    rule: 'geoSort',
    origin: { lat: -0.0000015, lng: 1e-7 },
    direction: 'asc',
    point: { lat: 1, lng: -2.5 },
    distance: 12.345,
  }
  const far: ScoreDetail = { ...near, origin: { lat: 45.5, lng: -9 }, direction: 'desc', point: null, distance: null }
  expect(show([near, far])).toEqual({
    '_geoPoint(-0.0000015, 0.0000001):asc': { order: 0, value: { lat: 1, lng: -2.5 }, distance: 12.345 },
    '_geoPoint(45.5, -9):desc': { order: 1, value: null, distance: null },
  })
})

test('no rule, no entry', () => {
  expect(show([])).toEqual({})
})
