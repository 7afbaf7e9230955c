import type { FieldScope } from '../match/index.js'
import { type GraphNode, narrowed, type Pairs, type QueryGraph, type Step } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import { stepOf } from '../text/index.js'
import { Bucket, type RankedBucket, type Rule } from './bucket.js'
import { splitByCost } from './graph-rule.js'
import { nodeRule } from './node-rules.js'
import type { RankContext } from './rank-context.js'
import type { MatchType } from './score-detail.js'
import { bitsOfNode, LEVEL_BITS, MATCH } from './term-matches.js'
import { stepAt } from './whole-words.js'

/** How many words of the query are in a document as they were typed (spec 6 §4.9). */
export function exactWordsRule(context: RankContext): Rule {
  return (bucket, graph) => {
    const rule = nodeRule(graph, {
      columnOf: (node) => exactColumn(context, bucket, node),
      maxCostOf: ({ term }) => term.size,
      refine: (node, cost) => (cost === 0 ? asTyped(context, node) : node),
      detail: (cost, max) => ({ rule: 'exactWords', matching: max - cost, max }),
    })
    return splitByCost(rule, bucket, graph)
  }
}

/** What is left of a node whose word a document has as typed: beside it, of a cached prefix, all words that begin so. */
function asTyped(context: RankContext, node: GraphNode): Step {
  const isOpen = context.matchesOf(node.term).derivations.prefix !== null
  return isOpen ? narrowed(node, LEVEL_BITS[0], false) : narrowed(node, node.levels, true)
}

function exactColumn(context: RankContext, { origin, ordinals }: Bucket, node: GraphNode): Uint16Array {
  const exact = hasExactForm(node) ? MATCH.exact : 0
  return exactOrNot(context.matchesOf(node.term).bitsIn(origin), ordinals, exact, bitsOfNode(node), 1 + node.term.size)
}

/** 1 where a document has any of the bits of `exact`, otherwise `value` where it has any of `wanted`. */
function exactOrNot(
  bits: Uint8Array,
  ordinals: Uint32Array,
  exact: number,
  wanted: number,
  value: number,
): Uint16Array {
  const column = new Uint16Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) {
    const has = bits[ordinals[i]!]!
    if (has & exact) column[i] = 1
    else if (has & wanted) column[i] = value
  }
  return column
}

/** Of a word that earlier rules left only as a typo, the exact form is gone. */
export const hasExactForm = ({ term, levels }: GraphNode): boolean => term.phrase !== null || (levels & 1) !== 0

/** The best first. */
export const TYPES: readonly MatchType[] = ['exactMatch', 'matchesStart', 'noExactMatch']

/** Attributes that are the query, or that begin with it (spec 6 §4.9). */
export function exactAttributeRule(context: RankContext): Rule {
  return (bucket, graph) => splitByType(bucket, graph, typesOf(context, bucket, graph))
}

function* splitByType(bucket: Bucket, graph: QueryGraph, types: Uint32Array): Iterator<RankedBucket, undefined> {
  const parts = bucket.split(types, TYPES.length)
  for (let type = 0; type < parts.length; type++) {
    const part = parts[type]!
    if (part.size > 0) yield { bucket: part, detail: { rule: 'exactAttribute', type: TYPES[type]! }, graph }
  }
  return undefined
}

const EXACT_MATCH = 0
const MATCHES_START = 1
const NO_EXACT_MATCH = 2

/** Longer attributes are never the whole query: their words are not counted (spec 5 §2.5). */
export const MAX_COUNTED_WORDS = 30

export interface ExactWord {
  readonly word: string
  readonly position: number
}

export interface ExactQuery {
  readonly words: readonly ExactWord[]
  /** Stop words are counted. */
  readonly length: number
}

/** Of some documents those that have an attribute that is the query. */
export function wholeMatches(context: RankContext, graph: QueryGraph, docIds: Uint32Array): Uint32Array {
  const types = typesOf(context, Bucket.slice(docIds), graph)
  return docIds.filter((_, i) => types[i] === EXACT_MATCH)
}

