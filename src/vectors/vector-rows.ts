import type { DocId } from '../documents/index.js'
import { norm, quantizedWords } from './distances.js'
import type { EmbedderReader } from './embedder-reader.js'
import { copyFloats, MAX_VECTORS } from './vector-bytes.js'

const BLOCK_ROWS = 512

/** Says whether more memory may be taken. */
export interface RowMemory {
  hasRoomFor(rows: VectorRows): boolean
}

/** No vectors. In the table of first rows it takes one step to tell it from "not looked at yet". */
const NONE = -1
const UNKNOWN = 0

/**
 * Vectors of one embedder in memory, row by row in large blocks, each read from the store when it is first asked for.
 * The rows of a document are a chain. When there is no room for more, vectors are put into rows that are used again by
 * the next document: what `firstRow` answers is valid until it is asked again.
 */
export class VectorRows {
  /** Numbers or words of bits in a row. */
  readonly width: number
  readonly blocks: Float32Array[] = []
  /** The same memory, for rows of bits. */
  readonly bitBlocks: Uint32Array[] = []
  /** The lengths of the vectors, block by block. Without meaning for bits. */
  readonly norms: Float32Array[] = []
  private slots: Uint8Array[] = []
  /** Row behind a row of the same document, `NONE` behind the last. */
  private following: Int32Array[] = []
  /** By docId: `UNKNOWN`, `NONE`, or the number of the row plus one. */
  private first = new Int32Array(1024)
  private free: number[] = []
  /** The rows before are those that are used again and again. */
  private used = MAX_VECTORS

  constructor(
    private reader: EmbedderReader,
    private readonly memory: RowMemory,
  ) {
    const { dimensions, isQuantized } = reader.record
    this.width = isQuantized ? quantizedWords(dimensions) : dimensions
    this.addBlock()
  }

  get sizeBytes(): number {
    return this.blocks.length * BLOCK_ROWS * (this.width * 4 + 9) + this.first.byteLength
  }

  /** The first row of a document, -1 when it has none. */
  firstRow(docId: number): number {
    const known = docId < this.first.length ? this.first[docId]! : UNKNOWN
    if (known === UNKNOWN) return this.load(docId)
    return known === NONE ? NONE : known - 1
  }

  /** Whether what stands in a row stays there when other documents are asked for. */
  isKept(row: number): boolean {
    return row >= MAX_VECTORS
  }

  /** The next row of the same document, -1 behind the last. */
  nextRow(row: number): number {
    return this.following[blockOf(row)]![placeOf(row)]!
  }

  slotOf(row: number): number {
    return this.slots[blockOf(row)]![placeOf(row)]!
  }

  /** Goes on with another state of the store, in which these documents may have other vectors. */
  follow(reader: EmbedderReader, changed: Iterable<number>): void {
    this.reader = reader
    for (const docId of changed) {
      const first = docId < this.first.length ? this.first[docId]! : UNKNOWN
      if (first > 0) for (let row = first - 1; row !== NONE; row = this.nextRow(row)) this.free.push(row)
      if (first !== UNKNOWN) this.first[docId] = UNKNOWN
    }
  }

  private load(docId: number): number {
    const slots = this.reader.slots(docId as DocId)
    const isKept = this.memory.hasRoomFor(this) || this.free.length >= slots.length
    let next = NONE
    for (let i = slots.length - 1; i >= 0; i--) {
      const row = isKept ? this.newRow() : i
      this.copy(docId, slots[i]!, row)
      this.following[blockOf(row)]![placeOf(row)] = next
      next = row
    }
    if (isKept) this.remember(docId, next === NONE ? NONE : next + 1)
    return next
  }

  private copy(docId: number, slot: number, row: number): void {
    const [block, place] = [blockOf(row), placeOf(row)]
    const at = place * this.width
    copyFloats(this.reader.borrow(docId as DocId, slot)!, this.blocks[block]!, at)
    this.slots[block]![place] = slot
    if (!this.reader.record.isQuantized) this.norms[block]![place] = norm(this.blocks[block]!, at, this.width)
  }

  private remember(docId: number, first: number): void {
    if (docId >= this.first.length) {
      const larger = new Int32Array(Math.max(docId + 1, this.first.length * 2))
      larger.set(this.first)
      this.first = larger
    }
    this.first[docId] = first
  }

  private newRow(): number {
    const free = this.free.pop()
    if (free !== undefined) return free
    if (this.used === this.blocks.length * BLOCK_ROWS) this.addBlock()
    return this.used++
  }

  private addBlock(): void {
    const block = new Float32Array(BLOCK_ROWS * this.width)
    this.blocks.push(block)
    this.bitBlocks.push(new Uint32Array(block.buffer))
    this.norms.push(new Float32Array(BLOCK_ROWS))
    this.slots.push(new Uint8Array(BLOCK_ROWS))
    this.following.push(new Int32Array(BLOCK_ROWS))
  }
}

export const blockOf = (row: number): number => (row / BLOCK_ROWS) | 0
export const placeOf = (row: number): number => row % BLOCK_ROWS
