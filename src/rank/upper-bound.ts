import type { DenseDocSet } from '../bitmap/index.js'
import { VersionCache } from '../cache/index.js'
import type { FieldSet, GraphNode, Pairs, QueryGraph } from '../match/index.js'
import { ListedDocIds } from '../match/index.js'
import type { DocIdSource, WordPostings } from '../postings/index.js'
import { fieldCosts, maxWeightOf } from './attribute-rule.js'
import {
  type ExactQuery,
  type ExactWord,
  exactQuery,
  hasExactForm,
  MAX_COUNTED_WORDS,
  TYPES,
  wholeMatches,
} from './exactness-rules.js'
import { competitiveOf, type PartialBounds, partialBoundsOf, sum } from './partial-bounds.js'
import { leastPositionCost } from './position-rule.js'
import type { RankContext } from './rank-context.js'
import type { RuleStep } from './rules.js'
import type { ScoreDetail } from './score-detail.js'
import { findWhole, type MayBeWhole } from './whole-words.js'

/** How good documents of a bucket can be at best, by the rules that are left. */
export interface UpperBound {
  /** How much worse than perfect the best of them are, rule by rule. */
  readonly losses: readonly number[]
  /** The same of the best exceptions. */
  readonly leastLosses: readonly number[]
  /** Of some documents, ascending, those that may do better all the same. Asked for only if nothing else is in the way. */
  readonly exceptions: (docIds: Uint32Array) => Uint32Array
  readonly bounds: PartialBounds
  /** Memory for whoever goes through the exceptions. */
  readonly pairs: Pairs
}

export interface UpperBoundSource {
  readonly steps: readonly RuleStep[]
  readonly graph: QueryGraph
  /** Of the bucket. */
  readonly size: number
  /** Up to this size it is only worth the while if little has to be read of most documents. */
  readonly few: number
}

/** A word that fewer documents than this share of the bucket have as typed is an exception. */
const RARE = 8

/**
 * Of rules that look at each document alone, whatever others there are, when there is one way to read the query:
 * undefined when there are more ways, and when the bucket is better looked at as a whole.
 */
export function upperBoundOf(
  context: RankContext,
  { steps, graph, size, few }: UpperBoundSource,
): UpperBound | undefined {
  if (!graph.isChain) return undefined
  const typed = typedBound(context, graph, size)
  const bounds = partialBoundsOf(context, { steps, graph, typed: typed.rare.length === 0 ? typed.frequent : [] })
  if (size <= few && bounds.rules.length === 0) return undefined
  const query = typed.rare.length === 0 ? exactQuery(context, graph) : undefined
  const attributeLoss = TYPES.indexOf(query === undefined ? 'noExactMatch' : 'matchesStart')
  const losses = steps.map((step) => leastLoss(step, graph, { attributeLoss, wordsLoss: typed.loss }))
  const leastLosses = steps.map((step) => leastLoss(step, graph, ALL_EXACT))
  const best = query && bestFields(context, steps)
  const { pairs } = context.scratch
  const exceptions = (docIds: Uint32Array) =>
    query === undefined
      ? pairs.commonOf(united(context, typed.rare), docIds)
      : wholeMatches(
          context,
          graph,
          competitiveOf(bounds, pairs.commonOf(mayBeWhole(context, graph, query, best), docIds)),
        )
  return { losses, leastLosses, exceptions, bounds, pairs }
}

/** From which rule on each document is looked at alone: words and typos leave more than one way to read the query. */
export function firstPerDocument(steps: readonly RuleStep[]): number {
  let first = steps.length
  while (first > 0 && isPerDocument(steps[first - 1]!, first === steps.length)) first--
  return first
}

function isPerDocument({ kind }: RuleStep, isLast: boolean): boolean {
  if (kind === 'exactWords') return isLast
  return kind === 'proximity' || kind === 'attributeRank' || kind === 'wordPosition' || kind === 'exactAttribute'
}

function leastLoss({ kind }: RuleStep, { nodes }: QueryGraph, exact: ExactLosses): number {
  switch (kind) {
    case 'proximity':
      return sum(nodes, ({ term }) => term.size - 1)
    case 'wordPosition':
      return sum(nodes, ({ term }) => leastPositionCost(term))
    case 'exactAttribute':
      return exact.attributeLoss
    case 'exactWords':
      return exact.wordsLoss
    default:
      return 0
  }
}

interface ExactLosses {
  readonly attributeLoss: number
  readonly wordsLoss: number
}

const ALL_EXACT: ExactLosses = { attributeLoss: 0, wordsLoss: 0 }

/** Documents that have the words as typed, of words for which other ones stand too. */
interface TypedBound {
  /** How much documents lose at least that have none of the rare ones. */
  readonly loss: number
  readonly rare: readonly DocIdSource[]
  readonly frequent: readonly DocIdSource[]
}

