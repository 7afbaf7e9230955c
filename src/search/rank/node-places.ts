import type { Postings, WordPostings } from '../../index/index.js'
import type { GraphNode } from '../query/query-graph.js'
import type { Bucket } from './bucket.js'
import { findCommon, Pairs } from './doc-lists.js'
import type { RankContext } from './rank-context.js'
import type { PhraseSource, WordSource } from './term-matches.js'

/** Places of a term in the documents of a bucket: those of the i-th from `from[i]` up to `to[i]`, ascending. */
export interface BucketPlaces {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly places: Uint32Array
}

/** Where a term stands as one half of a pair. */
export interface PairPlaces {
  /** Everything that stands for it. */
  readonly all: BucketPlaces
  /** What may also stand on the other side: single words only. */
  readonly reversible: BucketPlaces
}

const pairs = new Pairs()

/** As the left half of a pair a phrase stands where its last word does, as the right half where its first does. */
export function pairPlaces(context: RankContext, bucket: Bucket, node: GraphNode, side: 'left' | 'right'): PairPlaces {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  const { docIds } = bucket
  const read = ({ postings }: WordSource) => context.placesIn(postings, bucket)
  const reversible = words.filter((source) => source.isReversible).map(read)
  const isSame = phrases.length === 0 && words.every((source) => source.isReversible)
  const single = mergePlaces(reversible, docIds)
  if (isSame) return { all: single, reversible: single }
  const all = words.filter((source) => !source.isCovered).map(read)
  const boundaries = phrases.flatMap((source) => boundary(context, source, side))
  return { all: mergePlaces([...all, ...boundaries], docIds), reversible: single }
}

/** The outermost word of a phrase, in the documents that hold the phrase; a stop word there offers no pair. */
function boundary(context: RankContext, { phrase, docIds }: PhraseSource, side: 'left' | 'right'): Postings[] {
  const word = side === 'left' ? phrase.at(-1)! : phrase[0]!
  const postings = word === null ? undefined : context.words.postings(word)
  return postings === undefined ? [] : [postingsIn(postings, docIds)]
}

/** The postings of the documents given, which are some of theirs. */
function postingsIn(postings: WordPostings, docIds: Uint32Array): Postings {
  if (docIds.length === postings.count) return postings.within(docIds)
  const { starts, places } = copyAll([postings.within(docIds)], docIds)
  return { docIds, starts, places }
}

/** Collects what several postings say about the documents, in time that depends on what they say. */
function mergePlaces(sources: readonly Postings[], docIds: Uint32Array): BucketPlaces {
  if (sources.length === 1) return placesIn(sources[0]!, docIds)
  const { starts, places } = copyAll(sources, docIds)
  sortEach(starts, places)
  return { from: starts.subarray(0, docIds.length), to: starts.subarray(1), places }
}

/** Of a single word nothing has to be copied. */
function placesIn({ docIds: holders, starts, places }: Postings, docIds: Uint32Array): BucketPlaces {
  const [from, to] = [new Uint32Array(docIds.length), new Uint32Array(docIds.length)]
  findCommon(docIds, holders, pairs)
  for (let k = 0; k < pairs.count; k++) {
    from[pairs.left[k]!] = starts[pairs.right[k]!]!
    to[pairs.left[k]!] = starts[pairs.right[k]! + 1]!
  }
  return { from, to, places }
}

function copyAll(sources: readonly Postings[], docIds: Uint32Array): { starts: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(docIds.length + 1)
  const found = sources.map((source) => findPlaces(source, docIds, starts))
  for (let i = 0; i < docIds.length; i++) starts[i + 1] = starts[i + 1]! + starts[i]!
  const places = new Uint32Array(starts[docIds.length]!)
  const ends = starts.slice(0, docIds.length)
  for (const [s, { at, from }] of found.entries()) copyPlaces(sources[s]!, at, from, ends, places)
  return { starts, places }
}

/** Which documents a source has (`at`) and as its how-manieth (`from`); their numbers of places are added to `counts`. */
function findPlaces(
  source: Postings,
  docIds: Uint32Array,
  counts: Uint32Array,
): { at: Uint32Array; from: Uint32Array } {
  findCommon(docIds, source.docIds, pairs)
  const [at, from] = [pairs.left.slice(0, pairs.count), pairs.right.slice(0, pairs.count)]
  for (let k = 0; k < at.length; k++) {
    counts[at[k]! + 1] = counts[at[k]! + 1]! + source.starts[from[k]! + 1]! - source.starts[from[k]!]!
  }
  return { at, from }
}

function copyPlaces(
  source: Postings,
  at: Uint32Array,
  from: Uint32Array,
  ends: Uint32Array,
  places: Uint32Array,
): void {
  for (let k = 0; k < at.length; k++) {
    let end = ends[at[k]!]!
    for (let p = source.starts[from[k]!]!; p < source.starts[from[k]! + 1]!; p++) places[end++] = source.places[p]!
    ends[at[k]!] = end
  }
}

function sortEach(starts: Uint32Array, places: Uint32Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const [from, to] = [starts[i]!, starts[i + 1]!]
    if (!isSorted(places, from, to)) places.subarray(from, to).sort()
  }
}

function isSorted(places: Uint32Array, from: number, to: number): boolean {
  for (let p = from + 1; p < to; p++) if (places[p - 1]! > places[p]!) return false
  return true
}
