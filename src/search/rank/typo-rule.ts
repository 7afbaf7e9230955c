import type { GraphNode, QueryGraph } from '../query/query-graph.js'
import type { Bucket, Rule } from './bucket.js'
import { splitByCost, undivided } from './graph-rule.js'
import type { ScoreDetail } from './model.js'
import { nodeRule } from './node-rules.js'
import type { RankContext } from './rank-context.js'
import { bitsOfNode, MATCH } from './term-matches.js'

/** Gluing words costs as much as that many typos (spec 6 §4.5). */
const GLUE_COSTS = [0, 0, 2, 3] as const

export function typoRule(context: RankContext): Rule {
  return (bucket, graph) => {
    const known = certainCost(context, graph)
    if (known !== undefined) return undivided({ bucket, graph, detail: known })
    const rule = nodeRule(graph, {
      columnOf: (node) => typoColumn(context, bucket, node),
      maxCostOf: ({ term, levels, isExactOnly }) =>
        GLUE_COSTS[term.size]! + (isExactOnly ? 0 : context.matchesOf(term).highestLevel(levels)),
      refine: (node, cost) => ({ ...node, levels: 1 << (cost - GLUE_COSTS[node.term.size]!) }),
      detail: (count, max) => ({ rule: 'typo', count, max }),
    })
    return splitByCost(rule, bucket, graph)
  }
}

/** With one way to read the query, in which no word has typos, the cost is known beforehand. */
function certainCost(context: RankContext, { isChain, nodes }: QueryGraph): ScoreDetail | undefined {
  if (!isChain || !nodes.every(({ term }) => context.matchesOf(term).isWithoutTypos)) return undefined
  let [count, max] = [0, 0]
  for (const { term, levels, isExactOnly } of nodes) {
    const glue = GLUE_COSTS[term.size]!
    count += glue
    max += glue + (isExactOnly ? 0 : context.matchesOf(term).highestLevel(levels))
  }
  return { rule: 'typo', count, max }
}

/** By the bits of a match: the lowest level, plus one. */
function typoColumn(context: RankContext, { origin, places }: Bucket, node: GraphNode): Uint16Array {
  const bits = context.matchesOf(node.term).bitsIn(origin)
  const wanted = bitsOfNode(node)
  const base = GLUE_COSTS[node.term.size]! + 1
  const column = new Uint16Array(places.length)
  for (let i = 0; i < places.length; i++) {
    const has = bits[places[i]!]! & wanted
    if (has === 0) continue
    column[i] = base + (has & (0b001 | MATCH.always | MATCH.exact) ? 0 : has & 0b010 ? 1 : 2)
  }
  return column
}
