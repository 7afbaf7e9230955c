import type { GraphNode, Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'
import { type BucketPlaces, mergeSources, type PlaceSource } from './origin-places.js'
import type { RankContext } from './rank-context.js'
import type { PhraseSource, Sources } from './term-matches.js'

/** Where a term stands as one half of a pair. */
export interface PairPlaces {
  /** Everything that stands for it. */
  readonly all: BucketPlaces
  /** What may also stand on the other side: single words only. */
  readonly reversible: BucketPlaces
}

/** As the left half of a pair a phrase stands where its last word does, as the right half where its first does. */
export function pairPlaces(context: RankContext, bucket: Bucket, node: GraphNode, side: 'left' | 'right'): PairPlaces {
  const standing = standingOf(context.matchesOf(node.term).sourcesAt(node), side)
  const single = placesAs('reversible', context, bucket, node)
  return { all: standing === 'reversible' ? single : placesAs(standing, context, bucket, node), reversible: single }
}

/** Only of phrases it matters how they stand; and what is nothing but single words is read once. */
function standingOf({ words, phrases }: Sources, wanted: Standing): Standing {
  if (phrases.length > 0) return wanted
  return words.every((source) => source.isReversible) ? 'reversible' : 'alone'
}

/** What a node may stand for: single words only, everything as one half of a pair, or everything from its first word on. */
type Standing = 'reversible' | 'left' | 'right' | 'alone'

/** Where a term stands, wherever it begins. Only for origins that are small enough. */
export function alonePlaces(context: RankContext, bucket: Bucket, node: GraphNode): BucketPlaces {
  return placesAs(standingOf(context.matchesOf(node.term).sourcesAt(node), 'alone'), context, bucket, node)
}

function placesAs(standing: Standing, context: RankContext, bucket: Bucket, node: GraphNode): BucketPlaces {
  const make = () => sourcesAs(standing, context, node)
  if (!context.keepsPlacesOf(bucket)) return placesInLarge(context, bucket, make())
  return context.originPlaces(bucket.origin, node, standing, make).in(bucket)
}

function sourcesAs(standing: Standing, context: RankContext, node: GraphNode): PlaceSource[] {
  const { words, phrases } = context.matchesOf(node.term).sourcesAt(node)
  if (standing === 'reversible') return words.filter((source) => source.isReversible).map(asPlaceSource)
  const boundaries = phrases.flatMap((source) => boundary(context, source, standing))
  return [...words.filter((source) => !source.isCovered).map(asPlaceSource), ...boundaries]
}

const asPlaceSource = ({ postings }: PlaceSource): PlaceSource => ({ postings })

/** A word of a phrase in the documents that hold the phrase: the outermost one, but a stop word there offers no pair. */
function boundary(
  context: RankContext,
  { phrase, docIds }: PhraseSource,
  standing: Exclude<Standing, 'reversible'>,
): PlaceSource[] {
  const own = standing === 'alone' ? phrase.filter((word) => word !== null) : phrase
  const word = (standing === 'left' ? own.at(-1) : own[0]) ?? null
  const postings = word === null ? undefined : context.words.postings(word)
  return postings === undefined ? [] : [{ postings, holders: docIds }]
}

function placesInLarge(context: RankContext, bucket: Bucket, sources: readonly PlaceSource[]): BucketPlaces {
  const { docIds } = bucket
  const { pairs } = context.scratch
  const [first] = sources
  if (sources.length === 1 && first!.holders === undefined) {
    return placesOfOne(context.placesIn(first!.postings, bucket), docIds, pairs)
  }
  const read = (postings: WordPostings) => context.placesIn(postings, bucket)
  const { starts, places } = mergeSources(sources, docIds, { read, pairs })
  return { from: starts.subarray(0, docIds.length), to: starts.subarray(1), places }
}

/** Of a single word nothing has to be copied. */
function placesOfOne({ docIds: holders, starts, places }: Postings, docIds: Uint32Array, pairs: Pairs): BucketPlaces {
  const from = new Uint32Array(docIds.length)
  const to = new Uint32Array(docIds.length)
  pairs.findCommon(docIds, holders)
  copyBounds(pairs, starts, from, to)
  return { from, to, places }
}

function copyBounds({ left, right, count }: Pairs, starts: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (let k = 0; k < count; k++) {
    from[left[k]!] = starts[right[k]!]!
    to[left[k]!] = starts[right[k]! + 1]!
  }
}
