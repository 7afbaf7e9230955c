import { placesOf } from './block-columns.js'
import type { Postings, PostingsPiece, WhichPlaces } from './model.js'
import { PlaceLog } from './place-log.js'
import type { BlockReader } from './posting-block.js'

/** Entries of a piece, at least: blocks of rare words are too small to be looked at one by one. */
const PIECE = 4096

/** Blocks are put together until they are worth a look. */
export class PieceBuffer {
  private blocks: BlockReader[] = []
  private docIds = new Uint32Array(PIECE * 2)
  private count = 0

  constructor(
    private readonly visit: (piece: PostingsPiece) => void,
    private readonly which: WhichPlaces = 'all',
  ) {}

  add(block: BlockReader, entries: Uint32Array, from: number): void {
    if (this.count + block.count > this.docIds.length) this.end()
    if (block.count > this.docIds.length) this.docIds = new Uint32Array(block.count * 2)
    this.docIds.set(entries.subarray(from, from + block.count), this.count)
    this.count += block.count
    this.blocks.push(block)
    if (this.count >= PIECE) this.end()
  }

  end(): void {
    const { docIds, count, blocks, which } = this
    if (count > 0) this.visit({ docIds, count, ...placesOf(blocks, which) })
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
  private readonly log = new PlaceLog()

  add({ docIds, starts, places, count }: PostingsPiece, members: MemberTest): void {
    for (let i = 0; i < count; i++)
      if (members.has(docIds[i]!)) this.log.add(docIds[i]!, places, starts[i]!, starts[i + 1]!)
  }

  merge(): Postings {
    return this.log.merge()
  }
}
