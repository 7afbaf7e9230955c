import { expect, test } from 'vitest'
import type { SortKey } from '../match/index.js'
import type { RankingRule } from '../settings/index.js'
import { chooseRules } from './rules.js'

const standard: RankingRule[] = ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness']
const byPrice: SortKey = { kind: 'attribute', attribute: 'price', direction: 'asc' }
const near: SortKey = { kind: 'geoPoint', lat: 1, lng: 2, direction: 'asc', isPlain: true }

function names(
  rankingRules: readonly RankingRule[],
  options: { sort?: SortKey[]; isPlaceholder?: boolean; isAll?: boolean; isSemantic?: boolean } = {},
) {
  const { sort = [], isPlaceholder = false, isAll = false, isSemantic = false } = options
  const choice = { rankingRules, sort, isPlaceholder, canSkipWords: !isAll, isSemantic }
  return chooseRules(choice).map((step) => {
    if (step.kind !== 'sort') return step.kind
    return step.key.kind === 'geoPoint' ? 'geo' : `${step.key.attribute}:${step.key.direction}`
  })
}

test('the standard rules, with and without a sort', () => {
  const before = ['words', 'typo', 'proximity', 'attributeRank']
  const after = ['wordPosition', 'exactAttribute', 'exactWords']
  expect(names(standard)).toEqual([...before, ...after])
  expect(names(standard, { sort: [byPrice] })).toEqual([...before, 'price:asc', ...after])
})

test('words come before the first rule that looks at words, except when all words must match', () => {
  expect(names(['sort', 'typo', 'words'])).toEqual(['words', 'typo'])
  expect(names(['exactness'])).toEqual(['words', 'exactAttribute', 'exactWords'])
  expect(names(['words', 'typo'], { isAll: true })).toEqual(['typo'])
})

test('attribute stands for two rules, and is ignored when one of them is there', () => {
  expect(names(['attribute'])).toEqual(['words', 'attributeRank', 'wordPosition'])
  expect(names(['attribute', 'wordPosition'])).toEqual(['words', 'attributeRank', 'wordPosition'])
  expect(names(['wordPosition', 'attribute'])).toEqual(['words', 'wordPosition'])
  expect(names(['typo', 'typo'])).toEqual(['words', 'typo'])
})

test('a field is sorted once, by the first rule that names it; every point is kept', () => {
  const custom = { attribute: 'price', direction: 'desc' } as const
  expect(names([custom, 'sort'], { sort: [byPrice] })).toEqual(['price:desc'])
  expect(names(['sort', custom, 'sort'], { sort: [byPrice, near, near] })).toEqual(['price:asc', 'geo', 'geo'])
})

test('without words only sorts are left', () => {
  expect(
    names([...standard, { attribute: 'year', direction: 'desc' }], { sort: [byPrice], isPlaceholder: true }),
  ).toEqual(['price:asc', 'year:desc'])
})

test('vectors take the place of the first rule that looks at words; the others vanish', () => {
  expect(names(standard, { isSemantic: true })).toEqual(['vector'])
  expect(names(standard, { isSemantic: true, sort: [byPrice] })).toEqual(['vector', 'price:asc'])
  expect(names(['sort', 'exactness', 'words'], { isSemantic: true, sort: [byPrice] })).toEqual(['price:asc', 'vector'])
  expect(names([{ attribute: 'price', direction: 'asc' }], { isSemantic: true })).toEqual(['price:asc'])
})
