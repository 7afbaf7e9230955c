import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import { sortableNumber } from '../facets/facet-key.js'
import type { FieldId } from '../fields/field-registry.js'
import { type ColumnRow, type ColumnValue, compareValues, type TextValue } from './column-value.js'
import { decodeSpelling, encodeSpelling, skipSpelling } from './spelling.js'

/**
 * The values of 256 neighbouring documents in one field, the value of the database `columns` under the key
 * `field(2 bytes) chunk(3 bytes)`, where `chunk` is the docId without its lowest eight bits:
 *
 * ```
 * version(1 byte) stamp(4 bytes) valueCount(varint) numberCount(varint)
 * { length(1 byte) count(varint) }*   so many documents, less one, have so many values each; 256 in all
 * place*                              of each value of each document in the table below; 1, 2 or 4 bytes, low ones first
 * { size(1 byte) number(size) }*      the table: numbers, ascending, as sortable bytes without the zeros at their end
 * { head(varint) norm spelling }*     then texts, by norm; the head is the size of the norm times four plus the kind
 *                                     of the spelling (spelling.ts)
 * ```
 *
 * A text that documents spell in two ways is in the table twice. The stamp is the version of the index in which the
 * chunk was written: as long as it is the same, so is the chunk.
 */
const VERSION = 1

/** How many documents share a chunk. Few, so that an update of one document rewrites little. */
export const CHUNK_DOCUMENTS = 256
const CHUNK_BITS = 8

export const chunkOf = (docId: number): number => docId >>> CHUNK_BITS

export function chunkKey(field: FieldId, chunk: number): Buffer {
  return Buffer.of(field >>> 8, field & 0xff, chunk >>> 16, (chunk >>> 8) & 0xff, chunk & 0xff)
}

export const chunkNumber = (key: Buffer): number => key.readUIntBE(2, 3)

/** The rows of a chunk, by the low bits of their docIds. Documents without values have none. */
export type ChunkRows = (ColumnRow | undefined)[]

const writer = new ByteWriter(1 << 16)

/** Undefined when no document has a value. */
export function encodeChunk(rows: ChunkRows, stamp: number): Buffer | undefined {
  const table = new ValueTable(rows)
  if (table.size === 0) return undefined
  writer.clear()
  writer.byte(VERSION)
  writer.uint32(stamp)
  writer.varint(table.size)
  writer.varint(table.numbers.length)
  writeCounts(rows)
  for (const row of rows) for (const value of row ?? []) writePlace(table.placeOf(value), table.size)
  for (const number of table.numbers) writeNumber(number)
  for (const text of table.texts) encodeSpelling(writer, text)
  return writer.take()
}

/** The different values of a chunk in their order, and the place of each. */
class ValueTable {
  readonly numbers: readonly number[]
  readonly texts: readonly TextValue[]
  private readonly places = new Map<number | string, number>()
  private readonly longPlaces = new Map<string, number>()

  constructor(rows: ChunkRows) {
    const numbers = new Set<number>()
    // The spelling decides the norm.
    const texts = new Map<string, TextValue>()
    const longTexts = new Map<string, TextValue>()
    for (const row of rows) {
      for (const value of row ?? []) {
        if (typeof value === 'number') numbers.add(value)
        else if (value.spelling !== null) texts.set(value.spelling, value)
        else longTexts.set(value.norm, value)
      }
    }
    this.numbers = [...numbers].sort((a, b) => a - b)
    this.texts = [...texts.values(), ...longTexts.values()].sort(compareValues)
    for (const [i, value] of [...this.numbers, ...this.texts].entries()) this.place(value, i)
  }

  get size(): number {
    return this.numbers.length + this.texts.length
  }

  placeOf(value: ColumnValue): number {
    if (typeof value === 'number') return this.places.get(value)!
    return value.spelling === null ? this.longPlaces.get(value.norm)! : this.places.get(value.spelling)!
  }

  private place(value: ColumnValue, at: number): void {
    if (typeof value === 'number') this.places.set(value, at)
    else if (value.spelling === null) this.longPlaces.set(value.norm, at)
    else this.places.set(value.spelling, at)
  }
}

function writeCounts(rows: ChunkRows): void {
  const countAt = (i: number): number => rows[i]?.length ?? 0
  for (let from = 0; from < CHUNK_DOCUMENTS; ) {
    let to = from + 1
    while (to < CHUNK_DOCUMENTS && countAt(to) === countAt(from)) to++
    writer.byte(to - from - 1)
    writer.varint(countAt(from))
    from = to
  }
}

const placeBytes = (valueCount: number): 1 | 2 | 4 => (valueCount <= 0x100 ? 1 : valueCount <= 0x1_0000 ? 2 : 4)

function writePlace(place: number, valueCount: number): void {
  for (let rest = place, left = placeBytes(valueCount); left > 0; left--, rest >>>= 8) writer.byte(rest & 0xff)
}

function writeNumber(number: number): void {
  const bytes = sortableNumber(number)
  let size = 8
  while (size > 0 && bytes[size - 1] === 0) size--
  writer.byte(size)
  writer.raw(bytes, 0, size)
}

const EMPTY_ARRAY = new Int32Array(0)

/** A chunk without values: the stamp is zero, as are all counts. */
const ABSENT_BYTES = Uint8Array.of(VERSION, 0, 0, 0, 0, 0, 0, CHUNK_DOCUMENTS - 1, 0)

