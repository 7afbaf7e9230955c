import { DenseDocSet, lowerBound } from '../bitmap/index.js'
import type { Sized } from '../cache/index.js'
import type { BlockReader } from './block-reader.js'
import { distinctSorted, mergeEntries } from './entry-merge.js'
import { PieceBuffer } from './kept-positions.js'
import type { Postings, PostingsPiece, WhichPositions, WordPostings } from './model.js'
import { PositionLog } from './position-log.js'
import type { PositionColumns } from './posting-block.js'
import type { ReadingMemory } from './reading-memory.js'

/**
 * The postings of several words as if they were one. DocIds are merged at once, positions when they are asked for. Linear
 * in the postings, and when they are many in the highest docId.
 */
export class MergedPostings implements WordPostings, Sized {
  readonly docIds: Uint32Array
  readonly isLong = false
  sizeBytes: number
  /** Of each block the first docId and the last. */
  private readonly limits: Uint32Array
  private readonly entryCount: number
  private readonly positionCount: number
  private columns: Postings | undefined

  constructor(
    private blocks: readonly BlockReader[],
    private readonly memory: ReadingMemory,
  ) {
    this.limits = new Uint32Array(blocks.length * 2)
    this.entryCount = sum(blocks, ({ count }) => count)
    this.positionCount = sum(blocks, ({ positionCount }) => positionCount)
    const entries = new Uint32Array(this.entryCount)
    readDocIds(blocks, entries, this.limits)
    this.docIds = distinctSorted(entries)
    const blockBytes = sum(blocks, (block) => block.sizeBytes + READER_BYTES)
    this.sizeBytes = this.docIds.byteLength + this.limits.byteLength + blockBytes
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

  within(docIds: Uint32Array): Postings {
    if (this.columns !== undefined || docIds.length * MANY > this.docIds.length) return this.all()
    const { buffer } = this.memory
    const members = DenseDocSet.ofSorted(docIds)
    const kept = new PositionLog()
    for (const block of this.blocksBetween(docIds)) {
      buffer.readDocIds(block)
      if (members.hasAny(buffer.docIds, 0, block.count)) buffer.keepPositions(block, members, kept)
    }
    return kept.merge()
  }

  eachPiece(visit: (piece: PostingsPiece) => void, which: WhichPositions): void {
    if (this.columns !== undefined) {
      visit({ ...this.columns, count: this.docIds.length })
      return
    }
    const piece = new PieceBuffer(visit, which)
    for (const block of this.blocks) piece.add(block)
    piece.end()
  }

  /** The blocks between whose docIds some of the documents lie. */
  private blocksBetween(docIds: Uint32Array): BlockReader[] {
    const { blocks, limits } = this
    const found: BlockReader[] = []
    for (let i = 0; i < blocks.length; i++) {
      const next = lowerBound(docIds, limits[i * 2]!)
      if (next < docIds.length && docIds[next]! <= limits[i * 2 + 1]!) found.push(blocks[i]!)
    }
    return found
  }

  private all(): Postings {
    if (this.columns !== undefined) return this.columns
    const { entryCount, positionCount } = this
    const entries = new Uint32Array(entryCount)
    const columns = { starts: new Uint32Array(entryCount + 1), positions: new Uint32Array(positionCount) }
    readAll(this.blocks, entries, columns)
    columns.starts[entryCount] = positionCount
    const merged = mergeEntries(entries, this.docIds, columns)
    this.keep(merged)
    return merged
  }

  private keep(columns: Postings): void {
    this.columns = columns
    this.blocks = []
    this.sizeBytes = this.docIds.byteLength + columns.starts.byteLength + columns.positions.byteLength
  }
}

/** Notes of each block the first docId and the last. */
function readDocIds(blocks: readonly BlockReader[], entries: Uint32Array, limits: Uint32Array): void {
  let at = 0
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    block.readDocIds(entries, at)
    limits[i * 2] = entries[at]!
    at += block.count
    limits[i * 2 + 1] = entries[at - 1]!
  }
}

function readAll(blocks: readonly BlockReader[], entries: Uint32Array, columns: PositionColumns): void {
  let at = 0
  let positionAt = 0
  for (const block of blocks) {
    block.readDocIds(entries, at)
    block.readPositions(columns, at, positionAt)
    at += block.count
    positionAt += block.positionCount
  }
}

/** Of the objects that read a block, roughly. */
const READER_BYTES = 220

/** Above this share of the documents, as a divisor, all are read: they are needed again by the next rule. */
const MANY = 16

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}
