import { DocBits } from '../../bitmap/index.js'
import { placesOf, sum } from './block-columns.js'
import type { Sized } from './byte-cache.js'
import { distinctSorted, mergeEntries } from './entry-merge.js'
import { keepPlaces, PieceBuffer } from './kept-places.js'
import type { Postings, PostingsPiece, WordPostings } from './model.js'
import { PlaceLog } from './place-log.js'
import type { BlockReader } from './posting-block.js'

/**
 * The postings of several words as if they were one. DocIds are merged at once, places when they are asked for. Linear
 * in the postings, and when they are many in the highest docId.
 */
export class MergedPostings implements WordPostings, Sized {
  readonly docIds: Uint32Array
  sizeBytes: number
  private blocks: readonly BlockReader[]
  /** The docIds of all blocks, one block behind the other. */
  private entries: Uint32Array
  private columns: { readonly starts: Uint32Array; readonly places: Uint32Array } | undefined

  constructor(blocks: readonly BlockReader[]) {
    this.blocks = blocks
    this.entries = new Uint32Array(sum(blocks, ({ count }) => count))
    let at = 0
    for (const block of blocks) {
      block.readDocIds(this.entries, at)
      at += block.count
    }
    this.docIds = distinctSorted(this.entries)
    this.sizeBytes = this.docIds.byteLength + this.entries.byteLength + sum(blocks, (block) => block.sizeBytes + 100)
  }

  get starts(): Uint32Array {
    return (this.columns ??= this.readPlaces()).starts
  }

  get places(): Uint32Array {
    return (this.columns ??= this.readPlaces()).places
  }

  within(docIds: Uint32Array): Postings {
    if (this.columns !== undefined || docIds.length * MANY > this.docIds.length) return this
    const members = DocBits.ofSorted(docIds)
    const kept = new PlaceLog()
    this.piecesOf((piece) => keepPlaces(kept, piece, members), members)
    return kept.merge()
  }

  get isLong(): boolean {
    return false
  }

  eachPiece(visit: (piece: PostingsPiece) => void): void {
    this.piecesOf(visit)
  }

  private piecesOf(visit: (piece: PostingsPiece) => void, only?: DocBits): void {
    const { columns, docIds } = this
    if (columns !== undefined) {
      visit({ docIds, ...columns, count: docIds.length })
      return
    }
    const piece = new PieceBuffer(visit)
    let from = 0
    for (const block of this.blocks) {
      if (only === undefined || only.hasAny(this.entries, from, from + block.count))
        piece.add(block, this.entries, from)
      from += block.count
    }
    piece.end()
  }

  private readPlaces() {
    const { entries, docIds } = this
    const { starts, places } = mergeEntries(entries, docIds, placesOf(this.blocks))
    this.blocks = []
    this.entries = new Uint32Array(0)
    this.sizeBytes = docIds.byteLength + starts.byteLength + places.byteLength
    return { starts, places }
  }
}

/** Above this share of the documents, as a divisor, all are read: they are needed again by the next rule. */
const MANY = 16
