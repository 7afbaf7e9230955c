import type { Database } from '../../store/index.js'
import type { FieldId } from '../fields/field-registry.js'
import { CHUNK_DOCUMENTS, ColumnChunk, chunkKey, chunkNumber, chunkOf, stampOf } from './column-chunk.js'
import type { ColumnMemory } from './column-memory.js'
import type { ValueMarks } from './value-marks.js'
import { ValueNumbering } from './value-numbering.js'
import type { ValueTally } from './value-tally.js'

/** Where a column is stored, and as of which version of the index it is read. */
export interface ColumnSource {
  readonly database: Database
  /** Grows when the index has changed. */
  readonly version: number
  /** How a document spells a normalized string, where the column does not say. */
  longSpelling(field: FieldId, docId: number, norm: string): string
}

/** A chunk as it was when the index had the version `checkedAt`. */
interface CachedChunk {
  readonly stamp: number
  readonly chunk: ColumnChunk
  checkedAt: number
}

/** Values that no chunk has any more do not matter up to this many. */
const FEW_VALUES = 10_000

/** From so many documents of a chunk on, the values of all of them are given their ordinals at once. */
const MANY_OF_CHUNK = 32

/**
 * The values of one field, document by document. Each different value has an ordinal, a small number that stays its own
 * as long as this object lives; ordinals are given as values are met and say nothing about order.
 *
 * Chunks stay in memory, as long as there is room, and are read again only when they have changed.
 */
export class FacetColumn {
  private readonly chunks = new Map<number, CachedChunk>()
  private readonly numbering = new ValueNumbering()
  /** Values in the tables of the chunks in memory: no more than these are alive. */
  private tableSize = 0
  private chunkBytes = 0

  constructor(
    private readonly source: ColumnSource,
    private readonly field: FieldId,
    private readonly memory: ColumnMemory,
  ) {}

  /** How many ordinals were given. */
  get size(): number {
    return this.numbering.size
  }

  /** About how much memory this holds. */
  get sizeBytes(): number {
    return this.chunkBytes + this.numbering.sizeBytes
  }

  /** Most values in memory are of documents that have changed, or there are far too many: time to start anew. */
  get isWornOut(): boolean {
    const isMostlyDead = this.size > 2 * this.tableSize + FEW_VALUES
    return (isMostlyDead && this.memory.hasRoomFor(this)) || this.memory.isExceededBy(this)
  }

  valueOf(ordinal: number): number | string {
    return this.numbering.valueOf(ordinal)
  }

  isText(ordinal: number): boolean {
    return this.numbering.isText(ordinal)
  }

  /** Compares values by their ordinals: numbers ascending, then normalized strings in byte order. */
  compare(a: number, b: number): number {
    return this.numbering.compare(a, b)
  }

  /** Numbers ascending, then normalized strings in byte order. */
  values(docId: number): (number | string)[] {
    const chunk = this.chunkAt(chunkOf(docId))
    const low = docId & 0xff
    const values: (number | string)[] = []
    for (let i = chunk.starts[low]!; i < chunk.starts[low + 1]!; i++) {
      values.push(this.valueOf(this.ordinalAt(chunk, chunk.places[i]!)))
    }
    return values
  }

  /** A document has one of the values that are marked. */
  hasMarked(docId: number, marks: ValueMarks): boolean {
    const chunk = this.chunkAt(chunkOf(docId))
    const ordinals = this.ordinalsOf(chunk)
    const low = docId & 0xff
    const end = chunk.starts[low + 1]!
    for (let i = chunk.starts[low]!; i < end; i++) if (marks.has(ordinals[i]!)) return true
    return false
  }

  /** Marks the values of a document. */
  mark(docId: number, marks: ValueMarks): void {
    const chunk = this.chunkAt(chunkOf(docId))
    const ordinals = this.ordinalsOf(chunk)
    const low = docId & 0xff
    for (let i = chunk.starts[low]!; i < chunk.starts[low + 1]!; i++) marks.add(ordinals[i]!)
  }

