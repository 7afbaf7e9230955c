import type { DenseDocSet } from '../bitmap/index.js'
import type { GraphNode, QueryGraph } from '../match/index.js'
import type { DocIdSource } from '../postings/index.js'
import { attributeColumn, maxWeightOf } from './attribute-rule.js'
import { Bucket } from './bucket.js'
import type { Column } from './combinations.js'
import { NO_EDGE } from './graph-rule.js'
import { leastPositionCost, positionColumn } from './position-rule.js'
import type { RankContext } from './rank-context.js'
import type { RuleStep } from './rules.js'

/** Bounds that are known before the positions of all words are read. */
export interface PartialBounds {
  /** The rules, by their numbers, by which a document may be as good as the best: one for each bound, ascending. */
  readonly rules: readonly number[]
  /** For each of some documents, ascending, how many bounds it fulfils before the first that it is known not to. */
  readonly fulfilledBy: (docIds: Uint32Array) => Uint8Array | undefined
}

export interface PartialBoundSource {
  readonly steps: readonly RuleStep[]
  readonly graph: QueryGraph
  /** The best documents have these words as typed: for each the documents that do. */
  readonly typed: readonly DocIdSource[]
}

/** What a rule can say of documents by one node. */
interface NodeBound {
  /** By document of a bucket what the rule says of the node, plus one. */
  readonly columnOf: (bucket: Bucket) => Column
  readonly least: number
}

/**
 * By the rarest of the words: its positions are found in no time, while those of a frequent word, or of all words with a short
 * prefix, take most of the time of a search. Documents in which it stands badly are not among the best. Of the others
 * those are left that have the words as typed.
 */
export function partialBoundsOf(context: RankContext, { steps, graph, typed }: PartialBoundSource): PartialBounds {
  const node = graph.nodes.length === 1 ? undefined : nodeToAsk(context, graph)
  const rules = node === undefined ? [] : boundedRules(context, steps, typed)
  if (node === undefined || rules.length === 0) return { rules: [], fulfilledBy: () => undefined }
  const asked = rules.map((rule) => boundAt(context, node, steps[rule]!.kind))
  const bits = asked.at(-1) === undefined ? typed.map((docs) => context.bitsOf([docs])) : []
  return {
    rules,
    fulfilledBy: (docIds) => {
      const fulfilled = new Uint8Array(docIds.length).fill(rules.length)
      for (let from = 0; from < docIds.length; from += CHUNK) {
        const chunk = docIds.subarray(from, from + CHUNK)
        askNode(asked, Bucket.slice(chunk), fulfilled.subarray(from))
        for (const docs of bits) askTyped(docs, chunk, fulfilled.subarray(from), rules.length)
      }
      return fulfilled
    },
  }
}

/** Positions are cached across rules for chunks of this size. */
const CHUNK = 1 << 13

/** The rules before those of exactness, so that exceptions fulfil them too; and the last one, which they fulfil anyway. */
function boundedRules(context: RankContext, steps: readonly RuleStep[], typed: readonly DocIdSource[]): number[] {
  const rules: number[] = []
  for (const [rule, { kind }] of steps.entries()) {
    if (kind === 'exactAttribute' || kind === 'exactWords') break
    if (kind === 'wordPosition' || (kind === 'attributeRank' && maxWeightOf(context) > 0)) rules.push(rule)
  }
  const last = steps.length - 1
  if (typed.length > 0 && steps[last]!.kind === 'exactWords') rules.push(last)
  return rules
}

/** So many times more documents have the other words. */
const RARER = 2

/**
 * The rarest, if it is much rarer than the others. Otherwise the rarest of those that are read in no time, if there are
 * some that are not; none if all are.
 */
function nodeToAsk(context: RankContext, { nodes }: QueryGraph): GraphNode | undefined {
  const counts = new Map(nodes.map((node) => [node, docCount(context, node)]))
  const rising = [...nodes].sort((a, b) => counts.get(a)! - counts.get(b)!)
  const [rarest, ...others] = rising
  if (sum(others, (node) => counts.get(node)!) >= counts.get(rarest!)! * RARER) return rarest
  const fast = rising.filter((node) => isReadFast(context, node))
  return fast.length < nodes.length ? fast[0] : undefined
}

/** Documents that are counted again for each word that stands for the node. */
function docCount(context: RankContext, node: GraphNode): number {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  return (
    sum(words, ({ postings, isCovered }) => (isCovered ? 0 : postings.count)) +
    sum(phrases, ({ docIds }) => docIds.length)
  )
}

/** All words with one prefix that have more documents are put together again whenever some are wanted. */
const MOST_TOGETHER = 1 << 15

function isReadFast(context: RankContext, node: GraphNode): boolean {
  const { words } = context.matchesOf(node.term).sourcesAt(node)
  return words.every(({ word, postings }) => word !== null || postings.count <= MOST_TOGETHER)
}

/** Undefined when a rule does not go by the positions of a node. */
function boundAt(context: RankContext, node: GraphNode, kind: RuleStep['kind']): NodeBound | undefined {
  if (kind === 'attributeRank') return { columnOf: (bucket) => attributeColumn(context, bucket, node), least: 1 }
  if (kind !== 'wordPosition') return undefined
  const least = leastPositionCost(node.term) + 1
  return { columnOf: (bucket) => positionColumn(context, bucket, node), least }
}

function askNode(bounds: readonly (NodeBound | undefined)[], bucket: Bucket, fulfilled: Uint8Array): void {
  for (const [before, bound] of bounds.entries()) {
    if (bound !== undefined) failBelow(fulfilled, bound.columnOf(bucket), bound.least, before)
  }
}

function failBelow(fulfilled: Uint8Array, column: Column, least: number, before: number): void {
  for (let i = 0; i < column.length; i++) {
    if (column[i] !== least && column[i] !== NO_EDGE && fulfilled[i]! > before) fulfilled[i] = before
  }
}

/** The last of all bounds. */
function askTyped(docs: DenseDocSet, docIds: Uint32Array, fulfilled: Uint8Array, all: number): void {
  for (let i = 0; i < docIds.length; i++) if (fulfilled[i] === all && !docs.has(docIds[i]!)) fulfilled[i] = all - 1
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

/** Those that fulfil all bounds. */
export function competitiveOf({ rules, fulfilledBy }: PartialBounds, docIds: Uint32Array): Uint32Array {
  if (rules.length === 0) return docIds
  const fulfilled = fulfilledBy(docIds)
  return docIds.filter((_, i) => fulfilled?.[i] === rules.length)
}
