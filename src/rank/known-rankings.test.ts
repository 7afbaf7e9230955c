import { expect, test } from 'vitest'
import { Bitmap } from '../bitmap/index.js'
import type { SearchIndex } from '../match/index.js'
import { knownRanking } from './known-rankings.js'
import type { Ranking, RankRequest } from './model.js'

const REQUEST: RankRequest = {
  q: 'a',
  locales: null,
  matchingStrategy: 'last',
  attributesToSearchOn: null,
  sort: [],
  distinct: null,
  filter: null,
  filterKey: '',
  depth: 20,
  isExhaustive: false,
  threshold: null,
  deadline: 1,
}

/** What an index keeps for one version. */
function emptyIndex(): SearchIndex {
  const kept = new Map<symbol, unknown>()
  const derive = <T>(key: symbol, make: () => T): T => {
    if (!kept.has(key)) kept.set(key, make())
    return kept.get(key) as T
  }
  return { derive, docIds: Bitmap.fromSorted(Uint32Array.of(0, 99)) } as unknown as SearchIndex
}

function counter(isDegraded = false) {
  const made = { times: 0 }
  const make = (): Ranking => {
    made.times++
    return { documents: [], candidateCount: made.times, candidates: () => Bitmap.empty(), terms: undefined, isDegraded }
  }
  return { made, make }
}

test('what was asked twice is not ranked again, whatever its deadline', () => {
  const { made, make } = counter()
  const index = emptyIndex()
  knownRanking(index, REQUEST, make)
  const second = knownRanking(index, { ...REQUEST, deadline: 2 }, make)
  expect(knownRanking(index, { ...REQUEST, deadline: 3 }, make)).toBe(second)
  expect(made.times).toBe(2)
})

test('requests that differ in anything else are ranked each', () => {
  const others: Partial<RankRequest>[] = [
    { q: 'b' },
    { q: null },
    { locales: ['eng'] },
    { matchingStrategy: 'all' },
    { attributesToSearchOn: ['a'] },
    { sort: [{ kind: 'attribute', attribute: 'a', direction: 'asc' }] },
    { sort: [{ kind: 'attribute', attribute: 'a', direction: 'desc' }] },
    { distinct: 'a' },
    { filterKey: 'a = 1' },
    { depth: 21 },
    { isExhaustive: true },
    { threshold: 0.5 },
    { isCountEnough: true },
  ]
  const { made, make } = counter()
  const index = emptyIndex()
  for (let time = 0; time < 4; time++) {
    for (const other of [{}, ...others]) knownRanking(index, { ...REQUEST, ...other }, make)
  }
  expect(made.times).toBe(2 * (1 + others.length))
})

test('what may come out differently the next time is not kept', () => {
  const index = emptyIndex()
  for (const [request, isDegraded] of [
    [{ ...REQUEST, filterKey: undefined }, false],
    [REQUEST, true],
  ] as const) {
    const { made, make } = counter(isDegraded)
    for (let time = 0; time < 3; time++) knownRanking(index, request, make)
    expect(made.times).toBe(3)
  }
})
