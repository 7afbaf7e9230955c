import type { Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'

/** Positions of a term in the documents of a bucket: those of the i-th from `from[i]` up to `to[i]`, ascending. */
export interface BucketPositions {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly positions: Uint32Array
}

/** A word, or all with one prefix, whose positions count. */
export interface PositionSource {
  readonly postings: WordPostings
  /** Where only some of its documents count: those. */
  readonly holders?: Uint32Array
}

export interface PositionReading {
  /** What `postings` say of some documents, and maybe of others. */
  readonly read: (postings: WordPostings, docIds: Uint32Array) => Postings
  readonly pairs: Pairs
}

/**
 * The positions of several words, as if they were one, in the documents of an origin. The rules look at its parts one inside
 * the other: the positions of a document are looked for once, in whichever part it comes first, however many words may have
 * them and however many rules want them.
 */
export class OriginPositions {
  /** By place in the origin. */
  private readonly from: Uint32Array
  private readonly to: Uint32Array
  private readonly isRead: Uint8Array
  private positions: Uint32Array = new Uint32Array(0)

  constructor(
    origin: Bucket,
    private readonly sources: readonly PositionSource[],
    private readonly reading: {
      readonly read: (postings: WordPostings, docIds: Uint32Array, bucket: Bucket) => Postings
      readonly pairs: Pairs
    },
  ) {
    const { size } = origin
    this.from = new Uint32Array(size)
    this.to = new Uint32Array(size)
    this.isRead = new Uint8Array(size)
  }

  /** In the documents of a part of the origin. */
  in(bucket: Bucket): BucketPositions {
    this.readMissing(bucket)
    return { from: gather(this.from, bucket.ordinals), to: gather(this.to, bucket.ordinals), positions: this.positions }
  }

  private readMissing(bucket: Bucket): void {
    const { isRead } = this
    const { ordinals, docIds } = bucket
    const missing = unread(ordinals, ordinals, isRead)
    if (missing.length === 0) return
    const wanted = missing.length === ordinals.length ? docIds : unread(docIds, ordinals, isRead)
    const { read, pairs } = this.reading
    const ofBucket = { read: (postings: WordPostings, own: Uint32Array) => read(postings, own, bucket), pairs }
    this.add(missing, mergeSources(this.sources, wanted, ofBucket))
  }

  private add(at: Uint32Array, { starts, positions }: Merged): void {
    const before = this.positions.length
    scatter(starts, at, before, this.from, this.to)
    for (let i = 0; i < at.length; i++) this.isRead[at[i]!] = 1
    this.positions = before === 0 ? positions : joined(this.positions, positions)
  }
}

/** Of a list with a member for each ordinal those whose ordinal has not been read. */
function unread(list: Uint32Array, ordinals: Uint32Array, isRead: Uint8Array): Uint32Array {
  const found = new Uint32Array(list.length)
  let count = 0
  for (let i = 0; i < list.length; i++) if (isRead[ordinals[i]!] === 0) found[count++] = list[i]!
  return count === list.length ? found : found.slice(0, count)
}

/** Writes down, by ordinal, where what was read begins and ends. */
function scatter(starts: Uint32Array, at: Uint32Array, before: number, from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < at.length; i++) {
    from[at[i]!] = before + starts[i]!
    to[at[i]!] = before + starts[i + 1]!
  }
}

function gather(list: Uint32Array, ordinals: Uint32Array): Uint32Array {
  const found = new Uint32Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) found[i] = list[ordinals[i]!]!
  return found
}

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Positions of the i-th document from `starts[i]` up to `starts[i + 1]`, ascending. */
export interface Merged {
  readonly starts: Uint32Array
  readonly positions: Uint32Array
}

/** Collects what several words say about some documents, in time that depends on what they say. */
export function mergeSources(
  sources: readonly PositionSource[],
  docIds: Uint32Array,
  reading: PositionReading,
): Merged {
  const starts = new Uint32Array(docIds.length + 1)
  const found: FoundEntries[] = []
  for (const source of sources) {
    const entries = findEntries(source, docIds, reading)
    if (entries === undefined) continue
    countPositions(entries.starts, entries.at, entries.index, starts)
    found.push(entries)
  }
  sumUp(starts)
  const positions = new Uint32Array(starts[docIds.length]!)
  const ends = starts.slice(0, docIds.length)
  for (const entries of found) copyPositions(entries, ends, positions)
  if (found.length > 1) sortEach(starts, positions)
  return { starts, positions }
}

/** Documents that a source has: which of those wanted (`at`), and as which of its own (`index`). */
interface FoundEntries {
  readonly starts: Uint32Array
  readonly positions: Uint32Array
  readonly at: Uint32Array
  readonly index: Uint32Array
}

/** Postings come in many classes: loops over them get nothing but their lists. */
function foundIn({ starts, positions }: Postings, at: Uint32Array, index: Uint32Array): FoundEntries {
  return { starts, positions, at, index }
}

/** Undefined when the source has none of the documents: most words have none of a small bucket. */
function findEntries(
  { postings, holders }: PositionSource,
  docIds: Uint32Array,
  { read, pairs }: PositionReading,
): FoundEntries | undefined {
  if (postings.isLong && holders === undefined) return entriesIn(read(postings, docIds), docIds, pairs)
  pairs.findCommon(docIds, holders ?? postings.docIds)
  if (pairs.count === 0) return undefined
  const at = pairs.left.slice(0, pairs.count)
  const own = gather(docIds, at)
  const known = read(postings, own)
  if (holders === undefined && known.docIds === postings.docIds) {
    return foundIn(known, at, pairs.right.slice(0, pairs.count))
  }
  // Without holders the list to look in stays the same for all sources, which is faster (`Pairs.findCommon`).
  pairs.findCommon(holders === undefined ? docIds : own, known.docIds)
  return foundIn(known, at, pairs.right.slice(0, pairs.count))
}

/** Without a list of all its documents, which would have to be made. */
function entriesIn(postings: Postings, docIds: Uint32Array, pairs: Pairs): FoundEntries | undefined {
  pairs.findCommon(docIds, postings.docIds)
  const { left, right, count } = pairs
  return count === 0 ? undefined : foundIn(postings, left.slice(0, count), right.slice(0, count))
}

function countPositions(starts: Uint32Array, at: Uint32Array, index: Uint32Array, counts: Uint32Array): void {
  for (let k = 0; k < at.length; k++) {
    counts[at[k]! + 1] = counts[at[k]! + 1]! + starts[index[k]! + 1]! - starts[index[k]!]!
  }
}

/** Counts become starts. */
function sumUp(starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i]! + starts[i - 1]!
}

function copyPositions(
  { starts, positions: source, at, index }: FoundEntries,
  ends: Uint32Array,
  positions: Uint32Array,
): void {
  for (let k = 0; k < at.length; k++) {
    let end = ends[at[k]!]!
    for (let p = starts[index[k]!]!; p < starts[index[k]! + 1]!; p++) positions[end++] = source[p]!
    ends[at[k]!] = end
  }
}

function sortEach(starts: Uint32Array, positions: Uint32Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const from = starts[i]!
    const to = starts[i + 1]!
    if (!isSorted(positions, from, to)) positions.subarray(from, to).sort()
  }
}

function isSorted(positions: Uint32Array, from: number, to: number): boolean {
  for (let p = from + 1; p < to; p++) if (positions[p - 1]! > positions[p]!) return false
  return true
}
