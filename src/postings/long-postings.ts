import { DenseDocSet, DenseDocSetBuilder, lowerBound } from '../bitmap/index.js'
import type { Sized } from '../cache/index.js'
import type { BlockReader } from './block-reader.js'
import { mergeEntries } from './entry-merge.js'
import { type BlockBuffer, PieceBuffer } from './kept-positions.js'
import type { Postings, PostingsPiece, WhichPositions, WordPostings } from './model.js'
import { PositionLog } from './position-log.js'
import { grown } from './posting-buffer.js'
import type { ReadingMemory } from './reading-memory.js'

/** Blocks that are read when they are wanted. What is read is good until the next one is. */
export interface BlockSource {
  /** All of them, in the order of their keys. */
  each(visit: (block: BlockReader) => void): void
  /** Those with these numbers in that order, which ascend; all were read before. */
  some(numbers: readonly number[], visit: (block: BlockReader) => void): void
  /** Of what is remembered to find them again. */
  readonly sizeBytes: number
}

/**
 * Postings that are too long to be kept, of a word or of several as if they were one. Documents are kept as a set, which
 * for a frequent word is a twentieth of what its blocks take, and of each block its limits. Everything else is read from
 * the store when it is asked for, and remembered as long as nobody needs the memory: at least until a search is over.
 */
export class LongPostings implements WordPostings, Sized {
  readonly isLong = true
  readonly count: number
  readonly sizeBytes: number
  private readonly docs: DenseDocSet
  /** Of each block the first docId and the last. */
  private readonly limits: Uint32Array
  private readonly entryCount: number
  private readonly positionCount: number
  /** Blocks follow each other, and no document is in two of them. */
  private readonly isOneWord: boolean
  private list: WeakRef<Uint32Array> | undefined
  private columns: WeakRef<Postings> | undefined

  constructor(
    private readonly blocks: BlockSource,
    private readonly memory: ReadingMemory,
  ) {
    const reading = new FirstReading(memory.buffer)
    blocks.each((block) => reading.add(block))
    this.docs = reading.docs.finish()
    this.limits = reading.limits.slice(0, reading.blockCount * 2)
    this.count = this.docs.count()
    this.entryCount = reading.entryCount
    this.positionCount = reading.positionCount
    this.isOneWord = isAscending(this.limits)
    this.sizeBytes = this.docs.sizeBytes + this.limits.byteLength + blocks.sizeBytes
  }

  get docIds(): Uint32Array {
    const known = this.list?.deref() ?? this.columns?.deref()?.docIds
    if (known !== undefined) return known
    const docIds = this.docs.toArray(this.count)
    this.list = new WeakRef(docIds)
    return docIds
  }

  get starts(): Uint32Array {
    return this.all().starts
  }

  get positions(): Uint32Array {
    return this.all().positions
  }

  addTo(docs: DenseDocSet): void {
    docs.or(this.docs)
  }

  within(docIds: Uint32Array): Postings {
    const known = this.columns?.deref()
    if (known !== undefined) return known
    const members = this.docs.membersOf(docIds)
    if (members.length === 0) return NO_POSTINGS
    if (members.length * 2 > this.count) return this.all()
    return this.positionsOf(members)
  }

  eachPiece(visit: (piece: PostingsPiece) => void, which: WhichPositions): void {
    const known = this.columns?.deref()
    if (known !== undefined) {
      visit({ ...known, count: this.count })
      return
    }
    const piece = new PieceBuffer(visit, which)
    this.blocks.each((block) => piece.add(block))
    piece.end()
  }

