import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import { graphOfPaths, type QueryGraph, type Step, termsWithNgrams } from '../match/index.js'
import { defaultSettings } from '../settings/index.js'
import { Bucket } from './bucket.js'
import { type GraphRule, splitByCost } from './graph-rule.js'
import { nodeRule } from './node-rules.js'

const word = (position: number) => ({ kind: 'word', word: 'abc'[position]!, position, isPrefix: false }) as const
const terms = termsWithNgrams([0, 1, 2].map(word), defaultSettings.typoTolerance).filter(({ size }) => size === 1)
const path: Step[] = terms.map((term) => ({ term, levels: 0b111, isExactOnly: false }))
const chain: QueryGraph = graphOfPaths([path])

// More members than are compared one with the other, and fewer.
const anyColumns = fc.nat(40).chain((rest) => {
  const size = rest + 1
  const column = fc.array(fc.nat(3), { minLength: size, maxLength: size }).map((values) => Uint16Array.from(values))
  return fc.tuple(column, column, column)
})

function bucketOf(size: number): Bucket {
  const bits = new DenseDocSet(size * 2)
  for (let i = 0; i < size; i++) bits.add(i * 2)
  return Bucket.of(bits)
}

function partsOf(rule: GraphRule, size: number) {
  const parts = splitByCost(rule, bucketOf(size), chain)
  const found: unknown[] = []
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    const { bucket, detail, graph } = next.value
    found.push({ docIds: [...bucket.docIds], detail, graph })
  }
  return found
}

test.each([true, false])('sums on the only path split like paths that are looked for (refining: %s)', (isRefining) => {
  fc.assert(
    fc.property(anyColumns, (columns) => {
      const rule = nodeRule(chain, {
        columnOf: (node) => columns[chain.nodes.indexOf(node)]!,
        maxCostOf: () => 2,
        detail: (count, max) => ({ rule: 'typo', count, max }),
        ...(isRefining && { refine: (node, cost) => ({ ...node, levels: 1 << cost }) }),
      })
      const size = columns[0].length
      expect(partsOf(rule, size)).toEqual(partsOf({ ...rule, isSum: false }, size))
    }),
  )
})

test('parts have the documents of each sum, those without a path last', () => {
  fc.assert(
    fc.property(anyColumns, (columns) => {
      const size = columns[0].length
      const rule = nodeRule(chain, {
        columnOf: (node) => columns[chain.nodes.indexOf(node)]!,
        maxCostOf: () => 2,
        detail: (count, max) => ({ rule: 'typo', count, max }),
      })
      const costs = Array.from({ length: size }, (_, i) => {
        const values = columns.map((column) => column[i]!)
        return values.includes(0) ? 6 : values.reduce((sum, value) => sum + value - 1, 0)
      })
      const expected = [...new Set(costs)]
        .sort((a, b) => a - b)
        .map((cost) => ({
          docIds: [...costs.keys()].filter((i) => costs[i] === cost).map((i) => i * 2),
          detail: { rule: 'typo', count: cost, max: 6 },
        }))
      expect(partsOf(rule, size)).toMatchObject(expected)
    }),
  )
})
