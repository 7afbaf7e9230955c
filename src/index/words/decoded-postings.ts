import type { DocBits } from '../../bitmap/index.js'
import { placesOf, sum } from './block-columns.js'
import type { Sized } from './byte-cache.js'
import type { Postings, PostingsPiece, WordPostings } from './model.js'
import type { BlockReader } from './posting-block.js'

/** The postings of a word. DocIds are decoded at once, places when they are asked for. */
export class DecodedPostings implements WordPostings, Sized {
  readonly isLong = false
  readonly docIds: Uint32Array
  sizeBytes: number
  private blocks: readonly BlockReader[]
  private columns: { readonly starts: Uint32Array; readonly places: Uint32Array } | undefined

  /** In the order of their bounds. */
  constructor(blocks: readonly BlockReader[]) {
    this.blocks = blocks
    this.docIds = new Uint32Array(sum(blocks, ({ count }) => count))
    let at = 0
    for (const block of blocks) {
      block.readDocIds(this.docIds, at)
      at += block.count
    }
    this.sizeBytes = this.docIds.byteLength + sum(blocks, ({ sizeBytes }) => sizeBytes) + FIXED_BYTES
  }

  get count(): number {
    return this.docIds.length
  }

  addTo(docs: DocBits): void {
    docs.addAll(this.docIds)
  }

  get starts(): Uint32Array {
    return (this.columns ??= this.readPlaces()).starts
  }

  get places(): Uint32Array {
    return (this.columns ??= this.readPlaces()).places
  }

  within(docIds: Uint32Array): Postings {
    if (this.columns !== undefined) return this
    const blocks = this.blocksWith(docIds)
    if (blocks.length * 2 > this.blocks.length) return this
    const found = new Uint32Array(sum(blocks, ({ block }) => block.count))
    let at = 0
    for (const { block, from } of blocks) {
      found.set(this.docIds.subarray(from, from + block.count), at)
      at += block.count
    }
    return { docIds: found, ...placesOf(blocks.map(({ block }) => block)) }
  }

  eachPiece(visit: (piece: PostingsPiece) => void): void {
    const { docIds, starts, places, count } = this
    visit({ docIds, starts, places, count })
  }

  /** The blocks that have at least one of the documents, and where their docIds begin. */
  private blocksWith(docIds: Uint32Array): { block: BlockReader; from: number }[] {
    const found: { block: BlockReader; from: number }[] = []
    let wanted = 0
    let from = 0
    for (const block of this.blocks) {
      const [first, last] = [this.docIds[from]!, this.docIds[from + block.count - 1]!]
      while (wanted < docIds.length && docIds[wanted]! < first) wanted++
      if (wanted < docIds.length && docIds[wanted]! <= last) found.push({ block, from })
      from += block.count
    }
    return found
  }

  private readPlaces() {
    const columns = placesOf(this.blocks)
    this.blocks = []
    this.sizeBytes = this.docIds.byteLength + columns.starts.byteLength + columns.places.byteLength + FIXED_BYTES
    return columns
  }
}

/** Of the objects around the arrays, roughly. */
const FIXED_BYTES = 500
