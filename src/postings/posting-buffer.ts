import type { BlockReader } from './block-reader.js'
import type { PostingColumns } from './posting-block.js'

/** Postings that grow at the end, for merging. Cleared and filled again for each block, so that it allocates rarely. */
export class PostingBuffer implements PostingColumns {
  docIds = new Uint32Array(256)
  starts = new Uint32Array(257)
  positions = new Uint32Array(512)
  count = 0

  clear(): void {
    this.count = 0
  }

  /** Behind all others: `docId` must be the greatest. */
  add(docId: number, positions: Uint32Array, from: number, to: number): void {
    const { count } = this
    const start = this.starts[count]!
    this.reserve(count + 1, start + to - from)
    this.docIds[count] = docId
    let next = start
    for (let i = from; i < to; i++) this.positions[next++] = positions[i]!
    this.starts[count + 1] = next
    this.count = count + 1
  }

  /** Documents `first` up to `end` of other postings, behind all others. */
  addAll(other: PostingColumns, first: number, end: number): void {
    if (first === end) return
    const { count } = this
    const from = other.starts[first]!
    const to = other.starts[end]!
    const shift = this.starts[count]! - from
    this.reserve(count + end - first, to + shift)
    this.docIds.set(other.docIds.subarray(first, end), count)
    this.positions.set(other.positions.subarray(from, to), from + shift)
    for (let i = first; i < end; i++) this.starts[count + i - first + 1] = other.starts[i + 1]! + shift
    this.count = count + end - first
  }

  /** The same as the block. */
  load(block: BlockReader): void {
    this.reserve(block.count, block.positionCount)
    block.readDocIds(this.docIds, 0)
    block.readPositions(this, 0, 0)
    this.starts[block.count] = block.positionCount
    this.count = block.count
  }

  private reserve(documents: number, positions: number): void {
    if (documents > this.docIds.length) {
      this.docIds = grown(this.docIds, documents)
      this.starts = grown(this.starts, documents + 1)
    }
    if (positions > this.positions.length) this.positions = grown(this.positions, positions)
  }
}

/** A copy with room for at least `needed`, twice as long as before. */
export function grown(column: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, column.length * 2))
  larger.set(column)
  return larger
}
