import type { Sized } from './byte-cache.js'
import type { Postings } from './model.js'
import type { BlockReader } from './posting-block.js'

/** The postings of a word. DocIds are decoded at once, places when they are asked for. */
export class DecodedPostings implements Postings, Sized {
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

  get starts(): Uint32Array {
    return (this.columns ??= this.readPlaces()).starts
  }

  get places(): Uint32Array {
    return (this.columns ??= this.readPlaces()).places
  }

  private readPlaces() {
    const count = this.docIds.length
    const placeCount = sum(this.blocks, (block) => block.placeCount)
    const columns = { starts: new Uint32Array(count + 1), places: new Uint32Array(placeCount) }
    let docAt = 0
    let placeAt = 0
    for (const block of this.blocks) {
      block.readPlaces(columns, docAt, placeAt)
      docAt += block.count
      placeAt += block.placeCount
    }
    columns.starts[count] = placeCount
    this.blocks = []
    this.sizeBytes = this.docIds.byteLength + columns.starts.byteLength + columns.places.byteLength + FIXED_BYTES
    return columns
  }
}

/** Of the objects around the arrays, roughly. */
const FIXED_BYTES = 500

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}
