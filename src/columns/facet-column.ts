import { Bitmap } from '../bitmap/index.js'
import type { ColumnMemory } from '../cache/index.js'
import type { FieldId } from '../documents/index.js'
import { type ColumnCells, listAt, NO_VALUE } from './column-cells.js'
import { CHUNK_DOCUMENTS, chunkKey, chunkOf, spellingInChunk } from './column-chunk.js'
import { ColumnChunks, type ColumnSource } from './column-chunks.js'
import { copyMarked, takeUnmarked } from './marked-documents.js'
import type { ValueMarks } from './value-marks.js'
import type { ValueNumbering } from './value-numbering.js'
import type { ValueTally } from './value-tally.js'
import { type MostDocuments, WholeCounts } from './whole-counts.js'

/** Values that no chunk has any more do not matter up to this many. */
const FEW_VALUES = 10_000

/** Documents that are looked at before it is asked again which values come too late. */
const PART_DOCUMENTS = 256

/** So many times the wanted ones are many texts: it is worth it to find the first ones before they are counted. */
const MANY_TEXTS = 16

/** For a bit for each document. */
const CHUNK_WORDS = CHUNK_DOCUMENTS / 32

/** Documents `from` up to `to`, and the greatest key of a value that counts. */
interface LowerValues {
  readonly docIds: Uint32Array
  readonly from: number
  readonly to: number
  readonly bound: number
}

/**
 * The values of one field, document by document. Each different value has an ordinal, a small number that stays its own
 * as long as this object lives; ordinals are given as values are met and say nothing about order.
 */
export class FacetColumn {
  private readonly chunks: ColumnChunks
  private readonly cells: ColumnCells
  private readonly numbering: ValueNumbering
  private readonly whole = new WholeCounts()

  constructor(
    private readonly source: ColumnSource,
    private readonly field: FieldId,
    private readonly memory: ColumnMemory,
  ) {
    this.chunks = new ColumnChunks(source, field, () => memory.hasRoomFor(this))
    this.cells = this.chunks.cells
    this.numbering = this.chunks.numbering
  }

  /** How many ordinals were given. */
  get size(): number {
    return this.numbering.size
  }

  /** About how much memory this holds. */
  get sizeBytes(): number {
    return this.cells.sizeBytes + this.numbering.sizeBytes + this.whole.sizeBytes
  }

  /** Most of what is in memory is of documents that have changed, or there is far too much: time to start anew. */
  get isWornOut(): boolean {
    const isMostlyDead = this.size > 2 * this.cells.tableSize + FEW_VALUES || this.cells.isMostlyLeft
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
    return Array.from(this.chunks.ordinalsOf(docId), (ordinal) => this.valueOf(ordinal))
  }

  /** A document has one of the values that are marked. */
  hasMarked(docId: number, marks: ValueMarks): boolean {
    const cell = this.chunks.cellOf(docId)
    if (cell >= NO_VALUE) return cell !== NO_VALUE && marks.has(cell)
    return this.chunks.ordinalsOf(docId).some((ordinal) => marks.has(ordinal))
  }

  /** Those of some documents, given ascending, that have one of the values that are marked. */
  withMarked(docIds: Uint32Array, marks: ValueMarks): Uint32Array {
    return this.gather(docIds, marks, copyMarked)
  }

  /** Takes each of some documents, given ascending, that has none of the values that are marked, and marks its values. */
  takeUnmarked(docIds: Uint32Array, marks: ValueMarks): Uint32Array {
    return this.gather(docIds, marks, takeUnmarked)
  }

  private gather(docIds: Uint32Array, marks: ValueMarks, copy: typeof copyMarked): Uint32Array {
    const found = new Uint32Array(docIds.length)
    const { cells } = this
    let count = 0
    this.chunks.forEachPart(docIds, (from, to) => {
      marks.reserve(this.size)
      count = copy({ docIds, from, to, cells, marks }, found, count)
    })
    return found.subarray(0, count)
  }

  /** Marks the values of a document. */
  mark(docId: number, marks: ValueMarks): void {
    for (const ordinal of this.chunks.ordinalsOf(docId)) marks.add(ordinal)
  }

  /** For each of the documents, given ascending, its smallest number; NaN without one. */
  numbers(docIds: Uint32Array): Float64Array {
    return Float64Array.from(this.bestValues(docIds, false), (ordinal) =>
      ordinal === -1 || this.isText(ordinal) ? Number.NaN : (this.valueOf(ordinal) as number),
    )
  }

  /** How a document spells a normalized string of its own. */
  spellingOf(docId: number, norm: string): string {
    const ordinal = this.chunks.ordinalsOf(docId).find((one) => this.valueOf(one) === norm)
    if (ordinal === undefined) throw new Error(`document ${docId} has no such value`)
    return this.numbering.spellingOf(ordinal) ?? this.ownSpelling(docId, norm)
  }

