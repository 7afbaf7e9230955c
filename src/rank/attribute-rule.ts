import type { GraphNode } from '../match/index.js'
import { searchableFields } from '../match/index.js'
import type { Bucket, Rule } from './bucket.js'
import type { Column } from './combinations.js'
import { NO_EDGE, splitByCost, undivided } from './graph-rule.js'
import { nodeRule } from './node-rules.js'
import { matchColumn, positionsColumn } from './positions-column.js'
import type { RankContext } from './rank-context.js'
import type { ScoreDetail } from './score-detail.js'

/** How good the best attribute is in which a word stands (spec 6 §4.7). */
export function attributeRule(context: RankContext): Rule {
  const maxWeight = maxWeightOf(context)
  return (bucket, graph) => {
    if (maxWeight === 0 && graph.isChain) {
      return undivided({ bucket, detail: { rule: 'attributeRank', rank: 1, max: 1 }, graph })
    }
    const rule = nodeRule(graph, {
      columnOf: (node) => {
        // All attributes weigh the same: every match is as good as can be, if words match wherever they stand.
        if (maxWeight === 0 && context.scope.isEveryWordTolerant) return matchColumn(context, bucket, node, 1)
        return attributeColumn(context, bucket, node)
      },
      maxCostOf: ({ term }) => maxWeight * term.size,
      detail: attributeDetail,
    })
    return splitByCost(rule, bucket, graph)
  }
}

export function attributeDetail(cost: number, maxCost: number): ScoreDetail {
  return { rule: 'attributeRank', rank: maxCost + 1 - cost, max: maxCost + 1 }
}

/** 0 when all attributes weigh the same. */
export function maxWeightOf({ index }: RankContext): number {
  const { searchableAttributes } = index.settings
  return searchableAttributes === '*' ? 0 : Math.max(0, searchableAttributes.length - 1)
}

/** For each document of a bucket what the best attribute of a node costs, plus one. */
export function attributeColumn(context: RankContext, bucket: Bucket, node: GraphNode): Column {
  const costs = fieldCosts(context, node.term.size)
  return positionsColumn(context, bucket, node, { by: 'field', costs, isFirstCheapest: true })
}

/** By field: its weight for a term of some words, plus one; nothing for fields that are not searched. */
export function fieldCosts(context: RankContext, size: number): Uint16Array {
  const known = context.fieldCosts
  known[size] ??= findFieldCosts(context, size)
  return known[size]
}

/** What a column can hold. Three words glued together reach it at the 21,846th attribute: all behind it weigh the same. */
const MAX_VALUE = 0xffff

function findFieldCosts({ index, scope }: RankContext, size: number): Uint16Array {
  return Uint16Array.from(searchableFields(index).ranks, (rank, id) => {
    return rank === -1 || scope.searched?.[id] === 0 ? NO_EDGE : Math.min(rank * size + 1, MAX_VALUE)
  })
}
