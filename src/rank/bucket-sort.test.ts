import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import type { Bucket, Rule } from './bucket.js'
import { bucketSort } from './bucket-sort.js'
import { TimeIsUp } from './rank-context.js'

const graph = { nodes: [], first: [], isChain: false }

function sort(rules: readonly Rule[]) {
  const universe = new DenseDocSet(10)
  universe.addAll(Uint32Array.from([2, 3, 5, 7, 9]))
  const limits = { depth: 20, isExhaustive: false, threshold: null, deadline: Number.POSITIVE_INFINITY, distinct: null }
  return bucketSort({ rules, universe, graph, ...limits, isOrderEnough: false })
}

const detail = { rule: 'words', matchingWords: 1, maxMatchingWords: 1 } as never

/** Odd docIds first. */
const oddFirst: Rule = function* (bucket: Bucket) {
  yield { bucket: bucket.filter((docId) => docId % 2 === 1), detail, graph }
  yield { bucket: bucket.filter((docId) => docId % 2 === 0), detail, graph }
  return undefined
}

test('a rule that runs out of time leaves its bucket unranked, and what came before in its place', () => {
  const slow: Rule = function* (bucket: Bucket) {
    yield { bucket: bucket.filter((docId) => docId === 7), detail, graph }
    throw new TimeIsUp()
  }
  const { documents, isDegraded } = sort([oddFirst, slow])
  expect(documents.map(({ docId }) => docId)).toEqual([7, 3, 5, 9, 2])
  expect(isDegraded).toBe(true)
  expect(documents[1]!.details.at(-1)).toEqual({ rule: 'skipped' })
})

test('a rule may run out of time before its first bucket', () => {
  const never: Rule = () => {
    throw new TimeIsUp()
  }
  const { documents, isDegraded } = sort([never])
  expect(documents.map(({ docId }) => docId)).toEqual([2, 3, 5, 7, 9])
  expect(isDegraded).toBe(true)
})

test('other errors of rules are not hidden', () => {
  const broken: Rule = () => {
    throw new RangeError('broken')
  }
  expect(() => sort([broken])).toThrow('broken')
})