/** A chunk in memory. All arrays are its own; nothing of it changes but `ordinals`, which its column fills in. */
export class ColumnChunk {
  /** The places of the i-th document are those from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint16Array | Uint32Array
  /** In the table, ascending within a document. */
  readonly places: Uint16Array | Uint32Array
  readonly numbers: Float64Array
  /** For each value of the table its number in the column, or -1 when it was not asked for yet. */
  readonly ordinals: Int32Array
  /** The same for each of `places`, once they were all asked for. */
  documentOrdinals: Int32Array | undefined
  /** For each text of the table where its norm begins in `bytes`, and its head. */
  private readonly textStarts: Int32Array
  private readonly heads: Int32Array
  private readonly bytes: Buffer

  /** A chunk that is not stored is one without values. */
  static readonly absent = new ColumnChunk(ABSENT_BYTES)

  constructor(borrowed: Uint8Array) {
    const reader = new ByteReader(borrowed)
    const version = reader.byte()
    if (version !== VERSION) throw new CorruptBytes(`a facet column has version ${version}`)
    reader.uint32()
    const valueCount = reader.varint()
    const numberCount = reader.varint()
    this.starts = readStarts(reader)
    this.places = readPlaces(reader, this.starts[CHUNK_DOCUMENTS]!, valueCount)
    this.numbers = new Float64Array(numberCount)
    for (let i = 0; i < numberCount; i++) this.numbers[i] = readNumber(reader)
    this.bytes = Buffer.from(reader.bytes.subarray(reader.at))
    const textCount = valueCount - numberCount
    this.textStarts = textCount === 0 ? EMPTY_ARRAY : new Int32Array(textCount)
    this.heads = textCount === 0 ? EMPTY_ARRAY : new Int32Array(textCount)
    this.findTexts()
    this.ordinals = valueCount === 0 ? EMPTY_ARRAY : new Int32Array(valueCount).fill(-1)
  }

  get valueCount(): number {
    return this.ordinals.length
  }

  /** About how much memory this holds. */
  get sizeBytes(): number {
    const { starts, places, ordinals, heads, numbers, bytes } = this
    // Objects, then arrays; `documentOrdinals` counts before it is there.
    const arrays = 4 * (ordinals.length + 2 * heads.length + places.length) + 8 * numbers.length
    return 1000 + starts.byteLength + places.byteLength + arrays + bytes.length
  }

  valueAt(place: number): ColumnValue {
    const { numbers } = this
    if (place < numbers.length) return numbers[place]!
    const norm = this.normAt(place)
    return { norm, spelling: this.spellingAt(place, norm) }
  }

  /** Of a text. */
  normAt(place: number): string {
    const text = place - this.numbers.length
    const start = this.textStarts[text]!
    return this.bytes.toString('utf8', start, start + (this.heads[text]! >>> 2))
  }

  /** Of a text, whose norm is given. Null: only the document has it. */
  spellingAt(place: number, norm: string): string | null {
    const text = place - this.numbers.length
    return decodeSpelling({ bytes: this.bytes, at: this.textStarts[text]!, head: this.heads[text]! }, norm)
  }

  private findTexts(): void {
    const reader = new ByteReader(this.bytes)
    for (let i = 0; i < this.heads.length; i++) {
      const head = reader.varint()
      this.heads[i] = head
      this.textStarts[i] = reader.skip(head >>> 2)
      skipSpelling(reader, head)
    }
  }
}

/** The version of the index in which a stored chunk was written. */
export function stampOf(borrowed: Buffer): number {
  return borrowed.readUInt32BE(1)
}

/** What writers change. */
export function decodeRows(bytes: Uint8Array): ChunkRows {
  const chunk = new ColumnChunk(bytes)
  const table = Array.from(chunk.ordinals, (_, place) => chunk.valueAt(place))
  const rows: ChunkRows = []
  for (let i = 0; i < CHUNK_DOCUMENTS; i++) {
    const [from, to] = [chunk.starts[i]!, chunk.starts[i + 1]!]
    if (from < to) rows[i] = Array.from(chunk.places.subarray(from, to), (place) => table[place]!)
  }
  return rows
}

function readStarts(reader: ByteReader): Uint16Array | Uint32Array {
  const starts = new Uint32Array(CHUNK_DOCUMENTS + 1)
  let at = 0
  let sum = 0
  while (at < CHUNK_DOCUMENTS) {
    const end = at + reader.byte() + 1
    const count = reader.varint()
    if (end > CHUNK_DOCUMENTS) throw new CorruptBytes('a facet column has too many documents')
    while (at < end) starts[++at] = sum += count
  }
  return sum <= 0xffff ? Uint16Array.from(starts) : starts
}

function readPlaces(reader: ByteReader, count: number, valueCount: number): Uint16Array | Uint32Array {
  const width = placeBytes(valueCount)
  const places = width === 4 ? new Uint32Array(count) : new Uint16Array(count)
  let at = reader.skip(count * width)
  const { bytes } = reader
  for (let i = 0; i < count; i++) {
    let place = bytes[at++]!
    for (let shift = 8; shift < 8 * width; shift += 8) place |= bytes[at++]! << shift
    if (place >= valueCount) throw new CorruptBytes('a facet column names a value that it does not have')
    places[i] = place
  }
  return places
}

const sortable = new Uint8Array(8)
const sortableView = new DataView(sortable.buffer)

/** `numberFromSortable` of bytes whose zeros at the end are missing, without memory for each. */
function readNumber(reader: ByteReader): number {
  const size = reader.byte()
  const at = reader.skip(size)
  if (size > sortable.length) throw new CorruptBytes('a facet column has a number that is too long')
  for (let i = 0; i < sortable.length; i++) sortable[i] = i < size ? reader.bytes[at + i]! : 0
  if (sortable[0]! & 0x80) sortable[0]! &= 0x7f
  else for (let i = 0; i < sortable.length; i++) sortable[i] = ~sortable[i]!
  return sortableView.getFloat64(0)
}