/** For each document of the bucket its place in `TYPES`. */
function typesOf(context: RankContext, bucket: Bucket, graph: QueryGraph): Uint32Array {
  const types = new Uint32Array(bucket.size).fill(NO_EXACT_MATCH)
  const query = exactQuery(context, graph)
  if (query === undefined) return types
  const docIds = placedBySets(context, query, bucket.docIds)
  if (docIds.length === bucket.size) {
    judge(context, query, { docIds, types, read: (postings) => context.positionsIn(postings, bucket) })
  } else if (docIds.length > 0) judgeSome(context, query, { bucket, docIds, types })
  return types
}

/** Documents that may have a type, and where it is written down. */
interface Judged {
  readonly docIds: Uint32Array
  readonly types: Uint32Array
  /** What a word says of them. */
  readonly read: (postings: WordPostings) => Postings
}

function judge(context: RankContext, query: ExactQuery, judged: Judged): void {
  const words = query.words.map((word) => findWord(context, judged, word))
  new ExactAttributes(context, words, query.length).judge(judged.docIds, inAll(words), judged.types)
}

/** Where all others are known to have none. */
function judgeSome(
  context: RankContext,
  query: ExactQuery,
  { bucket, docIds, types }: { bucket: Bucket; docIds: Uint32Array; types: Uint32Array },
): void {
  const some = new Uint32Array(docIds.length).fill(NO_EXACT_MATCH)
  judge(context, query, { docIds, types: some, read: (postings) => postings.within(docIds) })
  const { pairs } = context.scratch
  pairs.findCommon(bucket.docIds, docIds)
  for (let k = 0; k < pairs.count; k++) types[pairs.left[k]!] = some[pairs.right[k]!]!
}

/** So many documents are sooner looked at than looked up in a set that is as long as the index is large. */
const FEW_DOCS = 128

/** Of some documents those in which each frequent word of the query may stand at its position. */
function placedBySets(context: RankContext, { words }: ExactQuery, docIds: Uint32Array): Uint32Array {
  const { sets } = context.words
  if (!sets.isKept || docIds.length <= (context.fewByDocument ?? FEW_DOCS)) return docIds
  let placed = docIds
  for (const { word, position } of words) {
    const term = sets.wordTerm(word)
    if (term !== undefined) placed = context.docsAtStep(term, stepAt(position)).membersOf(placed)
  }
  return placed
}

/** 1 where every word stands at its position in the query. */
function inAll(words: readonly FoundWord[]): Uint8Array {
  if (words.length === 1) return words[0]!.isPlaced
  const all = words[0]!.isPlaced.slice()
  for (let w = 1; w < words.length; w++) keepCommon(all, words[w]!.isPlaced)
  return all
}

function keepCommon(all: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < all.length; i++) all[i] = all[i]! & other[i]!
}

/** The words of the query as they were typed, when they all can be found so from its first word on without a gap. */
export function exactQuery(context: RankContext, graph: QueryGraph): ExactQuery | undefined {
  const byId = new Map<number, GraphNode>()
  for (const node of graph.nodes) {
    const { term } = node
    const isFound = term.phrase !== null || context.matchesOf(term).derivations.exact !== null
    if (term.size === 1 && isFound && hasExactForm(node) && !byId.has(term.firstId)) byId.set(term.firstId, node)
  }
  const words: ExactWord[] = []
  let length = 0
  for (let id = 0; id < byId.size; id++) {
    const term = byId.get(id)?.term
    if (term === undefined) return undefined
    length += term.lastPosition - term.firstPosition + 1
    words.push(...wordsWithPositions(term))
  }
  return words.length === 0 ? undefined : { words, length }
}

/**
 * The words of a phrase follow its first position. Stop words at its head are counted although that position is the one
 * of the first real word: `"in times"` looks for `times` one further than it was typed. Recorded rankings do so.
 */