  /** For each of the documents, given ascending, its smallest number; NaN without one. */
  numbers(docIds: Uint32Array): Float64Array {
    const found = new Float64Array(docIds.length)
    this.forEachChunk(docIds, (chunk, from, to) => {
      for (let at = from; at < to; at++) {
        const place = firstPlace(chunk, docIds[at]! & 0xff)
        found[at] = place === -1 || place >= chunk.numbers.length ? Number.NaN : chunk.numbers[place]!
      }
    })
    return found
  }

  /** How a document spells a normalized string of its own. */
  spellingOf(docId: number, norm: string): string {
    const chunk = this.chunkAt(chunkOf(docId))
    const low = docId & 0xff
    for (let i = chunk.starts[low]!; i < chunk.starts[low + 1]!; i++) {
      const place = chunk.places[i]!
      if (this.valueOf(this.ordinalAt(chunk, place)) !== norm) continue
      return chunk.spellingAt(place, norm) ?? this.source.longSpelling(this.field, docId, norm)
    }
    throw new Error(`document ${docId} has no such value`)
  }

  /** Counts in how many of the documents, given ascending, each value is. */
  count(docIds: Uint32Array, tally: ValueTally): void {
    tally.clear()
    this.forEachChunk(docIds, (chunk, from, to) => {
      // Every value of the chunk may be new.
      tally.reserve(this.size + chunk.valueCount)
      const count = to - from
      if (count === CHUNK_DOCUMENTS) this.countWhole(chunk, docIds[from]!, tally)
      else if (count >= MANY_OF_CHUNK || chunk.documentOrdinals) this.countInChunk({ chunk, docIds, from, to }, tally)
      else this.countFew({ chunk, docIds, from, to }, tally)
    })
  }

