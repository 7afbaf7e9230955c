import type { Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'

/** Places of a term in the documents of a bucket: those of the i-th from `from[i]` up to `to[i]`, ascending. */
export interface BucketPlaces {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly places: Uint32Array
}

/** A word, or all with one beginning, whose places count. */
export interface PlaceSource {
  readonly postings: WordPostings
  /** Where only some of its documents count: those. */
  readonly holders?: Uint32Array
}

export interface PlaceReading {
  /** What `postings` say of some documents, and maybe of others. */
  readonly read: (postings: WordPostings, docIds: Uint32Array) => Postings
  readonly pairs: Pairs
}

/**
 * The places of several words, as if they were one, in the documents of an origin. The rules look at its parts one inside
 * the other: the places of a document are looked for once, in whichever part it comes first, however many words may have
 * them and however many rules want them.
 */
export class OriginPlaces {
  /** By place in the origin. */
  private readonly from: Uint32Array
  private readonly to: Uint32Array
  private readonly isRead: Uint8Array
  private places: Uint32Array = new Uint32Array(0)

  constructor(
    origin: Bucket,
    private readonly sources: readonly PlaceSource[],
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
  in(bucket: Bucket): BucketPlaces {
    this.readMissing(bucket)
    return { from: gather(this.from, bucket.places), to: gather(this.to, bucket.places), places: this.places }
  }

  private readMissing(bucket: Bucket): void {
    const { isRead } = this
    const { places, docIds } = bucket
    const missing = unread(places, places, isRead)
    if (missing.length === 0) return
    const wanted = missing.length === places.length ? docIds : unread(docIds, places, isRead)
    const { read, pairs } = this.reading
    const ofBucket = { read: (postings: WordPostings, own: Uint32Array) => read(postings, own, bucket), pairs }
    this.add(missing, mergeSources(this.sources, wanted, ofBucket))
  }

  private add(at: Uint32Array, { starts, places }: Merged): void {
    const before = this.places.length
    scatter(starts, at, before, this.from, this.to)
    for (let i = 0; i < at.length; i++) this.isRead[at[i]!] = 1
    this.places = before === 0 ? places : joined(this.places, places)
  }
}

/** Of a list with a member for each place those whose place has not been read. */
function unread(list: Uint32Array, places: Uint32Array, isRead: Uint8Array): Uint32Array {
  const found = new Uint32Array(list.length)
  let count = 0
  for (let i = 0; i < list.length; i++) if (isRead[places[i]!] === 0) found[count++] = list[i]!
  return count === list.length ? found : found.slice(0, count)
}

/** Writes down, by place, where what was read begins and ends. */
function scatter(starts: Uint32Array, at: Uint32Array, before: number, from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < at.length; i++) {
    from[at[i]!] = before + starts[i]!
    to[at[i]!] = before + starts[i + 1]!
  }
}

function gather(list: Uint32Array, places: Uint32Array): Uint32Array {
  const found = new Uint32Array(places.length)
  for (let i = 0; i < places.length; i++) found[i] = list[places[i]!]!
  return found
}

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Places of the i-th document from `starts[i]` up to `starts[i + 1]`, ascending. */
export interface Merged {
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

/** Collects what several words say about some documents, in time that depends on what they say. */
export function mergeSources(sources: readonly PlaceSource[], docIds: Uint32Array, reading: PlaceReading): Merged {
  const starts = new Uint32Array(docIds.length + 1)
  const found: Found[] = []
  for (const source of sources) {
    const entries = findEntries(source, docIds, reading)
    if (entries === undefined) continue
    countPlaces(entries.starts, entries.at, entries.index, starts)
    found.push(entries)
  }
  sumUp(starts)
  const places = new Uint32Array(starts[docIds.length]!)
  const ends = starts.slice(0, docIds.length)
  for (const entries of found) copyPlaces(entries, ends, places)
  if (found.length > 1) sortEach(starts, places)
  return { starts, places }
}

/** Documents that a source has: which of those wanted (`at`), and as which of its own (`index`). */
interface Found {
  readonly starts: Uint32Array
  readonly places: Uint32Array
  readonly at: Uint32Array
  readonly index: Uint32Array
}

/** Postings come in many classes: loops over them get nothing but their lists. */
function foundIn({ starts, places }: Postings, at: Uint32Array, index: Uint32Array): Found {
  return { starts, places, at, index }
}

/** Undefined when the source has none of the documents: most words have none of a small bucket. */
function findEntries(
  { postings, holders }: PlaceSource,
  docIds: Uint32Array,
  { read, pairs }: PlaceReading,
): Found | undefined {
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
function entriesIn(postings: Postings, docIds: Uint32Array, pairs: Pairs): Found | undefined {
  pairs.findCommon(docIds, postings.docIds)
  const { left, right, count } = pairs
  return count === 0 ? undefined : foundIn(postings, left.slice(0, count), right.slice(0, count))
}

function countPlaces(starts: Uint32Array, at: Uint32Array, index: Uint32Array, counts: Uint32Array): void {
  for (let k = 0; k < at.length; k++) {
    counts[at[k]! + 1] = counts[at[k]! + 1]! + starts[index[k]! + 1]! - starts[index[k]!]!
  }
}

/** Counts become starts. */
function sumUp(starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i]! + starts[i - 1]!
}

function copyPlaces({ starts, places: source, at, index }: Found, ends: Uint32Array, places: Uint32Array): void {
  for (let k = 0; k < at.length; k++) {
    let end = ends[at[k]!]!
    for (let p = starts[index[k]!]!; p < starts[index[k]! + 1]!; p++) places[end++] = source[p]!
    ends[at[k]!] = end
  }
}

function sortEach(starts: Uint32Array, places: Uint32Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const from = starts[i]!
    const to = starts[i + 1]!
    if (!isSorted(places, from, to)) places.subarray(from, to).sort()
  }
}

function isSorted(places: Uint32Array, from: number, to: number): boolean {
  for (let p = from + 1; p < to; p++) if (places[p - 1]! > places[p]!) return false
  return true
}
