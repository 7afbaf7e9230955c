import { placesOf } from './decoded-postings.js'
import { distinctSorted, mergeEntries } from './entry-merge.js'
import type { Postings, PostingsPiece } from './model.js'
import type { BlockReader } from './posting-block.js'

/** Entries of a piece, at least: blocks of rare words are too small to be looked at one by one. */
const PIECE = 4096

/** Blocks are put together until they are worth a look. */
export class PieceBuffer {
  private blocks: BlockReader[] = []
  private docIds = new Uint32Array(PIECE * 2)
  private count = 0

  constructor(private readonly visit: (piece: PostingsPiece) => void) {}

  add(block: BlockReader, entries: Uint32Array, from: number): void {
    if (this.count + block.count > this.docIds.length) this.end()
    if (block.count > this.docIds.length) this.docIds = new Uint32Array(block.count * 2)
    this.docIds.set(entries.subarray(from, from + block.count), this.count)
    this.count += block.count
    this.blocks.push(block)
    if (this.count >= PIECE) this.end()
  }

  end(): void {
    const { docIds, count, blocks } = this
    if (count > 0) this.visit({ docIds, count, ...placesOf(blocks) })
    this.blocks = []
    this.count = 0
  }
}

/** Which documents are looked for: a table of bits, made for each search. */
export class MemberTest {
  private readonly limit: number
  private readonly bits: Uint32Array

  /** Ascending. */
  constructor(docIds: Uint32Array) {
    this.limit = docIds.length === 0 ? 0 : docIds[docIds.length - 1]! + 1
    this.bits = new Uint32Array((this.limit + 31) >>> 5)
    for (let i = 0; i < docIds.length; i++) this.bits[docIds[i]! >>> 5]! |= 1 << (docIds[i]! & 31)
  }

  has(docId: number): boolean {
    return docId < this.limit && ((this.bits[docId >>> 5]! >>> (docId & 31)) & 1) === 1
  }

  hasAny(docIds: Uint32Array, from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.has(docIds[i]!)) return true
    return false
  }
}

/** The places of some documents, gathered from pieces. */
export class KeptPlaces {
  private docIds: Uint32Array = new Uint32Array(1024)
  private ends: Uint32Array = new Uint32Array(1024)
  private places: Uint32Array = new Uint32Array(4096)
  private count = 0
  private placeCount = 0

  add({ docIds, starts, places, count }: PostingsPiece, members: MemberTest): void {
    for (let i = 0; i < count; i++) {
      if (!members.has(docIds[i]!)) continue
      this.reserve(starts[i + 1]! - starts[i]!)
      for (let p = starts[i]!; p < starts[i + 1]!; p++) this.places[this.placeCount++] = places[p]!
      this.ends[this.count] = this.placeCount
      this.docIds[this.count++] = docIds[i]!
    }
  }

  merge(): Postings {
    const entries = this.docIds.subarray(0, this.count)
    const starts = new Uint32Array(this.count + 1)
    starts.set(this.ends.subarray(0, this.count), 1)
    return mergeEntries(entries, distinctSorted(entries), { starts, places: this.places.subarray(0, this.placeCount) })
  }

  private reserve(places: number): void {
    if (this.count === this.docIds.length) {
      this.docIds = grown(this.docIds, this.count * 2)
      this.ends = grown(this.ends, this.count * 2)
    }
    const needed = this.placeCount + places
    if (needed > this.places.length) this.places = grown(this.places, needed * 2)
  }
}

function grown(values: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length)
  larger.set(values)
  return larger
}