function wordsWithPositions({ phrase, word, firstPosition }: GraphNode['term']): ExactWord[] {
  if (phrase === null) return [{ word, position: firstPosition }]
  const words: ExactWord[] = []
  for (const [i, entry] of phrase.entries())
    if (entry !== null) words.push({ word: entry, position: firstPosition + i })
  return words
}

/** Where a word stands in some documents. */
interface FoundWord {
  readonly starts: Uint32Array
  readonly positions: Uint32Array
  /** For each document its place in the postings. */
  readonly at: Uint32Array
  /** 1 when some attribute has the word at its position in the query. */
  readonly isPlaced: Uint8Array
}

const NO_POSTINGS: Postings = { docIds: new Uint32Array(0), starts: new Uint32Array(1), positions: new Uint32Array(0) }

function findWord(context: RankContext, { docIds, read }: Judged, { word, position }: ExactWord): FoundWord {
  const at = new Uint32Array(docIds.length)
  const isPlaced = new Uint8Array(docIds.length)
  const whole = context.words.postings(word)
  const postings = whole === undefined ? NO_POSTINGS : read(whole)
  const { starts, positions } = postings
  const wanted = stepAt(position)
  const { pairs } = context.scratch
  pairs.findCommon(docIds, postings.docIds)
  const found = { starts, positions, at, isPlaced }
  findPlaced(found, pairs, wanted)
  return found
}

function findPlaced(
  { starts, positions, at, isPlaced }: FoundWord,
  { left, right, count }: Pairs,
  wanted: number,
): void {
  for (let k = 0; k < count; k++) {
    const from = right[k]!
    const end = starts[from + 1]!
    at[left[k]!] = from
    let p = starts[from]!
    while (p < end && stepOf[positions[p]! & 0xffff] !== wanted) p++
    if (p < end) isPlaced[left[k]!] = 1
  }
}

/** Of the attributes that hold all the words the best; the words need not stand at their positions there. */
class ExactAttributes {
  private readonly searched: FieldScope['searched']

  constructor(
    private readonly context: RankContext,
    private readonly words: readonly FoundWord[],
    /** Words of the query, stop words among them. */
    private readonly length: number,
  ) {
    this.searched = context.scope.searched
  }

  /** Writes down the type of each document that may have one. */
  judge(docIds: Uint32Array, isPlaced: Uint8Array, types: Uint32Array): void {
    for (let i = 0; i < types.length; i++) if (isPlaced[i] === 1) types[i] = this.bestType(docIds[i]!, i)
  }

  /** Of the i-th document of the bucket. */
  private bestType(docId: number, i: number): number {
    const { starts, positions, at } = this.words[0]!
    const end = starts[at[i]! + 1]!
    let best: number = NO_EXACT_MATCH
    let before = -1
    for (let p = starts[at[i]!]!; p < end && best !== EXACT_MATCH; p++) {
      const field = positions[p]! >>> 16
      if (field === before) continue
      before = field
      if (this.hasAll(i, field)) best = Math.min(best, this.typeIn(docId, field))
    }
    return best
  }

  private typeIn(docId: number, field: number): number {
    if (this.searched?.[field] === 0) return NO_EXACT_MATCH
    const isWhole = this.length <= MAX_COUNTED_WORDS && this.context.words.wordCount(docId, field) === this.length
    return isWhole ? EXACT_MATCH : MATCHES_START
  }

  /** The first word is in the field. */
  private hasAll(i: number, field: number): boolean {
    for (let w = 1; w < this.words.length; w++) if (!isInField(this.words[w]!, i, field)) return false
    return true
  }
}

function isInField({ starts, positions, at }: FoundWord, i: number, field: number): boolean {
  const end = starts[at[i]! + 1]!
  for (let p = starts[at[i]!]!; p < end; p++) if (positions[p]! >>> 16 === field) return true
  return false
}
