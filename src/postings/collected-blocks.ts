import type { BlockReader } from './block-reader.js'
import { BlockBuffer } from './kept-positions.js'

/** Where a block ends among those of its word, and what helps to read its positions. */
export interface BlockMark {
  readonly docEnd: number
  readonly byteEnd: number
  /** Counted from its first byte. */
  readonly positionsFrom: number
}

/** The blocks of one word as they come, their docIds decoded, until it is known how many there are. */
export class CollectedBlocks {
  marks: BlockMark[] = []
  private readonly buffer = new BlockBuffer()
  private memory = new Uint8Array(1 << 14)

  clear(): void {
    this.marks = []
  }

  add(block: BlockReader): void {
    const { docCount, byteCount } = this
    this.buffer.readDocIds(block, docCount)
    const byteEnd = byteCount + block.bytes.length
    if (byteEnd > this.memory.length) this.reserve(byteEnd)
    this.memory.set(block.bytes, byteCount)
    this.marks.push({ docEnd: docCount + block.count, byteEnd, positionsFrom: block.positionsFrom })
  }

  private reserve(bytes: number): void {
    const larger = new Uint8Array(Math.max(bytes, this.memory.length * 2))
    larger.set(this.memory)
    this.memory = larger
  }

  get docCount(): number {
    return this.marks.length === 0 ? 0 : this.marks[this.marks.length - 1]!.docEnd
  }

  get byteCount(): number {
    return this.marks.length === 0 ? 0 : this.marks[this.marks.length - 1]!.byteEnd
  }

  /** Good until the next word comes. */
  get docIds(): Uint32Array {
    return this.buffer.docIds.subarray(0, this.docCount)
  }

  /** Good until the next word comes. */
  get bytes(): Uint8Array {
    return this.memory.subarray(0, this.byteCount)
  }
}