  private countWhole(chunk: ColumnChunk, firstDocId: number, tally: ValueTally): void {
    const { starts } = chunk
    const ordinals = this.ordinalsOf(chunk)
    const { counts } = tally
    let low = 0
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i]!
      if (counts[ordinal]!++ > 0) continue
      while (starts[low + 1]! <= i) low++
      tally.find(ordinal, firstDocId + low, this.isText(ordinal))
    }
  }

  private countInChunk({ chunk, docIds, from, to }: ChunkSlice, tally: ValueTally): void {
    const { starts } = chunk
    const ordinals = this.ordinalsOf(chunk)
    const { counts } = tally
    for (let at = from; at < to; at++) {
      const low = docIds[at]! & 0xff
      const end = starts[low + 1]!
      for (let i = starts[low]!; i < end; i++) {
        const ordinal = ordinals[i]!
        if (counts[ordinal]!++ === 0) tally.find(ordinal, docIds[at]!, this.isText(ordinal))
      }
    }
  }

  /** The same without a look at other documents of the chunk. */
  private countFew({ chunk, docIds, from, to }: ChunkSlice, tally: ValueTally): void {
    for (let at = from; at < to; at++) {
      const low = docIds[at]! & 0xff
      for (let i = chunk.starts[low]!; i < chunk.starts[low + 1]!; i++) {
        const ordinal = this.ordinalAt(chunk, chunk.places[i]!)
        if (tally.counts[ordinal]!++ === 0) tally.find(ordinal, docIds[at]!, this.isText(ordinal))
      }
    }
  }

  private ordinalsOf(chunk: ColumnChunk): Int32Array {
    if (chunk.documentOrdinals !== undefined) return chunk.documentOrdinals
    const ordinals = new Int32Array(chunk.places.length)
    for (let i = 0; i < ordinals.length; i++) ordinals[i] = this.ordinalAt(chunk, chunk.places[i]!)
    chunk.documentOrdinals = ordinals
    return ordinals
  }

  /**
   * For each of the documents, given ascending, the ordinal of its best value, -1 without one: the smallest number, or
   * the largest when `isDescending`; in documents without numbers the first or last string (spec 6 §4.10).
   */
  bestValues(docIds: Uint32Array, isDescending: boolean): Int32Array {
    const best = new Int32Array(docIds.length)
    this.forEachChunk(docIds, (chunk, from, to) => {
      for (let at = from; at < to; at++) {
        const place = isDescending ? lastPlace(chunk, docIds[at]! & 0xff) : firstPlace(chunk, docIds[at]! & 0xff)
        best[at] = place === -1 ? -1 : this.ordinalAt(chunk, place)
      }
    })
    return best
  }

  /** Gives every value that is stored its ordinal. Reads all chunks that are not in memory as they are now. */
  meetAll(): void {
    const start = chunkKey(this.field, 0)
    const end = Buffer.concat([chunkKey(this.field, 0xff_ffff), Buffer.of(0)])
    for (const number of Array.from(this.source.database.keys({ start, end }), chunkNumber)) {
      const chunk = this.chunkAt(number)
      for (let place = 0; place < chunk.valueCount; place++) this.ordinalAt(chunk, place)
    }
  }

  private forEachChunk(docIds: Uint32Array, visit: (chunk: ColumnChunk, from: number, to: number) => void): void {
    for (let from = 0; from < docIds.length; ) {
      const number = chunkOf(docIds[from]!)
      const to = firstIndexFrom(docIds, from, (number + 1) * CHUNK_DOCUMENTS)
      visit(this.chunkAt(number), from, to)
      from = to
    }
  }

  private chunkAt(number: number): ColumnChunk {
    const cached = this.chunks.get(number)
    if (cached !== undefined && cached.checkedAt === this.source.version) return cached.chunk
    const borrowed = this.source.database.getBorrowed(chunkKey(this.field, number))
    const stamp = borrowed === undefined ? 0 : stampOf(borrowed)
    if (cached === undefined || cached.stamp !== stamp) return this.replace(number, cached, borrowed)
    cached.checkedAt = this.source.version
    return cached.chunk
  }

  private replace(number: number, old: CachedChunk | undefined, borrowed: Buffer | undefined): ColumnChunk {
    const chunk = borrowed === undefined ? ColumnChunk.absent : new ColumnChunk(borrowed)
    const stamp = borrowed === undefined ? 0 : stampOf(borrowed)
    if (old === undefined && !this.memory.hasRoomFor(this)) return chunk
    this.tableSize += chunk.valueCount - (old?.chunk.valueCount ?? 0)
    this.chunkBytes += chunk.sizeBytes - (old?.chunk.sizeBytes ?? 0)
    this.chunks.set(number, { stamp, chunk, checkedAt: this.source.version })
    return chunk
  }

  private ordinalAt(chunk: ColumnChunk, place: number): number {
    const known = chunk.ordinals[place]!
    if (known >= 0) return known
    const value = place < chunk.numbers.length ? chunk.numbers[place]! : chunk.normAt(place)
    const ordinal = this.numbering.ordinalOf(value)
    chunk.ordinals[place] = ordinal
    return ordinal
  }
}

/** The documents of one chunk among others. */
interface ChunkSlice {
  readonly chunk: ColumnChunk
  readonly docIds: Uint32Array
  readonly from: number
  readonly to: number
}

const firstPlace = ({ starts, places }: ColumnChunk, low: number): number =>
  starts[low]! < starts[low + 1]! ? places[starts[low]!]! : -1

/** The largest number, or the last string of a document without numbers. */
function lastPlace({ starts, places, numbers }: ColumnChunk, low: number): number {
  const start = starts[low]!
  let at = starts[low + 1]! - 1
  if (at < start) return -1
  if (places[start]! < numbers.length) while (places[at]! >= numbers.length) at--
  return places[at]!
}

/** The first index from `from` on whose id is not below `limit`; it is at most a chunk away. */
function firstIndexFrom(ids: Uint32Array, from: number, limit: number): number {
  let low = from
  let high = Math.min(ids.length, from + CHUNK_DOCUMENTS)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
