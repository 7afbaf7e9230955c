import type { GraphNode, Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'
import { type BucketPositions, mergeSources, type PositionSource } from './origin-positions.js'
import type { RankContext } from './rank-context.js'
import type { PhraseSource, Sources } from './term-matches.js'

/** Where a term stands as one half of a pair. */
export interface PairPositions {
  /** Everything that stands for it. */
  readonly all: BucketPositions
  /** What may also stand on the other side: single words only. */
  readonly reversible: BucketPositions
}

/** As the left half of a pair a phrase stands where its last word does, as the right half where its first does. */
export function pairPositions(
  context: RankContext,
  bucket: Bucket,
  node: GraphNode,
  side: 'left' | 'right',
): PairPositions {
  const standing = standingOf(context.matchesOf(node.term).sourcesAt(node), side)
  const single = positionsAs('reversible', context, bucket, node)
  return { all: standing === 'reversible' ? single : positionsAs(standing, context, bucket, node), reversible: single }
}

/** Only of phrases it matters how they stand; and what is nothing but single words is read once. */
function standingOf({ words, phrases }: Sources, wanted: Standing): Standing {
  if (phrases.length > 0) return wanted
  return words.every((source) => source.isReversible) ? 'reversible' : 'alone'
}

/** What a node may stand for: single words only, everything as one half of a pair, or everything from its first word on. */
type Standing = 'reversible' | 'left' | 'right' | 'alone'

/** Where a term stands, wherever it begins. Only for origins that are small enough. */
export function alonePositions(context: RankContext, bucket: Bucket, node: GraphNode): BucketPositions {
  return positionsAs(standingOf(context.matchesOf(node.term).sourcesAt(node), 'alone'), context, bucket, node)
}

function positionsAs(standing: Standing, context: RankContext, bucket: Bucket, node: GraphNode): BucketPositions {
  const make = () => sourcesAs(standing, context, node)
  if (!context.keepsPositionsOf(bucket)) return positionsInLarge(context, bucket, make())
  return context.originPositions(bucket.origin, node, standing, make).in(bucket)
}

function sourcesAs(standing: Standing, context: RankContext, node: GraphNode): PositionSource[] {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  if (standing === 'reversible') return words.filter((source) => source.isReversible).map(asPositionSource)
  const boundaries = phrases.flatMap((source) => boundary(context, source, standing))
  return [...words.filter((source) => !source.isCovered).map(asPositionSource), ...boundaries]
}

const asPositionSource = ({ postings }: PositionSource): PositionSource => ({ postings })

/** A word of a phrase in the documents that hold the phrase: the outermost one, but a stop word there offers no pair. */
function boundary(
  context: RankContext,
  { phrase, docIds }: PhraseSource,
  standing: Exclude<Standing, 'reversible'>,
): PositionSource[] {
  const own = standing === 'alone' ? phrase.filter((word) => word !== null) : phrase
  const word = (standing === 'left' ? own.at(-1) : own[0]) ?? null
  const postings = word === null ? undefined : context.words.postings(word)
  return postings === undefined ? [] : [{ postings, holders: docIds }]
}

function positionsInLarge(context: RankContext, bucket: Bucket, sources: readonly PositionSource[]): BucketPositions {
  const { docIds } = bucket
  const { pairs } = context.scratch
  const [first] = sources
  if (sources.length === 1 && first!.holders === undefined) {
    return positionsOfOne(context.positionsIn(first!.postings, bucket), docIds, pairs)
  }
  const read = (postings: WordPostings) => context.positionsIn(postings, bucket)
  const { starts, positions } = mergeSources(sources, docIds, { read, pairs })
  return { from: starts.subarray(0, docIds.length), to: starts.subarray(1), positions }
}

/** Of a single word nothing has to be copied. */
function positionsOfOne(
  { docIds: holders, starts, positions }: Postings,
  docIds: Uint32Array,
  pairs: Pairs,
): BucketPositions {
  const from = new Uint32Array(docIds.length)
  const to = new Uint32Array(docIds.length)
  pairs.findCommon(docIds, holders)
  copyBounds(pairs, starts, from, to)
  return { from, to, positions }
}

function copyBounds({ left, right, count }: Pairs, starts: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (let k = 0; k < count; k++) {
    from[left[k]!] = starts[right[k]!]!
    to[left[k]!] = starts[right[k]! + 1]!
  }
}
