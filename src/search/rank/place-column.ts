import type { Postings } from '../../index/index.js'
import type { GraphNode } from '../query/query-graph.js'
import type { Bucket } from './bucket.js'
import { findCommon, Pairs } from './doc-lists.js'
import { type Column, NO_EDGE } from './graph-rule.js'
import type { RankContext } from './rank-context.js'
import { bitsOfNode, type PhraseSource } from './term-matches.js'

/** The cost of a place plus one, `NO_EDGE` when it does not count. */
export type PlaceCost = (place: number) => number

const pairs = new Pairs()

/** Every document of a bucket has the node, at the same cost plus one. */
export function certainColumn({ size }: Bucket, value: number): Column {
  return new Uint16Array(size).fill(value)
}

/** The same value for each document of a bucket that has what is left of a node. */
export function matchColumn(context: RankContext, { origin, places }: Bucket, node: GraphNode, value: number): Column {
  const bits = context.matchesOf(node.term).bitsIn(origin)
  const wanted = bitsOfNode(node)
  const column = new Uint16Array(places.length)
  for (let i = 0; i < places.length; i++) if (bits[places[i]!]! & wanted) column[i] = value
  return column
}

/** For each document of a bucket the cheapest place of what is left of a node's derivations. */
export function placeColumn(context: RankContext, bucket: Bucket, node: GraphNode, costOf: PlaceCost): Column {
  const column = new Uint16Array(bucket.size)
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  for (const { postings, isCovered } of words) if (!isCovered) addCheapest(column, bucket.docIds, postings, costOf)
  for (const source of phrases) addPhrase(context, column, bucket.docIds, source, costOf)
  return column
}

function addCheapest(column: Column, docIds: Uint32Array, postings: Postings, costOf: PlaceCost): void {
  findCommon(docIds, postings.docIds, pairs)
  const { starts, places } = postings
  for (let k = 0; k < pairs.count; k++) {
    const [at, i] = [pairs.left[k]!, pairs.right[k]!]
    let best = column[at]!
    for (let p = starts[i]!; p < starts[i + 1]!; p++) {
      const cost = costOf(places[p]!)
      if (cost !== NO_EDGE && (best === NO_EDGE || cost < best)) best = cost
    }
    column[at] = best
  }
}

/** A phrase stands where its first word does, in documents that have all of it. */
function addPhrase(
  context: RankContext,
  column: Column,
  docIds: Uint32Array,
  { phrase, docIds: holders }: PhraseSource,
  costOf: PlaceCost,
): void {
  const postings = context.words.postings(phrase.find((word) => word !== null)!)
  if (postings === undefined) return
  const found = new Uint16Array(column.length)
  addCheapest(found, docIds, postings, costOf)
  findCommon(docIds, holders, pairs)
  for (let k = 0; k < pairs.count; k++) {
    const at = pairs.left[k]!
    if (found[at] !== NO_EDGE && (column[at] === NO_EDGE || found[at]! < column[at]!)) column[at] = found[at]!
  }
}
