import { Bitmap } from '../../bitmap/index.js'
import type { FieldId } from '../../documents/index.js'
import type { Database, Entry } from '../../store/index.js'
import { checkBudget } from '../../threads/index.js'
import type { FacetColumn } from '../facet-column.js'
import { MAX_STORED_BYTES } from '../values/normalize-facet.js'
import { sortableNumber } from '../values/sortable-number.js'
import { chunkedKey, FACET_KIND, type FactKey, markKey, numberFromSortable, numberKey, stringKey } from './facet-key.js'
import { docIdsOfAny } from './find-facts.js'

interface Bound<T> {
  readonly value: T
  readonly isInclusive: boolean
}

interface Range<T> {
  readonly min?: Bound<T>
  readonly max?: Bound<T>
}

/** Entries that are read at once, at first and at most. A page of sorted documents mostly takes a few values. */
const FIRST_BATCH = 8
const LAST_BATCH = 512

/** Entries that are read before it is asked whether there is time for more. */
const ENTRIES_PER_CHECK = 256

/** What it takes to read a group, or the part of one that is in a chunk, in µs. */
const ENTRY_COST = 5

/** One value of a field and the documents that hold it. */
export interface FacetValue<T> {
  readonly value: T
  readonly docIds: Bitmap
}

/** The stored facts of one field, as of the last commit (inside a transaction: as of now). */
export class StoredFieldFacets {
  /** With `column`, ranges may be found in there. It must be of the same commit. */
  constructor(
    private readonly database: Database,
    private readonly field: FieldId,
    private readonly column?: () => FacetColumn,
  ) {}

  exists(): Bitmap {
    return this.docIdsOf(markKey(this.field, 'exists'))
  }

  isNull(): Bitmap {
    return this.docIdsOf(markKey(this.field, 'isNull'))
  }

  isEmpty(): Bitmap {
    return this.docIdsOf(markKey(this.field, 'isEmpty'))
  }

  numberEquals(value: number): Bitmap {
    return this.docIdsOf(numberKey(this.field, sortableNumber(value), 0))
  }

  /** The documents with any of many values: strings as `stringEquals` wants them, and numbers. */
  equalsAny(strings: Iterable<string>, numbers: Iterable<number>): Bitmap {
    // One after the other, since there may be a million of each.
    return this.docIdsOfStrings(strings).or(this.docIdsOfNumbers(numbers))
  }

  private docIdsOfStrings(strings: Iterable<string>): Bitmap {
    const facts: FactKey[] = []
    for (const string of strings) if (!isTooLong(string)) facts.push(stringKey(this.field, string))
    return docIdsOfAny(this.database, facts)
  }

  private docIdsOfNumbers(numbers: Iterable<number>): Bitmap {
    const facts: FactKey[] = []
    for (const number of numbers) facts.push(numberKey(this.field, sortableNumber(number), 0))
    return docIdsOfAny(this.database, facts)
  }

  /** By groups or by the column, whichever costs less. */
  numberRange(range: Range<number>): Bitmap {
    const { low, high } = sortableRange(range)
    if (low > high) return Bitmap.empty()
    const groups = groupsBetween(low, high)
    return this.rangeOfColumn(low, high, groups) ?? this.unionOfGroups(groups)
  }

  /** Of some documents, ascending, those in a range; undefined where the column is not in memory as it is stored. */
  numbersAmong(range: Range<number>, docIds: Uint32Array): Uint32Array | undefined {
    const column = this.column?.()
    if (column === undefined) return undefined
    const { now, later } = column.scanCosts()
    if (now > later) return undefined
    const { low, high } = sortableRange(range)
    return low > high ? NO_DOC_IDS : column.amongNumbers(docIds, numberOf(low), numberOf(high))
  }

  /** Undefined where groups cost less, or there is no column. What it lacks is read by and by, if it is worth it. */
  private rangeOfColumn(low: bigint, high: bigint, groups: readonly Group[]): Bitmap | undefined {
    const column = this.column?.()
    if (column === undefined) return undefined
    const { now, later } = column.scanCosts()
    const groupCost = ENTRY_COST * this.countEntries(groups, now / ENTRY_COST)
    if (now <= groupCost) return column.withNumbers(numberOf(low), numberOf(high))
    if (later < groupCost) column.readAhead(groupCost)
    return undefined
  }

  /** Stops when there are enough. To count one takes a small part of what it takes to read it. */
  private countEntries(groups: readonly Group[], enough: number): number {
    let count = 0
    for (const group of groups) if (count < enough) count += this.database.count(this.keysOf(group))
    return count
  }

  /** Whole groups inside, single values at the two ragged edges. */
  private unionOfGroups(groups: readonly Group[]): Bitmap {
    const parts: Bitmap[] = []
    for (const group of groups) {
      checkBudget()
      for (const { value } of this.database.range(this.keysOf(group))) parts.push(Bitmap.deserialize(value))
    }
    return Bitmap.orMany(parts)
  }

