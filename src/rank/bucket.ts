import { type DocSet, lowerBoundFrom } from '../bitmap/index.js'
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
 * Documents that the rules so far could not tell apart. A bucket knows its members by their ordinals in the bucket that it
 * was split off from in the end, its origin: what is known about documents is kept for origins.
 */
export class Bucket {
  readonly origin: Bucket
  private ids: Uint32Array | undefined
  private ordinalList: Uint32Array | undefined
  private counted: number | undefined

  private constructor(
    origin: Bucket | undefined,
    /** The members as a set, where they were given so. */
    readonly set?: DocSet,
    /** Of an origin: which members still wait for a place. Undefined when all do until they get one. */
    readonly isWaiting?: (docId: number) => boolean,
  ) {
    this.origin = origin ?? this
  }

  /** An origin. */
  static of(set: DocSet, isWaiting?: (docId: number) => boolean): Bucket {
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
    this.counted ??= this.ordinalList?.length ?? this.ids?.length ?? this.set!.count()
    return this.counted
  }

  /** Ascending. */
  get docIds(): Uint32Array {
    this.ids ??= this.set?.toArray(this.size) ?? gather(this.origin.docIds, this.ordinals)
    return this.ids
  }

  /** Where the members stand in the origin, ascending. */
  get ordinals(): Uint32Array {
    this.ordinalList ??= this.origin === this ? countTo(this.size) : ordinalsOf(this.docIds, this.origin.docIds)
    return this.ordinalList
  }

  /** Members by their ordinals in the origin. */
  part(ordinals: Uint32Array): Bucket {
    if (ordinals.length === this.size) return this
    const part = new Bucket(this.origin)
    part.ordinalList = ordinals
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
    return this.part(membersIn(this.ordinals, numberOf, groupOf, group))
  }

  /** The members of each of `count` groups, given the group of every member. */
  split(groupOf: Uint32Array, count: number): Bucket[] {
    const ends = endsOf(groupOf, count)
    const sorted = sortByGroup(this.ordinals, groupOf, ends.slice())
    const parts: Bucket[] = []
    for (let group = 0; group < count; group++) {
      parts.push(this.part(sorted.slice(group === 0 ? 0 : ends[group - 1]!, ends[group]!)))
    }
    return parts
  }

  /** The members that `isKept` keeps. */
  filter(isKept: (docId: number) => boolean): Bucket {
    const kept = new Uint32Array(this.size)
    return this.part(kept.subarray(0, keepOrdinals(this.ordinals, this.docIds, isKept, kept)))
  }
}

/** Says how many were kept. */
function keepOrdinals(
  ordinals: Uint32Array,
  docIds: Uint32Array,
  isKept: (docId: number) => boolean,
  kept: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < ordinals.length; i++) if (isKept(docIds[i]!)) kept[count++] = ordinals[i]!
  return count
}

function membersIn(ordinals: Uint32Array, numberOf: Uint32Array, groupOf: Uint32Array, group: number): Uint32Array {
  const members = new Uint32Array(ordinals.length)
  let count = 0
  for (let i = 0; i < ordinals.length; i++) if (groupOf[numberOf[i]!] === group) members[count++] = ordinals[i]!
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
function sortByGroup(ordinals: Uint32Array, groupOf: Uint32Array, ends: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(groupOf.length)
  for (let i = groupOf.length - 1; i >= 0; i--) {
    const at = ends[groupOf[i]!]! - 1
    sorted[at] = ordinals[i]!
    ends[groupOf[i]!] = at
  }
  return sorted
}

function gather(list: Uint32Array, ordinals: Uint32Array): Uint32Array {
  const found = new Uint32Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) found[i] = list[ordinals[i]!]!
  return found
}

/** Both ascend, and `list` has all of the members. */
function ordinalsOf(members: Uint32Array, list: Uint32Array): Uint32Array {
  const ordinals = new Uint32Array(members.length)
  let at = 0
  for (let i = 0; i < members.length; i++) {
    at = lowerBoundFrom(list, members[i]!, at)
    ordinals[i] = at
  }
  return ordinals
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
