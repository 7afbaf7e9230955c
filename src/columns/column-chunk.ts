import { ByteReader, type ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { FieldId } from '../documents/index.js'
import type { ColumnRow, ColumnValue, TextValue } from './column-value.js'
import { decodeSpelling, encodeSpelling, skipSpelling } from './spelling.js'
import type { ValueNumbering } from './value-numbering.js'
import { ValueTable } from './value-table.js'
import { sortableNumber } from './values/sortable-number.js'

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

/** Before the keys of all chunks of a field. */
export const fieldKey = (field: FieldId): Buffer => Buffer.of(field >>> 8, field & 0xff)

export const chunkNumber = (key: Buffer): number => key.readUIntBE(2, 3)

/** The rows of a chunk, by the low bits of their docIds. Documents without values have none. */
export type ChunkRows = (ColumnRow | undefined)[]

export function noRows(): ChunkRows {
  return new Array<ColumnRow | undefined>(CHUNK_DOCUMENTS).fill(undefined)
}

/** Undefined when no document has a value. */
export function encodeChunk(rows: ChunkRows, stamp: number, writer: ByteWriter): Buffer | undefined {
  const table = new ValueTable(rows)
  if (table.size === 0) return undefined
  writer.clear()
  writer.byte(VERSION)
  writer.uint32(stamp)
  writer.varint(table.size)
  writer.varint(table.numbers.length)
  writeCounts(writer, rows)
  writePlaces(writer, table)
  for (const number of table.numbers) writeNumber(writer, number)
  for (const text of table.texts) encodeSpelling(writer, text)
  return writer.take()
}

function writeCounts(writer: ByteWriter, rows: ChunkRows): void {
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

function writePlaces(writer: ByteWriter, { ordinals, places, size }: ValueTable): void {
  const width = placeBytes(size)
  const memory = writer.memory(ordinals.length * width)
  let at = writer.length
  for (const ordinal of ordinals) {
    let rest = places[ordinal]!
    for (const end = at + width; at < end; rest >>>= 8) memory[at++] = rest & 0xff
  }
  writer.length = at
}

function writeNumber(writer: ByteWriter, number: number): void {
  const bytes = sortableNumber(number)
  let size = 8
  while (size > 0 && bytes[size - 1] === 0) size--
  writer.byte(size)
  writer.raw(bytes, 0, size)
}

/** Chunks with more values are rare, and get memory of their own. */
const USUAL_VALUES = 4096

/** Memory for what is read of one chunk. */
export class ChunkMemory {
  /** The places of the i-th document are those from the i-th up to the next start. */
  readonly starts = new Uint32Array(CHUNK_DOCUMENTS + 1)
  private readonly usualTable = new Int32Array(USUAL_VALUES)
  private readonly usualOrdinals = new Int32Array(USUAL_VALUES)

  table(size: number): Int32Array {
    return size > USUAL_VALUES ? new Int32Array(size) : this.usualTable
  }

  ordinals(size: number): Int32Array {
    return size > USUAL_VALUES ? new Int32Array(size) : this.usualOrdinals
  }
}

/** A stored chunk, read as it lies: as long as its bytes are valid, and until the next one is opened in the same memory. */
class OpenChunk {
  readonly valueCount: number
  readonly numberCount: number
  private readonly placeWidth: number
  private readonly placesAt: number
  private readonly tableAt: number

  constructor(
    private readonly bytes: Uint8Array,
    { starts }: ChunkMemory,
  ) {
    const reader = new ByteReader(bytes)
    const version = reader.byte()
    if (version !== VERSION) throw new CorruptBytes(`a facet column has version ${version}`)
    reader.uint32()
    this.valueCount = reader.varint()
    this.numberCount = reader.varint()
    readStarts(reader, starts)
    this.placeWidth = placeBytes(this.valueCount)
    this.placesAt = reader.skip(starts[CHUNK_DOCUMENTS]! * this.placeWidth)
    this.tableAt = reader.at
  }

  /** In the table; ascending within a document. */
  placeAt(index: number): number {
    const { bytes, placeWidth } = this
    let at = this.placesAt + index * placeWidth
    let place = bytes[at]!
    for (let shift = 8; shift < 8 * placeWidth; shift += 8) place |= bytes[++at]! << shift
    place >>>= 0
    if (place >= this.valueCount) throw new CorruptBytes('a facet column names a value that it does not have')
    return place
  }

  /** Stands before the table: first `numberCount` numbers (`readNumber`), then texts. */
  table(): ByteReader {
    return new ByteReader(this.bytes, this.tableAt)
  }
}

/** What is made of a chunk in memory. Valid until the next one is read. */
export interface ChunkOrdinals {
  /** How many different values there are. */
  readonly valueCount: number
  /** The ordinals of the i-th document are those from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array
  /** Of numbers, ascending, then of texts, by norm, for each document; there may be more behind the last. */
  readonly ordinals: Int32Array
}

/** A chunk that is not stored. */
export const NO_ORDINALS: ChunkOrdinals = {
  valueCount: 0,
  starts: new Uint32Array(CHUNK_DOCUMENTS + 1),
  ordinals: new Int32Array(0),
}

/** Gives all values of a chunk their ordinals. */
export function readOrdinals(borrowed: Buffer, numbering: ValueNumbering, memory: ChunkMemory): ChunkOrdinals {
  const chunk = new OpenChunk(borrowed, memory)
  const { starts } = memory
  const { valueCount, numberCount } = chunk
  const count = starts[CHUNK_DOCUMENTS]!
  const table = memory.table(valueCount)
  const ordinals = memory.ordinals(count)
  const reader = chunk.table()
  numberNumbers(reader, numbering, numberCount, table)
  numberTexts(reader, numbering, numberCount, valueCount, table)
  lookUp(chunk, count, table, ordinals)
  return { valueCount, starts, ordinals }
}

// Fields have numbers or texts, seldom both: each loop is compiled when there is something to do in it.
function numberNumbers(reader: ByteReader, numbering: ValueNumbering, count: number, table: Int32Array): void {
  for (let i = 0; i < count; i++) table[i] = numbering.ofNumber(readNumber(reader))
}

function numberTexts(reader: ByteReader, numbering: ValueNumbering, from: number, to: number, table: Int32Array): void {
  for (let i = from; i < to; i++) table[i] = numbering.readText(reader)
}

function lookUp(chunk: OpenChunk, count: number, table: Int32Array, ordinals: Int32Array): void {
  for (let i = 0; i < count; i++) ordinals[i] = table[chunk.placeAt(i)]!
}

/** How a document spells a norm of its own; null: only the document has it, undefined: it has no such value. */
export function spellingInChunk(
  borrowed: Buffer,
  { low, norm }: { readonly low: number; readonly norm: string },
  memory: ChunkMemory,
): string | null | undefined {
  const { starts } = memory
  const chunk = new OpenChunk(borrowed, memory)
  const reader = chunk.table()
  for (let i = 0; i < chunk.numberCount; i++) reader.skip(reader.byte())
  let passed = chunk.numberCount
  for (let i = starts[low]!; i < starts[low + 1]!; i++) {
    const place = chunk.placeAt(i)
    if (place < chunk.numberCount) continue
    for (; passed < place; passed++) skipText(reader)
    const text = readText(reader, borrowed)
    if (text.norm === norm) return text.spelling
    passed++
  }
  return undefined
}

/** The version of the index in which a stored chunk was written. */
export function stampOf(borrowed: Buffer): number {
  return borrowed.readUInt32BE(1)
}

/** What writers change. */
export function decodeRows(bytes: Buffer, memory: ChunkMemory): ChunkRows {
  const { starts } = memory
  const chunk = new OpenChunk(bytes, memory)
  const reader = chunk.table()
  const table: ColumnValue[] = []
  for (let i = 0; i < chunk.numberCount; i++) table.push(readNumber(reader))
  for (let i = chunk.numberCount; i < chunk.valueCount; i++) table.push(readText(reader, bytes))
  const rows: ChunkRows = []
  for (let low = 0; low < CHUNK_DOCUMENTS; low++) {
    const row: ColumnValue[] = []
    for (let i = starts[low]!; i < starts[low + 1]!; i++) row.push(table[chunk.placeAt(i)]!)
    if (row.length > 0) rows[low] = row
  }
  return rows
}

/** The next text; `bytes` are those that the reader walks over. */
function readText(reader: ByteReader, bytes: Buffer): TextValue {
  const head = reader.varint()
  const at = reader.skip(head >>> 2)
  const norm = bytes.toString('utf8', at, reader.at)
  skipSpelling(reader, head)
  return { norm, spelling: decodeSpelling({ bytes, at, head }, norm) }
}

function skipText(reader: ByteReader): void {
  const head = reader.varint()
  reader.skip(head >>> 2)
  skipSpelling(reader, head)
}

function readStarts(reader: ByteReader, starts: Uint32Array): void {
  let at = 0
  let sum = 0
  while (at < CHUNK_DOCUMENTS) {
    const end = at + reader.byte() + 1
    const count = reader.varint()
    if (end > CHUNK_DOCUMENTS) throw new CorruptBytes('a facet column has too many documents')
    while (at < end) starts[++at] = sum += count
  }
}

// Eight bytes seen as a number: filled and read by one call, millions of times.
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