  /** Of some of its documents, which ascend. */
  private positionsOf(members: Uint32Array): Postings {
    const { numbers, counts } = this.blocksBetween(members)
    const entries = (numbers.length * this.entryCount * 2) / this.limits.length
    if (this.isOneWord && members.length * DENSE > entries) return this.readWhole(numbers)
    const wanted = new DenseDocSet(this.docs.limit)
    wanted.addAll(members)
    const { buffer, chosen } = this.memory
    const log = new PositionLog()
    let next = 0
    this.blocks.some(numbers, (block) => {
      if (counts[next++]! * SPARSE < block.count) log.addSome(block, members, chosen)
      else {
        buffer.readDocIds(block)
        buffer.keepPositions(block, wanted, log)
      }
    })
    return this.isOneWord ? log.inOrder() : log.merge()
  }

  /** Some blocks with all their documents, which saves looking for those that are wanted. */
  private readWhole(numbers: readonly number[]): Postings {
    const { buffer } = this.memory
    let [at, positionAt] = [0, 0]
    this.blocks.some(numbers, (block) => {
      buffer.readDocIds(block, at)
      buffer.readPositions(block, 'all', at, positionAt)
      at += block.count
      positionAt += block.positionCount
    })
    const { docIds, starts, positions } = buffer
    return { docIds: docIds.slice(0, at), starts: starts.slice(0, at + 1), positions: positions.slice(0, positionAt) }
  }

  /** The blocks between whose docIds some of the documents lie, and how many these are. */
  private blocksBetween(docIds: Uint32Array): { numbers: number[]; counts: number[] } {
    const { limits } = this
    const [numbers, counts]: [number[], number[]] = [[], []]
    for (let i = 0; i * 2 < limits.length; i++) {
      const next = lowerBound(docIds, limits[i * 2]!)
      if (next === docIds.length || docIds[next]! > limits[i * 2 + 1]!) continue
      numbers.push(i)
      counts.push(lowerBound(docIds, limits[i * 2 + 1]! + 1) - next)
    }
    return { numbers, counts }
  }

  private all(): Postings {
    const known = this.columns?.deref()
    if (known !== undefined) return known
    const read = this.readAll()
    this.columns = new WeakRef(read)
    return read
  }

  private readAll(): Postings {
    const { entryCount, positionCount } = this
    const docIds = new Uint32Array(entryCount)
    const columns = { starts: new Uint32Array(entryCount + 1), positions: new Uint32Array(positionCount) }
    let [at, positionAt] = [0, 0]
    this.blocks.each((block) => {
      block.readDocIds(docIds, at)
      block.readPositions(columns, at, positionAt)
      at += block.count
      positionAt += block.positionCount
    })
    columns.starts[entryCount] = positionCount
    return this.isOneWord ? { docIds, ...columns } : mergeEntries(docIds, this.docIds, columns)
  }
}

/** What is learned of blocks when they are read for the first time. */
class FirstReading {
  readonly docs = new DenseDocSetBuilder()
  limits = new Uint32Array(2048)
  blockCount = 0
  entryCount = 0
  positionCount = 0

  constructor(private readonly buffer: BlockBuffer) {}

  add(block: BlockReader): void {
    const { buffer } = this
    const { count } = block
    buffer.readDocIds(block)
    this.docs.add(buffer.docIds, count)
    const at = this.blockCount++ * 2
    if (at === this.limits.length) this.limits = grown(this.limits, at + 2)
    this.limits[at] = buffer.docIds[0]!
    this.limits[at + 1] = buffer.docIds[count - 1]!
    this.entryCount += count
    this.positionCount += block.positionCount
  }
}

function isAscending(limits: Uint32Array): boolean {
  for (let i = 1; i < limits.length; i++) if (limits[i]! < limits[i - 1]! + (i & 1 ? 0 : 1)) return false
  return true
}

const NO_POSTINGS: Postings = { docIds: new Uint32Array(0), starts: new Uint32Array(1), positions: new Uint32Array(0) }

/** Where fewer than this share of the documents of a block are wanted, as a divisor, others are passed over. */
const SPARSE = 8

/** From this share of the documents of some blocks on, as a divisor, all of them are read. */
const DENSE = 4
