import type { DocSource, WordPostings } from '../../index/index.js'
import { Known } from '../known.js'
import type { GraphNode, QueryGraph } from '../query/query-graph.js'
import { commonOf } from './doc-lists.js'
import {
  type ExactQuery,
  type ExactWord,
  exactQuery,
  hasExactForm,
  MAX_COUNTED_WORDS,
  TYPES,
  wholeMatches,
} from './exactness-rules.js'
import { type Hopes, hopefulOf, hopesOf } from './hopes.js'
import type { ScoreDetail } from './model.js'
import { leastPositionCost } from './position-rule.js'
import type { RankContext } from './rank-context.js'
import type { RuleStep } from './rules.js'

/** What documents of a bucket can hope for from the rules that are left. */
export interface Outlook {
  /** How much worse than perfect the best of them are, rule by rule. */
  readonly losses: readonly number[]
  /** The same of the best exceptions. */
  readonly leastLosses: readonly number[]
  /** Of some documents, ascending, those that may do better all the same. Asked for only if nothing else is in the way. */
  readonly exceptions: (docIds: Uint32Array) => Uint32Array
  readonly hopes: Hopes
}

/** A word that fewer documents than this share of the bucket have as typed is an exception. */
const RARE = 8

/**
 * Of rules that look at each document alone, whatever others there are, when there is one way to read the query:
 * undefined when there are more ways.
 */
export function outlookOf(
  context: RankContext,
  { steps, graph, size }: { steps: readonly RuleStep[]; graph: QueryGraph; size: number },
): Outlook | undefined {
  if (!graph.isChain) return undefined
  const hopes = hopesOf(context, steps, graph)
  const exact = exactOutlook(context, graph, size, hopes)
  const losses = steps.map((step) => leastLoss(step, graph, exact))
  const leastLosses = steps.map((step) => leastLoss(step, graph, ALL_EXACT))
  return { losses, leastLosses, exceptions: exact.exceptions, hopes }
}

/** From which rule on each document is looked at alone: words and typos leave more than one way to read the query. */
export function firstLonely(steps: readonly RuleStep[]): number {
  let first = steps.length
  while (first > 0 && isLonely(steps[first - 1]!, first === steps.length)) first--
  return first
}

function isLonely({ kind }: RuleStep, isLast: boolean): boolean {
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

interface ExactOutlook extends ExactLosses {
  readonly exceptions: Outlook['exceptions']
}

function exactOutlook(context: RankContext, graph: QueryGraph, size: number, hopes: Hopes): ExactOutlook {
  const rare: DocSource[] = []
  let wordsLoss = 0
  for (const node of graph.nodes) {
    if (node.term.phrase !== null) continue
    const docs = docsAsTyped(context, node)
    if (docs !== undefined && docs.count * RARE >= size) continue
    wordsLoss += node.term.size
    if (docs !== undefined) rare.push(docs)
  }
  const query = rare.length === 0 ? exactQuery(context, graph) : undefined
  return {
    wordsLoss,
    attributeLoss: TYPES.indexOf(query === undefined ? 'noExactMatch' : 'matchesStart'),
    exceptions: (docIds) => {
      if (query === undefined) return commonOf(united(context, rare), docIds)
      return wholeMatches(context, graph, hopefulOf(hopes, commonOf(mayBeWhole(context, query), docIds)))
    },
  }
}

/** Undefined when nothing counts as typed at this node. */
function docsAsTyped(context: RankContext, node: GraphNode): DocSource | undefined {
  const { exact } = context.matchesOf(node.term).derivations
  if (node.term.size > 1 || exact === null || !hasExactForm(node)) return undefined
  return context.scope.docsOfExact(exact)
}

/**
 * Documents with an attribute that may be the query: it has the rarest of its words, and as many words. In some attribute
 * that word stands at its position in the query, so it comes no later there. The same holds for the other words: where it is
 * known of which documents, from searches in which they were the rarest, it is asked for.
 */
function mayBeWhole(context: RankContext, query: ExactQuery): Uint32Array {
  const rarest = rarestOf(context, query)
  if (rarest === undefined || query.length > MAX_COUNTED_WORDS) return NONE
  const known = (word: ExactWord) => knownWhole.get(context.index, keyOf(word, query))
  let docIds = known(rarest)
  if (docIds === undefined) {
    docIds = findWhole(context, rarest, query.length)
    knownWhole.keep(context.index, keyOf(rarest, query), docIds, docIds.byteLength)
  }
  for (const word of query.words) {
    const others = known(word)
    if (others !== undefined && others !== docIds) docIds = commonOf(docIds, others)
  }
  return docIds
}

const keyOf = ({ word, position }: ExactWord, { length }: ExactQuery): string => `${position} ${length} ${word}`

/** Frequent words come again, with others beside them, and are dear to look through. */
const knownWhole = new Known<Uint32Array>('documents that may be a query', 4 << 20)

function findWhole(context: RankContext, rarest: Rarest, length: number): Uint32Array {
  const { words } = context
  const found = context.newBits()
  rarest.postings.eachPiece(({ docIds, starts, places, count }) => {
    context.checkTime()
    for (let i = 0; i < count; i++) {
      const end = starts[i + 1]!
      let p = starts[i]!
      while (p < end && (places[p]! & 0xffff) > rarest.position) p++
      if (p === end) continue
      for (p = starts[i]!; p < end && words.wordCount(docIds[i]!, places[p]! >>> 16) !== length; ) p++
      if (p < end) found.add(docIds[i]!)
    }
  }, 'firsts')
  return found.toArray()
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

function united(context: RankContext, sources: readonly DocSource[]): Uint32Array {
  if (sources.length === 1) return sources[0]!.docIds
  const bits = context.newBits()
  for (const source of sources) source.addTo(bits)
  return bits.toArray()
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
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
