import type { DenseDocSet } from '../bitmap/index.js'
import type { Sized } from '../cache/index.js'
import { BlockReader } from './block-reader.js'
import type { CollectedBlocks } from './collected-blocks.js'
import type { Postings, PostingsPiece, WordPostings } from './model.js'
import type { PositionColumns } from './posting-block.js'
import type { ReadingMemory } from './reading-memory.js'
import { NO_SLABS, type Slabs } from './slabs.js'

/** The blocks of a word and their docIds. */
type Content = Pick<CollectedBlocks, 'docIds' | 'bytes' | 'marks'>

/**
 * The postings of a word. DocIds are decoded at once, positions when they are asked for: mostly nobody does, or for few
 * documents.
 */
export class DecodedPostings implements WordPostings, Sized {
  readonly isLong = false
  sizeBytes: number
  private content: Content
  private isSettled = false
  private columns: PositionColumns | undefined
  private timesRead = 0

  constructor(
    content: Content,
    private readonly memory: ReadingMemory,
    slabs: Slabs = memory.slabs,
  ) {
    this.content = copied(content, slabs)
    const { docIds, bytes, marks } = content
    this.sizeBytes = docIds.byteLength + bytes.length + marks.length * MARK_BYTES + FIXED_BYTES
  }

  /** Of blocks in the order of their bounds. */
  static of(blocks: readonly BlockReader[], memory: ReadingMemory): DecodedPostings {
    const { collected } = memory
    collected.clear()
    for (const block of blocks) collected.add(block)
    return new DecodedPostings(collected, memory, NO_SLABS)
  }

  get docIds(): Uint32Array {
    return this.content.docIds
  }

  get count(): number {
    return this.docIds.length
  }

  addTo(docs: DenseDocSet): void {
    docs.addAll(this.docIds)
  }

  get starts(): Uint32Array {
    return this.all().starts
  }

  get positions(): Uint32Array {
    return this.all().positions
  }

  /** What is asked for again and again is worth keeping. */
  within(docIds: Uint32Array): Postings {
    if (this.columns !== undefined || docIds.length * SPARSE > this.count) return this
    return this.timesRead++ < FEW_TIMES ? this.positionsOf(docIds) : this
  }

  eachPiece(visit: (piece: PostingsPiece) => void): void {
    const { docIds, starts, positions, count } = this
    visit({ docIds, starts, positions, count })
  }

  /** Moves to memory of its own, so that nothing else is kept with it. */
  settle(): void {
    if (!this.isSettled) this.content = copied(this.content, NO_SLABS)
    this.isSettled = true
  }

  private positionsOf(wanted: Uint32Array): Postings {
    const { chosen, log } = this.memory
    const { blocks, from } = chosen.find(wanted, this.docIds, this.content.marks)
    log.clear()
    for (let i = 0; i < blocks.length; i++) log.addNumbered(this.block(blocks[i]!), chosen, from[i]!, from[i + 1]!)
    return log.inOrder()
  }

  private all(): PositionColumns {
    this.columns ??= this.readPositions()
    return this.columns
  }

  private readPositions(): PositionColumns {
    const blocks = this.content.marks.map((_, number) => this.block(number))
    const positionCount = blocks.reduce((sum, block) => sum + block.positionCount, 0)
    const columns = { starts: new Uint32Array(this.count + 1), positions: new Uint32Array(positionCount) }
    let [docAt, positionAt] = [0, 0]
    for (const block of blocks) {
      block.readPositions(columns, docAt, positionAt)
      docAt += block.count
      positionAt += block.positionCount
    }
    columns.starts[docAt] = positionAt
    this.sizeBytes += columns.starts.byteLength + columns.positions.byteLength
    return columns
  }

  private block(number: number): BlockReader {
    const { bytes, marks } = this.content
    const { byteEnd, positionsFrom } = marks[number]!
    const block = new BlockReader(0, bytes.subarray(number === 0 ? 0 : marks[number - 1]!.byteEnd, byteEnd))
    block.passDocIds(positionsFrom)
    return block
  }
}

/** In one piece of memory. */
function copied({ docIds, bytes, marks }: Content, slabs: Slabs): Content {
  const { memory, from } = slabs.take(docIds.byteLength + bytes.length)
  const copy = {
    docIds: new Uint32Array(memory, from, docIds.length),
    bytes: new Uint8Array(memory, from + docIds.byteLength, bytes.length),
    marks,
  }
  copy.docIds.set(docIds)
  copy.bytes.set(bytes)
  return copy
}

/** Where fewer than this share of the documents are wanted, as a divisor, others are passed over. */
const SPARSE = 4

const FEW_TIMES = 2

/** Of the objects around the arrays, roughly. */
const FIXED_BYTES = 500
const MARK_BYTES = 40
