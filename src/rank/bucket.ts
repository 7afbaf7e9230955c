import { type Docs, placeFrom } from '../bitmap/index.js'
import type { QueryGraph } from '../match/index.js'
import type { ScoreDetail } from './score-detail.js'

/** 0, 1, 2 and so on: grows, but never changes. */
let counting = new Uint32Array(0)

function countTo(size: number): Uint32Array {
  if (counting.length < size) {
    // `Uint32Array.from` with a function takes twelve times as long: of a frequent word that would be most of its search.
    counting = new Uint32Array(size * 2)
    for (let i = 0; i < counting.length; i++) counting[i] = i
  }
  return counting.subarray(0, size)
}

/**
 * Documents that the rules so far could not tell apart. A bucket knows its members by their places in the bucket that it
 * was split off from in the end, its origin: what is known about documents is kept for origins.
 */
export class Bucket {
  readonly origin: Bucket
  private ids: Uint32Array | undefined
  private placeList: Uint32Array | undefined
  private counted: number | undefined

  private constructor(
    origin: Bucket | undefined,
    /** The members as a set, where they were given so. */
    readonly set?: Docs,
    /** Of an origin: which members still wait for a place. Undefined when all do until they get one. */
    readonly isWaiting?: (docId: number) => boolean,
  ) {
    this.origin = origin ?? this
  }

  /** An origin. */
  static of(set: Docs, isWaiting?: (docId: number) => boolean): Bucket {
    return new Bucket(undefined, set, isWaiting)
  }

  /** An origin that is a slice of a larger bucket. DocIds ascend. */
  static slice(docIds: Uint32Array): Bucket {
    const bucket = new Bucket(undefined)
    bucket.ids = docIds
    return bucket
  }

  /** Of an origin. */
  get isSlice(): boolean {
    return this.set === undefined
  }

  get size(): number {
    // Sets are counted much faster than they are listed.
    this.counted ??= this.placeList?.length ?? this.ids?.length ?? this.set!.count()
    return this.counted
  }

  /** Ascending. */
  get docIds(): Uint32Array {
    this.ids ??= this.set?.toArray(this.size) ?? gather(this.origin.docIds, this.places)
    return this.ids
  }

  /** Where the members stand in the origin, ascending. */
  get places(): Uint32Array {
    this.placeList ??= this.origin === this ? countTo(this.size) : placesOf(this.docIds, this.origin.docIds)
    return this.placeList
  }

  /** Members by their places in the origin. */
  part(places: Uint32Array): Bucket {
    if (places.length === this.size) return this
    const part = new Bucket(this.origin)
    part.placeList = places
    return part
  }

  /** Members by their docIds, which ascend. Where they stand in the origin is found when it is asked for. */
  partOf(docIds: Uint32Array): Bucket {
    if (docIds.length === this.size) return this
    const part = new Bucket(this.origin)
    part.ids = docIds
    return part
  }

  /** The members of one group, given a number for every member and the group of every number. */
  membersOf(numberOf: Uint32Array, groupOf: Uint32Array, group: number): Bucket {
    return this.part(membersIn(this.places, numberOf, groupOf, group))
  }

  /** The members of each of `count` groups, given the group of every member. */
  split(groupOf: Uint32Array, count: number): Bucket[] {
    const ends = endsOf(groupOf, count)
    const sorted = sortByGroup(this.places, groupOf, ends.slice())
    const parts: Bucket[] = []
    for (let group = 0; group < count; group++) {
      parts.push(this.part(sorted.slice(group === 0 ? 0 : ends[group - 1]!, ends[group]!)))
    }
    return parts
  }

  /** The members that `isKept` keeps. */
  filter(isKept: (docId: number) => boolean): Bucket {
    const kept = new Uint32Array(this.size)
    return this.part(kept.subarray(0, keepPlaces(this.places, this.docIds, isKept, kept)))
  }
}

/** Says how many were kept. */
function keepPlaces(
  places: Uint32Array,
  docIds: Uint32Array,
  isKept: (docId: number) => boolean,
  kept: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < places.length; i++) if (isKept(docIds[i]!)) kept[count++] = places[i]!
  return count
}

function membersIn(places: Uint32Array, numberOf: Uint32Array, groupOf: Uint32Array, group: number): Uint32Array {
  const members = new Uint32Array(places.length)
  let count = 0
  for (let i = 0; i < places.length; i++) if (groupOf[numberOf[i]!] === group) members[count++] = places[i]!
  return members.slice(0, count)
}

/** Where the members of each group end when they are put behind each other. */
function endsOf(groupOf: Uint32Array, count: number): Uint32Array {
  const ends = new Uint32Array(count)
  for (let i = 0; i < groupOf.length; i++) ends[groupOf[i]!] = ends[groupOf[i]!]! + 1
  for (let group = 1; group < count; group++) ends[group] = ends[group]! + ends[group - 1]!
  return ends
}

/** Uses `ends` up. */
function sortByGroup(places: Uint32Array, groupOf: Uint32Array, ends: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(groupOf.length)
  for (let i = groupOf.length - 1; i >= 0; i--) {
    const at = ends[groupOf[i]!]! - 1
    sorted[at] = places[i]!
    ends[groupOf[i]!] = at
  }
  return sorted
}

function gather(list: Uint32Array, places: Uint32Array): Uint32Array {
  const found = new Uint32Array(places.length)
  for (let i = 0; i < places.length; i++) found[i] = list[places[i]!]!
  return found
}

/** Both ascend, and `list` has all of the members. */
function placesOf(members: Uint32Array, list: Uint32Array): Uint32Array {
  const places = new Uint32Array(members.length)
  let at = 0
  for (let i = 0; i < members.length; i++) {
    at = placeFrom(list, members[i]!, at)
    places[i] = at
  }
  return places
}

/** One of the parts into which a rule splits a bucket. */
export interface RankedBucket {
  readonly bucket: Bucket
  readonly detail: ScoreDetail
  /** What the rules that follow go by. */
  readonly graph: QueryGraph
}

/** Splits a bucket into smaller ones, the best first, as far as it is asked for them. */
export type Rule = (bucket: Bucket, graph: QueryGraph) => Iterator<RankedBucket, undefined>