  stringEquals(normalized: string): Bitmap {
    return isTooLong(normalized) ? Bitmap.empty() : this.docIdsOf(stringKey(this.field, normalized))
  }

  /** The first document with a string that some document has. */
  firstWithString(normalized: string): number {
    // Mostly it is in the first chunk: to get one value is much cheaper than to walk.
    const first = this.database.getBorrowed(chunkedKey(stringKey(this.field, normalized), 0))
    return first === undefined ? this.stringEquals(normalized).min : Bitmap.deserialize(first).min
  }

  stringRange({ min, max }: Range<string>): Bitmap {
    const [low, high] = [min && Buffer.from(min.value), max && Buffer.from(max.value)]
    const start = this.textKey(low)
    const end = high === undefined ? this.kindKey(FACET_KIND.string + 1) : Buffer.concat([this.textKey(high), BEHIND])
    if (Buffer.compare(start, end) >= 0) return Bitmap.empty()
    return this.unionOfTexts(start, end, (text) => {
      const above = low === undefined ? 1 : Buffer.compare(text, low)
      const below = high === undefined ? -1 : Buffer.compare(text, high)
      return (above > 0 || (above === 0 && min!.isInclusive)) && (below < 0 || (below === 0 && max!.isInclusive))
    })
  }

  stringPrefix(normalized: string): Bitmap {
    if (isTooLong(normalized)) return Bitmap.empty()
    const prefix = Buffer.from(normalized)
    const start = this.textKey(prefix)
    return this.unionOfTexts(start, after(start), (text) => text.subarray(0, prefix.length).equals(prefix))
  }

  /** Looks at every distinct value of the field. */
  stringContains(normalized: string): Bitmap {
    const part = Buffer.from(normalized)
    const [start, end] = [this.kindKey(FACET_KIND.string), this.kindKey(FACET_KIND.string + 1)]
    return this.unionOfTexts(start, end, (text) => text.includes(part))
  }

  /** Distinct numbers in their order, or from the largest down. */
  numbers(reverse = false): IterableIterator<FacetValue<number>> {
    return this.numbersFrom(this.firstNumber(), reverse)
  }

  /** Those behind one of them. */
  numbersAfter({ value, docIds }: FacetValue<number>): IterableIterator<FacetValue<number>> {
    return this.numbersFrom(behind(numberKey(this.field, sortableNumber(value), 0), docIds), false)
  }

  private *numbersFrom(start: Buffer, reverse: boolean): IterableIterator<FacetValue<number>> {
    for (const { fact, docIds } of this.values(start, after(this.firstNumber()), reverse))
      yield { value: numberFromSortable(fact.subarray(4)), docIds }
  }

  /** Distinct normalized strings in byte order, or backwards. */
  strings(reverse = false): IterableIterator<FacetValue<string>> {
    return this.stringsFrom(this.kindKey(FACET_KIND.string), reverse)
  }

  /** Those behind one of them. */
  stringsAfter({ value, docIds }: FacetValue<string>): IterableIterator<FacetValue<string>> {
    return this.stringsFrom(behind(stringKey(this.field, value), docIds), false)
  }

  private *stringsFrom(start: Buffer, reverse: boolean): IterableIterator<FacetValue<string>> {
    for (const { fact, docIds } of this.values(start, this.kindKey(FACET_KIND.string + 1), reverse)) {
      yield { value: fact.subarray(3, fact.length - 1).toString('utf8'), docIds }
    }
  }

  /** Joins the chunks of each value. */
  private *values(start: Buffer, end: Buffer, reverse: boolean): IterableIterator<{ fact: Buffer; docIds: Bitmap }> {
    let current: { fact: Buffer; parts: Bitmap[] } | undefined
    for (const { key, value } of this.entries(start, end, reverse)) {
      const fact = key.subarray(0, key.length - 2)
      if (current !== undefined && !current.fact.equals(fact)) {
        yield { fact: current.fact, docIds: Bitmap.orMany(current.parts) }
        current = undefined
      }
      current ??= { fact: Buffer.from(fact), parts: [] }
      current.parts.push(Bitmap.deserialize(value))
    }
    if (current !== undefined) yield { fact: current.fact, docIds: Bitmap.orMany(current.parts) }
  }

  /** In batches: no cursor is open in between, so whoever stops early leaves nothing behind. */
  private *entries(start: Buffer, end: Buffer, reverse: boolean): IterableIterator<Entry> {
    // Backwards the first bound is included and the last is not; both are prefixes, which no key equals.
    let from = reverse ? end : start
    for (let size = FIRST_BATCH; ; size = Math.min(2 * size, LAST_BATCH)) {
      const range = reverse ? { start: from, end: start, reverse } : { start: from, end }
      checkBudget()
      const batch = [...this.database.range({ ...range, limit: size })]
      const isContinued = reverse && from !== end
      yield* isContinued ? batch.slice(1) : batch
      const last = batch.at(-1)
      if (last === undefined || batch.length < size) return
      from = reverse ? last.key : Buffer.concat([last.key, Buffer.of(0)])
    }
  }

