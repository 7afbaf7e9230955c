import type { Rule } from './bucket.js'
import { NO_EDGE, splitByCost, undivided } from './graph-rule.js'
import { nodeRule } from './node-rules.js'
import { matchColumn, placeColumn } from './place-column.js'
import type { RankContext } from './rank-context.js'

/** How good the best attribute is in which a word stands (spec 6 §4.7). */
export function attributeRule(context: RankContext): Rule {
  const { searchableAttributes } = context.index.settings
  const maxWeight = searchableAttributes === '*' ? 0 : Math.max(0, searchableAttributes.length - 1)
  return (bucket, graph) => {
    if (maxWeight === 0 && graph.isChain) {
      return undivided({ bucket, detail: { rule: 'attributeRank', rank: 1, max: 1 }, graph })
    }
    const rule = nodeRule(graph, {
      columnOf: (node) => {
        // All attributes weigh the same: every match is as good as can be, if words match wherever they stand.
        if (maxWeight === 0 && context.scope.isEveryWordTolerant) return matchColumn(context, bucket, node, 1)
        return placeColumn(context, bucket, node, {
          by: 'field',
          costs: fieldCosts(context, node.term.size),
          isFirstCheapest: true,
        })
      },
      maxCostOf: ({ term }) => maxWeight * term.size,
      detail: (cost, maxCost) => ({ rule: 'attributeRank', rank: maxCost + 1 - cost, max: maxCost + 1 }),
    })
    return splitByCost(rule, bucket, graph)
  }
}

/** By field: its weight for a term of some words, plus one; nothing for fields that are not searched. */
function fieldCosts({ index, scope }: RankContext, size: number): Uint16Array {
  return Uint16Array.from(index.fields.all(), (field, id) => {
    const rank = index.roles.of(field).searchableRank
    return rank === -1 || scope.searched?.[id] === 0 ? NO_EDGE : rank * size + 1
  })
}
