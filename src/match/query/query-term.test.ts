import { expect, test } from 'vitest'
import { defaultSettings } from '../../settings/index.js'
import { createAnalyzer } from '../../text/index.js'
import { parseQuery } from './parse-query.js'
import { buildGraph, END } from './query-graph.js'
import { allowedTypos, termsWithNgrams } from './query-term.js'
import { KEPT, removalGroups, weightsByFrequency, weightsFromTheEnd } from './removal.js'

const { typoTolerance } = defaultSettings
const termsOf = (q: string) => termsWithNgrams(parseQuery(createAnalyzer().tokenize(q), true).terms, typoTolerance)
const nameOf = (term: ReturnType<typeof termsOf>[number]) => term.phrase?.join(' ') ?? term.word

test('typos allowed by the length of a word', () => {
  expect(
    ['roxy', 'phone', 'smartphon', 'й'.normalize('NFKD').repeat(3)].map((word) => allowedTypos(word, typoTolerance)),
  ).toEqual([0, 1, 2, 1])
  expect(allowedTypos('phone', { ...typoTolerance, enabled: false })).toBe(0)
  expect(allowedTypos('phone', { ...typoTolerance, disableOnWords: ['phone'] })).toBe(0)
  expect(allowedTypos('a', { ...typoTolerance, oneTypo: 0 })).toBe(1)
})

test('words that stand together are glued, by two and by three', () => {
  expect(termsOf('fast car wash').map(nameOf)).toEqual(['fast', 'car', 'fastcar', 'wash', 'carwash', 'fastcarwash'])
  expect(termsOf('fast, car').map(nameOf)).toEqual(['fast', 'car'])
  expect(termsOf('"fast" car wash').map(nameOf)).toEqual(['fast', 'car', 'wash', 'carwash'])
  expect(termsOf(`${'a'.repeat(200)} ${'b'.repeat(51)}`)).toHaveLength(2)
})

test('a glued word has one typo less for each seam, and is a prefix when its last word is', () => {
  const [, , glued] = termsOf('snow beard')
  expect(glued).toMatchObject({
    word: 'snowbeard',
    typos: 1,
    isPrefix: true,
    size: 2,
    firstPosition: 0,
    lastPosition: 1,
  })
  expect(termsOf('snowb ea rd').at(-1)).toMatchObject({ word: 'snowbeard', typos: 0, size: 3 })
})

test('the graph of three words', () => {
  const terms = termsOf('fast car wash')
  const { nodes, first } = buildGraph(terms)
  const named = (ids: readonly number[]) => ids.map((id) => (id === END ? 'END' : nameOf(terms[id]!)))
  expect(named(first)).toEqual(['fast', 'fastcar', 'fastcarwash'])
  expect(Object.fromEntries(nodes.map((node, i) => [nameOf(terms[i]!), named(node.next)]))).toEqual({
    fast: ['car', 'carwash'],
    car: ['wash'],
    fastcar: ['wash'],
    wash: ['END'],
    carwash: ['END'],
    fastcarwash: ['END'],
  })
})

test('what is left out first: from the end, or the most frequent', () => {
  const groups = (q: string, weights: readonly number[]) =>
    Object.fromEntries(removalGroups(termsOf(q), weights).map((group, i) => [nameOf(termsOf(q)[i]!), group]))
  expect(groups('old red barn', weightsFromTheEnd(3))).toEqual({
    old: KEPT,
    red: 2,
    oldred: KEPT,
    barn: 1,
    redbarn: 2,
    oldredbarn: KEPT,
  })
  expect(groups('"hot dog" stand', weightsFromTheEnd(2))).toEqual({ 'hot dog': KEPT, stand: 1 })
  expect(weightsByFrequency([5, 0, 3, 5])).toEqual([2, 1, 3, 2])
  expect(groups('garden chair', weightsByFrequency([5, 3]))).toEqual({ garden: 1, chair: KEPT, gardenchair: KEPT })
})