  /** For each of the strings, by ordinal, how the first of the documents that has it spells it. Some document must. */
  firstSpellings(ordinals: readonly number[], docIds: () => Uint32Array): string[] {
    const spellings = ordinals.map((ordinal) => this.numbering.spellingOf(ordinal))
    const differing = ordinals.filter((_, i) => spellings[i] === undefined)
    const firsts = differing.length === 0 ? NO_FIRSTS : this.firstDocuments(differing, docIds())
    return ordinals.map((ordinal, i) => {
      return spellings[i] ?? this.ownSpelling(firsts.get(ordinal)!, this.valueOf(ordinal) as string)
    })
  }

  /** For each of the values, by ordinal, the first of the documents that has it. */
  private firstDocuments(ordinals: readonly number[], docIds: Uint32Array): ReadonlyMap<number, number> {
    const firsts = new Map<number, number>()
    const areWanted = new Uint8Array(this.size)
    for (const ordinal of ordinals) areWanted[ordinal] = 1
    for (let i = 0; i < docIds.length && firsts.size < ordinals.length; i++) {
      const cell = this.chunks.cellOf(docIds[i]!)
      if (cell === NO_VALUE || (cell >= 0 && areWanted[cell] !== 1)) continue
      for (const ordinal of this.chunks.ordinalsOf(docIds[i]!)) {
        if (areWanted[ordinal] !== 1) continue
        areWanted[ordinal] = 0
        firsts.set(ordinal, docIds[i]!)
      }
    }
    return firsts
  }

  /** Where documents differ, or have a long one. */
  private ownSpelling(docId: number, norm: string): string {
    const borrowed = this.source.database.getBorrowed(chunkKey(this.field, chunkOf(docId)))!
    const { chunkMemory } = this.source
    const known = spellingInChunk(borrowed, { low: docId & 0xff, norm }, chunkMemory)
    return known ?? this.source.longSpelling(this.field, docId, norm)
  }

  /** Counts in how many of the documents, given ascending, each value is. */
  count(docIds: Uint32Array, tally: ValueTally): void {
    tally.clear()
    this.chunks.forEachPart(docIds, (from, to) => {
      tally.reserve(this.size)
      this.countPart(docIds, from, to, tally)
    })
    tally.finish((ordinal) => this.isText(ordinal))
  }

  /** The same for most documents, by looking at the others; false when it is not worth it, and nothing was counted. */
  countMost({ all, others }: MostDocuments, tally: ValueTally): boolean {
    const countAll = (): ValueTally => {
      this.count(all(), tally)
      return tally
    }
    if (!this.whole.areOf(this.source.version, countAll)) return false
    this.count(others(), tally)
    this.whole.turnAround(tally)
    tally.finish((ordinal) => this.isText(ordinal))
    return true
  }

  private countPart(docIds: Uint32Array, from: number, to: number, tally: ValueTally): void {
    const { cells, lists } = this.cells
    const { counts } = tally
    for (let i = from; i < to; i++) {
      const cell = cells[docIds[i]!]!
      if (cell >= 0) {
        if (counts[cell]!++ === 0) tally.find(cell)
      } else if (cell !== NO_VALUE) {
        const at = listAt(cell)
        for (let k = at + lists[at]!; k > at; k--) if (counts[lists[k]!]!++ === 0) tally.find(lists[k]!)
      }
    }
  }

  /**
   * The same for at least the first `limit` values in order. Of very many texts few are shown: most are known by their
   * first bytes to come too late, and need not be counted. Where there are numbers, or not so many texts, all are.
   */
  countFirst(docIds: Uint32Array, tally: ValueTally, limit: number): void {
    const { numbering } = this
    if (!this.hasManyTexts(limit)) {
      this.count(docIds, tally)
      return
    }
    let bound = Number.POSITIVE_INFINITY
    let enough = 2 * limit
    tally.clear()
    this.chunks.forEachPart(
      docIds,
      (from, to) => {
        if (numbering.hasNumbers) return
        tally.reserve(this.size)
        this.countBelow({ docIds, from, to, bound }, tally)
        if (tally.size < enough) return
        bound = tally.keepFirst(limit, numbering.keys)
        // As many as like may have the same first bytes.
        enough = 2 * Math.max(limit, tally.size)
      },
      PART_DOCUMENTS,
    )
    // Documents that were read just now may have had the first number.
    if (numbering.hasNumbers) this.count(docIds, tally)
    else tally.finish((ordinal) => this.isText(ordinal))
  }

  /** Whether `countFirst` need not count all values, as far as they are known. */
  hasManyTexts(limit: number): boolean {
    return !this.numbering.hasNumbers && this.size >= MANY_TEXTS * limit
  }

