import type { GraphNode, QueryTerm } from '../match/index.js'
import { POSITION_STEPS, stepOf } from '../text/index.js'
import type { Bucket, Rule } from './bucket.js'
import type { Column } from './combinations.js'
import { splitByCost } from './graph-rule.js'
import { nodeRule } from './node-rules.js'
import { positionsColumn } from './positions-column.js'
import type { RankContext } from './rank-context.js'
import type { ScoreDetail } from './score-detail.js'

export const WORST_COST = 10

export function positionDetail(cost: number, maxCost: number): ScoreDetail {
  return { rule: 'wordPosition', rank: maxCost + 1 - cost, max: maxCost + 1 }
}

/** How near a word stands to its own place in the query, counted from the beginning of an attribute (spec 6 §4.8). */
export function positionRule(context: RankContext): Rule {
  return (bucket, graph) => {
    const rule = nodeRule(graph, {
      columnOf: (node) => positionColumn(context, bucket, node),
      maxCostOf: ({ term }) => WORST_COST * term.size,
      detail: positionDetail,
    })
    return splitByCost(rule, bucket, graph)
  }
}

/** For each document of a bucket what the nearest place of a node costs, plus one. */
export function positionColumn(context: RankContext, bucket: Bucket, node: GraphNode): Column {
  const costs = stepCosts(node.term)
  return positionsColumn(context, bucket, node, { by: 'position', costs, stepOf, isFirstCheapest: isRising(costs) })
}

/** The largest distances that cost 0, 1, 2 and so on. */
const COST_LIMITS = [0, 1, 4, 7, 11, 16, 24, 64, 256, 1024]
const costOfDistance = Uint8Array.from({ length: 1025 }, (_, distance) =>
  COST_LIMITS.findIndex((limit) => distance <= limit),
)

/** Steps are numbered by position, so that later positions cost no less. */
function isRising(costs: Uint16Array): boolean {
  return costs.every((cost, step) => step === 0 || cost >= costs[step - 1]!)
}

/** Of a term that stands as near as can be. */
export function leastPositionCost(term: QueryTerm): number {
  return Math.min(...stepCosts(term)) - 1
}

/** The cost of each step for a term, plus one. */
export function stepCosts({ firstPosition, size }: QueryTerm): Uint16Array {
  const costs = new Uint16Array(POSITION_STEPS.length).fill(1)
  for (let step = 0; step < costs.length; step++) {
    const distance = Math.abs(POSITION_STEPS[step]! - firstPosition)
    for (let i = 0; i < size; i++) costs[step] = costs[step]! + (costOfDistance[distance + i] ?? WORST_COST)
  }
  return costs
}
