import type { GraphNode, QueryGraph } from '../query/query-graph.js'
import { attributeColumn, maxWeightOf } from './attribute-rule.js'
import { Bucket } from './bucket.js'
import { type Column, NO_EDGE } from './graph-rule.js'
import { leastPositionCost, positionColumn } from './position-rule.js'
import type { RankContext } from './rank-context.js'
import type { RuleStep } from './rules.js'

/** What can be said of documents before all their words are looked at. */
export interface Hopes {
  /** The rules, by their numbers, by which a document may be as good as the best: one for each hope, ascending. */
  readonly rules: readonly number[]
  /** For each of some documents, ascending, how many hopes it fulfils before the first that it does not. */
  readonly fulfilledBy: (docIds: Uint32Array) => Uint8Array | undefined
}

interface Hope {
  readonly rule: number
  /** By document of a bucket what the rule says of one node, plus one. */
  readonly columnOf: (bucket: Bucket) => Column
  readonly least: number
}

/**
 * By the rarest of the words: its places are found in no time, while those of a frequent word, or of all words with a short
 * beginning, take most of the time of a search. Documents in which it stands badly are not among the best.
 */
export function hopesOf(context: RankContext, steps: readonly RuleStep[], graph: QueryGraph): Hopes {
  const node = rarestNode(context, graph)
  const hopes = node === undefined ? [] : hopesAt(context, steps, node)
  return {
    rules: hopes.map(({ rule }) => rule),
    fulfilledBy: (docIds) => {
      const fulfilled = new Uint8Array(docIds.length)
      for (let from = 0; from < docIds.length; from += CHUNK) {
        const chunk = Bucket.slice(docIds.subarray(from, from + CHUNK))
        countFulfilled(hopes, chunk, fulfilled.subarray(from))
      }
      return fulfilled
    },
  }
}

/** Of so many documents places are kept from one rule to the next. */
const CHUNK = 1 << 13

/** So many times more documents have the other words. */
const RARER = 2

/** Undefined when none is much rarer than the others. */
function rarestNode(context: RankContext, { nodes }: QueryGraph): GraphNode | undefined {
  if (nodes.length === 1) return undefined
  const counts = nodes.map((node) => docCount(context, node))
  const least = Math.min(...counts)
  const others = counts.reduce((sum, count) => sum + count, 0) - least
  return others >= least * RARER ? nodes[counts.indexOf(least)] : undefined
}

/** Documents that are counted again for each word that stands for the node. */
function docCount(context: RankContext, node: GraphNode): number {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  let count = 0
  for (const { postings, isCovered } of words) if (!isCovered) count += postings.count
  for (const { docIds } of phrases) count += docIds.length
  return count
}

/** By the rules before those of exactness: so exceptions fulfil them too. */
function hopesAt(context: RankContext, steps: readonly RuleStep[], node: GraphNode): Hope[] {
  const hopes: Hope[] = []
  for (const [rule, { kind }] of steps.entries()) {
    if (kind === 'exactAttribute' || kind === 'exactWords') break
    if (kind === 'attributeRank' && maxWeightOf(context) > 0) {
      hopes.push({ rule, columnOf: (bucket) => attributeColumn(context, bucket, node), least: 1 })
    } else if (kind === 'wordPosition') {
      const least = leastPositionCost(node.term) + 1
      hopes.push({ rule, columnOf: (bucket) => positionColumn(context, bucket, node), least })
    }
  }
  return hopes
}

function countFulfilled(hopes: readonly Hope[], bucket: Bucket, fulfilled: Uint8Array): void {
  for (const [before, { columnOf, least }] of hopes.entries()) {
    const column = columnOf(bucket)
    for (let i = 0; i < column.length; i++) {
      const isFulfilled = column[i] === least || column[i] === NO_EDGE
      if (isFulfilled && fulfilled[i] === before) fulfilled[i] = before + 1
    }
  }
}

/** Those that fulfil all hopes. */
export function hopefulOf({ rules, fulfilledBy }: Hopes, docIds: Uint32Array): Uint32Array {
  if (rules.length === 0) return docIds
  const fulfilled = fulfilledBy(docIds)
  return docIds.filter((_, i) => fulfilled?.[i] === rules.length)
}
