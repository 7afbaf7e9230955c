import type { FieldId } from '../documents/index.js'
import type { Database } from '../store/index.js'
import { ColumnCells, listAt, NO_VALUE } from './column-cells.js'
import {
  CHUNK_DOCUMENTS,
  type ChunkMemory,
  chunkKey,
  chunkNumber,
  chunkOf,
  fieldKey,
  NO_ORDINALS,
  readOrdinals,
  stampOf,
} from './column-chunk.js'
import { ValueNumbering } from './value-numbering.js'

/** Where a column is stored, and as of which version of the index it is read. */
export interface ColumnSource {
  readonly database: Database
  /** Grows when the index has changed. */
  readonly version: number
  /** Of whoever reads chunks, one after the other. */
  readonly chunkMemory: ChunkMemory
  /** How a document spells a normalized string, where the column does not say. */
  longSpelling(field: FieldId, docId: number, norm: string): string
}

/** No docId has a higher chunk. */
const LAST_CHUNK = 0xff_ffff

/** What it takes to look at the documents of a chunk, to find that one in memory has not changed, to read one; in µs. */
const SCAN_COST = 0.8
const CHECK_COST = 3
const READ_COST = 40

/**
 * The chunks of one column in memory: the cells of documents, and the ordinals of values. What was read stays, as long as
 * there is room, and is read again only when it has changed.
 */
export class ColumnChunks {
  readonly cells = new ColumnCells()
  readonly numbering = new ValueNumbering()
  /** One more than the number of the last chunk that is stored, as of a version. */
  private known = { chunkCount: 0, version: -1 }

  constructor(
    private readonly source: ColumnSource,
    private readonly field: FieldId,
    /** Whether more may be kept. */
    private readonly hasRoom: () => boolean,
  ) {}

  /** About what `withNumbers` costs now, in µs; and what it costs when all is in memory and as it is stored. */
  scanCosts(): { now: number; later: number } {
    const { version } = this.source
    const chunkCount = this.chunkCount()
    const later = SCAN_COST * chunkCount
    let now = later
    for (let chunk = 0; chunk < chunkCount; chunk++) if (!this.cells.isOf(chunk, version)) now += this.costOf(chunk)
    return { now, later }
  }

  /** Reads what is not in memory or may have changed, as far as `budget` µs go. */
  readAhead(budget: number): void {
    const { version } = this.source
    const chunkCount = this.chunkCount()
    let left = budget
    for (let chunk = 0; chunk < chunkCount && left > 0 && this.hasRoom(); chunk++) {
      if (this.cells.isOf(chunk, version)) continue
      left -= this.costOf(chunk)
      this.need(chunk)
    }
  }

  private costOf(chunk: number): number {
    return this.cells.has(chunk) ? CHECK_COST : READ_COST
  }

  /** Gives every value that is stored its ordinal. Reads all chunks that are not in memory as they are now. */
  meetAll(): void {
    const chunkCount = this.chunkCount()
    for (let chunk = 0; chunk < chunkCount; chunk++) this.need(chunk)
  }

  /**
   * Visits documents, given ascending, in parts whose cells are readable, of at most `size` documents. There may be a
   * chunk for each of a few thousand documents: where all chunks are in memory, parts do not care about them.
   */
  forEachPart(docIds: Uint32Array, visit: (from: number, to: number) => void, size = docIds.length): void {
    if (!this.areKept(docIds)) this.forEachChunk(docIds, visit)
    else for (let from = 0; from < docIds.length; from += size) visit(from, Math.min(from + size, docIds.length))
  }

  /** Reads the chunks of documents as far as there is room; true when all of them are in memory. */
  private areKept(docIds: Uint32Array): boolean {
    for (let i = 0; i < docIds.length; ) {
      const chunk = chunkOf(docIds[i]!)
      this.need(chunk)
      if (!this.cells.has(chunk)) return false
      i = nextChunkAt(docIds, i)
    }
    return true
  }

  private forEachChunk(docIds: Uint32Array, visit: (from: number, to: number) => void): void {
    for (let from = 0; from < docIds.length; ) {
      const to = nextChunkAt(docIds, from)
      this.need(chunkOf(docIds[from]!))
      visit(from, to)
      from = to
    }
  }

  cellOf(docId: number): number {
    this.need(chunkOf(docId))
    return this.cells.cells[docId]!
  }

  /** Ascending as `values`. */
  ordinalsOf(docId: number): Int32Array {
    const cell = this.cellOf(docId)
    if (cell >= NO_VALUE) return cell === NO_VALUE ? NO_ORDINAL : Int32Array.of(cell)
    const { lists } = this.cells
    const at = listAt(cell)
    return lists.subarray(at + 1, at + 1 + lists[at]!)
  }

  /** Makes the cells of a chunk readable, as they are stored now; until the next chunk, where there is no room. */
  need(chunk: number): void {
    if (!this.cells.isOf(chunk, this.source.version)) this.read(chunk)
  }

  private read(chunk: number): void {
    const { source, cells } = this
    cells.reserve(this.chunkCount())
    const borrowed = source.database.getBorrowed(chunkKey(this.field, chunk))
    const stamp = borrowed === undefined ? 0 : stampOf(borrowed)
    if (cells.isStill(chunk, stamp, source.version)) return
    const read = borrowed === undefined ? NO_ORDINALS : readOrdinals(borrowed, this.numbering, source.chunkMemory)
    if (cells.has(chunk) || this.hasRoom()) cells.put(chunk, read, { stamp, version: source.version })
    else cells.putForNow(chunk, read)
  }

  /** One more than the number of the last chunk that is stored. */
  chunkCount(): number {
    const { database, version } = this.source
    if (this.known.version !== version) {
      const start = chunkKey(this.field, LAST_CHUNK)
      const [last] = database.keys({ start, end: fieldKey(this.field), reverse: true, limit: 1 })
      this.known = { chunkCount: last === undefined ? 0 : chunkNumber(last) + 1, version }
    }
    return this.known.chunkCount
  }
}

/** Where the documents of the chunk of the one at `from` end: mostly right behind it, or far away. */
function nextChunkAt(docIds: Uint32Array, from: number): number {
  const limit = (chunkOf(docIds[from]!) + 1) * CHUNK_DOCUMENTS
  let lo = from + 1
  if (lo === docIds.length || docIds[lo]! >= limit) return lo
  let hi = Math.min(from + CHUNK_DOCUMENTS, docIds.length)
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    if (docIds[middle]! < limit) lo = middle + 1
    else hi = middle
  }
  return lo
}

const NO_ORDINAL = new Int32Array(0)