  private docIdsOf(fact: FactKey): Bitmap {
    const start = Buffer.from(`${fact}\0\0`, 'latin1')
    const end = Buffer.from(`${fact}\xff\xff\xff`, 'latin1')
    const parts: Bitmap[] = []
    for (const { key, value } of this.database.range({ start, end })) {
      // A longer text with a zero inside begins like this one and its end.
      if (key.length === fact.length + 2) parts.push(Bitmap.deserialize(value))
    }
    return Bitmap.orMany(parts)
  }

  /** Bounds are near enough: texts with zeros inside may stand among those they do not belong to, so each is asked. */
  private unionOfTexts(start: Buffer, end: Buffer, isWanted: (text: Buffer) => boolean): Bitmap {
    const parts: Bitmap[] = []
    let seen = 0
    for (const { key, value } of this.database.range({ start, end })) {
      if (++seen % ENTRIES_PER_CHECK === 0) checkBudget()
      if (isWanted(key.subarray(3, key.length - 3))) parts.push(Bitmap.deserialize(value))
    }
    return Bitmap.orMany(parts)
  }

  private keysOf({ shift, from, to }: Group): { start: Buffer; end: Buffer } {
    return {
      start: Buffer.from(`${numberKey(this.field, integerBytes(from), shift)}\0\0`, 'latin1'),
      end: Buffer.from(`${numberKey(this.field, integerBytes(to), shift)}\xff\xff\xff`, 'latin1'),
    }
  }

  private firstNumber(): Buffer {
    return Buffer.concat([this.kindKey(FACET_KIND.number), Buffer.of(0)])
  }

  private kindKey(kind: number): Buffer {
    return Buffer.of(this.field >>> 8, this.field & 0xff, kind)
  }

  /** Where strings with this beginning start; no stored one has a longer beginning. */
  private textKey(text: Uint8Array = new Uint8Array()): Buffer {
    return Buffer.concat([this.kindKey(FACET_KIND.string), text.subarray(0, MAX_STORED_BYTES)])
  }
}

/** Right behind the last chunk of a value: a longer text with a zero inside may come soon after it. */
const behind = (fact: FactKey, docIds: Bitmap): Buffer =>
  Buffer.concat([chunkedKey(fact, docIds.max >>> 16), Buffer.of(0)])

/** The end of a string and of its last chunk. */
const BEHIND = Buffer.of(0, 0xff, 0xff, 0xff)

/** Stored strings are cut: a longer one equals none, and begins none (spec 6 §6.4). */
const isTooLong = (normalized: string): boolean => Buffer.byteLength(normalized) > MAX_STORED_BYTES

const FIRST = 0n
const LAST = 2n ** 64n - 1n

const NO_DOC_IDS = new Uint32Array(0)

/** Both included; crossed where the range is empty. */
function sortableRange({ min, max }: Range<number>): { low: bigint; high: bigint } {
  return {
    low: min === undefined ? FIRST : sortableInteger(min.value) + (min.isInclusive ? 0n : 1n),
    high: max === undefined ? LAST : max.isInclusive ? sortableInteger(max.value) : sortableBelow(max.value),
  }
}

/** Right below zero is the negative zero, which is the same number. */
function sortableBelow(value: number): bigint {
  return value === 0 ? sortableInteger(-Number.MIN_VALUE) : sortableInteger(value) - 1n
}

const sortableInteger = (value: number): bigint => sortableNumber(value).readBigUInt64BE()

/** The first and the last one, which are no numbers, stand for all that are. */
function numberOf(sortable: bigint): number {
  if (sortable === FIRST) return Number.NEGATIVE_INFINITY
  return sortable === LAST ? Number.POSITIVE_INFINITY : numberFromSortable(integerBytes(sortable))
}

function integerBytes(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

interface Group {
  readonly shift: number
  /** First and last value of the run of groups at this precision. */
  readonly from: bigint
  readonly to: bigint
}

/**
 * Cuts a range of sortable integers into runs of whole groups: at each precision the ragged ends below and above, until
 * the rest is made of whole groups of the coarsest one.
 */
function groupsBetween(low: bigint, high: bigint): Group[] {
  const groups: Group[] = []
  let [from, to] = [low, high]
  for (let shift = 0; ; shift += 8) {
    const mask = (1n << BigInt(shift + 8)) - 1n
    const nextFrom = (from + mask) & ~mask
    const nextTo = ((to + 1n) & ~mask) - 1n
    if (shift === 56 || nextFrom > nextTo) {
      groups.push({ shift, from, to })
      return groups
    }
    if (from < nextFrom) groups.push({ shift, from, to: nextFrom - 1n })
    if (to > nextTo) groups.push({ shift, from: nextTo + 1n, to })
    ;[from, to] = [nextFrom, nextTo]
  }
}

/** The first key behind all keys that begin with `prefix`. */
function after(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix)
  for (let i = end.length - 1; i >= 0; i--) {
    if (end[i]! < 0xff) {
      end[i] = end[i]! + 1
      return end.subarray(0, i + 1)
    }
  }
  return Buffer.alloc(16, 0xff)
}