function typedBound(context: RankContext, graph: QueryGraph, size: number): TypedBound {
  const [rare, frequent]: [DocIdSource[], DocIdSource[]] = [[], []]
  let loss = 0
  for (const node of graph.nodes) {
    if (node.term.phrase !== null) continue
    const docs = docsAsTyped(context, node)
    if (docs !== undefined && docs.count * RARE >= size) {
      if (!isTypedOnly(context, node)) frequent.push(docs)
    } else {
      loss += node.term.size
      if (docs !== undefined) rare.push(docs)
    }
  }
  return { loss, rare, frequent }
}

/** Nothing else stands for the node. */
function isTypedOnly(context: RankContext, node: GraphNode): boolean {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  return words.length + phrases.length === 1
}

/** Undefined when nothing counts as typed at this node. */
function docsAsTyped(context: RankContext, node: GraphNode): DocIdSource | undefined {
  const { exact } = context.matchesOf(node.term).derivations
  if (node.term.size > 1 || exact === null || !hasExactForm(node)) return undefined
  return context.scope.docsOfExact(exact)
}

/**
 * Documents with an attribute that may be the query: it has the rarest of its words, and as many words. In some attribute
 * that word stands at its position in the query. The same holds for the other words: where it is known of which documents,
 * from searches in which they were the rarest, it is asked for.
 */
function mayBeWhole(context: RankContext, graph: QueryGraph, query: ExactQuery, best: FieldSet): Uint32Array {
  const rarest = rarestOf(context, query)
  if (rarest === undefined || query.length > MAX_COUNTED_WORDS) return NONE
  const keyOf = ({ word, position }: ExactWord) => `${position} ${query.length} ${best ?? ''} ${word}`
  let known = knownWhole.get(context.index, keyOf(rarest))
  if (known === undefined) {
    known = findWhole(context, { ...rarest, length: query.length, best })
    knownWhole.keep(context.index, keyOf(rarest), known, known.docIds.byteLength + known.isBest.byteLength)
  }
  let docIds = best === undefined ? known.docIds : keepBest(known, otherDocs(context, graph, rarest))
  for (const word of query.words) {
    const others = knownWhole.get(context.index, keyOf(word))
    if (others !== undefined && others !== known) docIds = context.scratch.pairs.commonOf(docIds, others.docIds)
  }
  return docIds
}

/** Frequent words come again, with others beside them, and are dear to look through. */
const knownWhole = new VersionCache<MayBeWhole>('documents that may be a query', 4 << 20)

/** Those in which an exception has all its words, if a rule that comes before demands it. */
function bestFields(context: RankContext, steps: readonly RuleStep[]): FieldSet {
  const before = steps.slice(
    0,
    steps.findIndex(({ kind }) => kind === 'exactAttribute'),
  )
  if (maxWeightOf(context) === 0 || !before.some(({ kind }) => kind === 'attributeRank')) return undefined
  return Uint8Array.from(fieldCosts(context, 1), (cost) => (cost === 1 ? 1 : 0))
}

/** Documents that may have the term in the best field though they have the word elsewhere; undefined for any of them. */
function otherDocs(
  context: RankContext,
  { nodes }: QueryGraph,
  { word, position }: ExactWord,
): DenseDocSet | undefined {
  const node = nodes.find(({ term }) => term.phrase === null && term.firstPosition === position)
  if (node === undefined) return undefined
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  const others = words.filter((source) => source.word !== word).map(({ postings }) => postings)
  return context.bitsOf([...others, ...phrases.map(({ docIds }) => new ListedDocIds(docIds))])
}

function keepBest({ docIds, isBest }: MayBeWhole, others: DenseDocSet | undefined): Uint32Array {
  return others === undefined ? docIds : docIds.filter((docId, i) => isBest[i] === 1 || others.has(docId))
}

interface Rarest extends ExactWord {
  readonly postings: WordPostings
}

function rarestOf({ words }: RankContext, query: ExactQuery): Rarest | undefined {
  let rarest: Rarest | undefined
  for (const { word, position } of query.words) {
    const postings = words.postings(word)
    if (postings === undefined) return undefined
    if (rarest === undefined || postings.count < rarest.postings.count) rarest = { word, position, postings }
  }
  return rarest
}

const NONE = new Uint32Array(0)

function united(context: RankContext, sources: readonly DocIdSource[]): Uint32Array {
  if (sources.length === 1) return sources[0]!.docIds
  const bits = context.newBits()
  for (const source of sources) source.addTo(bits)
  return bits.toArray()
}

/** How much worse than perfect a rule found a document. */
export function lossOf(detail: ScoreDetail): number {
  switch (detail.rule) {
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return detail.max - detail.rank
    case 'exactAttribute':
      return TYPES.indexOf(detail.type)
    case 'exactWords':
      return detail.max - detail.matching
    default:
      throw new RangeError(`the rule \`${detail.rule}\` does not look at documents alone`)
  }
}