  /** Counts values whose keys are not above the bound. */
  private countBelow({ docIds, from, to, bound }: LowerValues, tally: ValueTally): void {
    const { cells, lists } = this.cells
    const { keys } = this.numbering
    const { counts } = tally
    for (let i = from; i < to; i++) {
      const cell = cells[docIds[i]!]!
      if (cell >= 0) {
        if (keys[cell]! <= bound && counts[cell]!++ === 0) tally.find(cell)
      } else if (cell !== NO_VALUE) {
        const at = listAt(cell)
        for (let k = at + lists[at]!; k > at; k--) {
          const ordinal = lists[k]!
          if (keys[ordinal]! <= bound && counts[ordinal]!++ === 0) tally.find(ordinal)
        }
      }
    }
  }

  /**
   * For each of the documents, given ascending, the ordinal of its best value, -1 without one: the smallest number, or
   * the largest when `isDescending`; in documents without numbers the first or last string (spec 6 §4.10).
   */
  bestValues(docIds: Uint32Array, isDescending: boolean): Int32Array {
    const best = new Int32Array(docIds.length)
    this.chunks.forEachPart(docIds, (from, to) => {
      const { cells, lists } = this.cells
      for (let i = from; i < to; i++) {
        const cell = cells[docIds[i]!]!
        // Without a value a cell is -1 as well.
        if (cell >= NO_VALUE) best[i] = cell
        else best[i] = isDescending ? this.lastOf(listAt(cell)) : lists[listAt(cell) + 1]!
      }
    })
    return best
  }

  /** The same among numbers alone. */
  bestNumbers(docIds: Uint32Array, isDescending: boolean): Int32Array {
    return this.bestValues(docIds, isDescending).map((ordinal) =>
      ordinal !== NO_VALUE && this.isText(ordinal) ? NO_VALUE : ordinal,
    )
  }

  /** The same among strings alone. */
  bestTexts(docIds: Uint32Array, isDescending: boolean): Int32Array {
    const best = this.bestValues(docIds, isDescending)
    for (let i = 0; i < best.length; i++) {
      if (best[i] === NO_VALUE || this.isText(best[i]!)) continue
      const texts = this.chunks.ordinalsOf(docIds[i]!).filter((ordinal) => this.isText(ordinal))
      best[i] = (isDescending ? texts.at(-1) : texts[0]) ?? NO_VALUE
    }
    return best
  }

  /** Of a list the largest number, or the last string when there is no number. */
  private lastOf(list: number): number {
    const { lists } = this.cells
    let at = list + lists[list]!
    if (!this.isText(lists[list + 1]!)) while (this.isText(lists[at]!)) at--
    return lists[at]!
  }

  /** About what `withNumbers` costs now, in µs; and what it costs when all is in memory and as it is stored. */
  scanCosts(): { now: number; later: number } {
    return this.chunks.scanCosts()
  }

  /** Reads what is not in memory or may have changed, as far as `budget` µs go. */
  readAhead(budget: number): void {
    this.chunks.readAhead(budget)
  }

  /** Gives every value that is stored its ordinal. Reads all chunks that are not in memory as they are now. */
  meetAll(): void {
    this.chunks.meetAll()
  }

  /** The documents with a number from `first` to `last`, both included; undefined when not all fit into memory. */
  withNumbers(first: number, last: number): Bitmap | undefined {
    const chunkCount = this.chunks.chunkCount()
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      this.chunks.need(chunk)
      if (!this.cells.has(chunk)) return undefined
    }
    const words = new Uint32Array(chunkCount * CHUNK_WORDS)
    this.cells.markDocuments(this.numbering.numbersBetween(first, last), words)
    return Bitmap.fromWords(words)
  }

  /** Of some documents, given ascending, those that `withNumbers` would find. */
  amongNumbers(docIds: Uint32Array, first: number, last: number): Uint32Array {
    const { numbering } = this
    const found = new Uint32Array(docIds.length)
    let count = 0
    this.chunks.forEachPart(docIds, (from, to) => {
      const { cells } = this.cells
      for (let i = from; i < to; i++) {
        const cell = cells[docIds[i]!]!
        const isFound = cell >= 0 ? numbering.isNumberBetween(cell, first, last) : this.hasNumber(cell, first, last)
        if (isFound) found[count++] = docIds[i]!
      }
    })
    return found.subarray(0, count)
  }

  /** Of a cell that has no value, or several. */
  private hasNumber(cell: number, first: number, last: number): boolean {
    if (cell === NO_VALUE) return false
    const { lists } = this.cells
    const at = listAt(cell)
    for (let i = at + lists[at]!; i > at; i--) if (this.numbering.isNumberBetween(lists[i]!, first, last)) return true
    return false
  }
}

const NO_FIRSTS: ReadonlyMap<number, number> = new Map()
