import type { GraphNode, Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'
import type { Column } from './combinations.js'
import { NO_EDGE } from './graph-rule.js'
import { alonePositions } from './node-positions.js'
import type { BucketPositions } from './origin-positions.js'
import type { RankContext } from './rank-context.js'
import { bitsOfNode, type PhraseSource } from './term-matches.js'

/**
 * What positions cost, as tables: the cost of a place, plus one, is `costs[keys[place part]]`, or `NO_EDGE` when it does not
 * count. A function instead would be called for every place of every document.
 */
export interface PositionCosts {
  /** Which part of a place decides: its field, or its position. */
  readonly by: 'field' | 'position'
  /** By field, or by step of the position. */
  readonly costs: Uint16Array
  /** Of positions: the step of each. */
  readonly stepOf?: Uint8Array
  /** In a field no place is cheaper than the first one. */
  readonly isFirstCheapest: boolean
}

/** A column that is filled, of documents that ascend, and memory for what they have in common with others. */
export interface ColumnOfDocs {
  readonly column: Column
  readonly docIds: Uint32Array
  readonly pairs: Pairs
}

/** Every document of a bucket has the node, at the same cost plus one. */
export function certainColumn({ size }: Bucket, value: number): Column {
  return new Uint16Array(size).fill(value)
}

/** The same value for each document of a bucket that has what is left of a node. */
export function matchColumn(
  context: RankContext,
  { origin, ordinals }: Bucket,
  node: GraphNode,
  value: number,
): Column {
  return valueWhere(context.matchesOf(node.term).bitsIn(origin), ordinals, bitsOfNode(node), value)
}

function valueWhere(bits: Uint8Array, ordinals: Uint32Array, wanted: number, value: number): Column {
  const column = new Uint16Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) if (bits[ordinals[i]!]! & wanted) column[i] = value
  return column
}

/** For each document of a bucket the cheapest place of what is left of a node's derivations. */
export function positionsColumn(context: RankContext, bucket: Bucket, node: GraphNode, costs: PositionCosts): Column {
  const column = new Uint16Array(bucket.size)
  if (context.keepsPositionsOf(bucket)) {
    addPositions(column, alonePositions(context, bucket, node), costs)
    return column
  }
  const { docIds } = bucket
  const target = { column, docIds, pairs: context.scratch.pairs }
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  for (const { postings, isCovered } of words) if (!isCovered) addWord(context, target, bucket, postings, costs)
  for (const source of phrases) addPhrase(context, target, bucket, source, costs)
  return column
}

function addPositions(
  column: Column,
  { from, to, positions }: BucketPositions,
  { by, costs, stepOf }: PositionCosts,
): void {
  for (let i = 0; i < column.length; i++) {
    column[i] =
      by === 'field'
        ? cheapestField(positions, from[i]!, to[i]!, costs)
        : cheapestStep(positions, from[i]!, to[i]!, costs, stepOf!)
  }
}

function cheapestField(positions: Uint32Array, from: number, to: number, costs: PositionCosts['costs']): number {
  let best = NO_EDGE
  for (let p = from; p < to && best !== CHEAPEST; p++) {
    const cost = costs[positions[p]! >>> 16]!
    if (cost !== NO_EDGE && (best === NO_EDGE || cost < best)) best = cost
  }
  return best
}

function cheapestStep(
  positions: Uint32Array,
  from: number,
  to: number,
  costs: PositionCosts['costs'],
  stepOf: Uint8Array,
): number {
  let best = NO_EDGE
  for (let p = from; p < to && best !== CHEAPEST; p++) {
    const cost = costs[stepOf[positions[p]! & 0xffff]!]!
    if (best === NO_EDGE || cost < best) best = cost
  }
  return best
}

function addWord(
  context: RankContext,
  target: ColumnOfDocs,
  bucket: Bucket,
  postings: WordPostings,
  costs: PositionCosts,
): void {
  const { docIds } = target
  const isFew = docIds.length * FEW <= postings.count
  const isRead = !(postings.isLong && costs.isFirstCheapest)
  if (isFew || (docIds.length < MANY_DOCS && isRead)) addCheapest(target, context.positionsIn(postings, bucket), costs)
  else addInPieces(target, postings, costs, () => context.checkTime())
}

/** Up to this share of its documents the positions of a word are looked for. */
const FEW = 16

/** From so many documents of a bucket on. */
const MANY_DOCS = 20_000

/** Of very many positions each is looked at once: putting them in order first would take longer. */
export function addInPieces(
  target: ColumnOfDocs,
  postings: WordPostings,
  costs: PositionCosts,
  checkTime: () => void,
): void {
  const { docIds, pairs } = target
  postings.eachPiece(
    (piece) => {
      checkTime()
      pairs.findMembers(docIds, piece.docIds.subarray(0, piece.count))
      addPairs(target, piece, costs)
    },
    costs.isFirstCheapest ? 'firsts' : 'all',
  )
}

export function addCheapest(target: ColumnOfDocs, postings: Postings, costs: PositionCosts): void {
  target.pairs.findCommon(target.docIds, postings.docIds)
  addPairs(target, postings, costs)
}

function addPairs({ column, pairs }: ColumnOfDocs, { starts, positions }: Postings, costs: PositionCosts): void {
  if (costs.by === 'field') addCheapestField(column, pairs, starts, positions, costs.costs)
  else addCheapestStep(column, pairs, starts, positions, costs)
}

function addCheapestField(
  column: Column,
  { left, right, count }: Pairs,
  starts: Uint32Array,
  positions: Uint32Array,
  costs: Uint16Array,
): void {
  for (let k = 0; k < count; k++) {
    const at = left[k]!
    const end = starts[right[k]! + 1]!
    let best = column[at]!
    for (let p = starts[right[k]!]!; p < end && best !== CHEAPEST; p++) {
      const cost = costs[positions[p]! >>> 16]!
      if (cost !== NO_EDGE && (best === NO_EDGE || cost < best)) best = cost
    }
    column[at] = best
  }
}

function addCheapestStep(
  column: Column,
  { left, right, count }: Pairs,
  starts: Uint32Array,
  positions: Uint32Array,
  { costs, stepOf: steps }: PositionCosts,
): void {
  const stepOf = steps!
  for (let k = 0; k < count; k++) {
    const at = left[k]!
    const end = starts[right[k]! + 1]!
    let best = column[at]!
    for (let p = starts[right[k]!]!; p < end && best !== CHEAPEST; p++) {
      const cost = costs[stepOf[positions[p]! & 0xffff]!]!
      if (best === NO_EDGE || cost < best) best = cost
    }
    column[at] = best
  }
}

/** A cost of nothing, plus one: nothing better can follow. */
const CHEAPEST = 1

/** A phrase stands where its first word does, in documents that have all of it. */
function addPhrase(
  context: RankContext,
  { column, docIds, pairs }: ColumnOfDocs,
  bucket: Bucket,
  { phrase, docIds: holders }: PhraseSource,
  costs: PositionCosts,
): void {
  const postings = context.words.postings(phrase.find((word) => word !== null)!)
  if (postings === undefined) return
  const found = new Uint16Array(column.length)
  addCheapest({ column: found, docIds, pairs }, context.positionsIn(postings, bucket), costs)
  pairs.findCommon(docIds, holders)
  for (let k = 0; k < pairs.count; k++) {
    const at = pairs.left[k]!
    if (found[at] !== NO_EDGE && (column[at] === NO_EDGE || found[at]! < column[at]!)) column[at] = found[at]!
  }
}
