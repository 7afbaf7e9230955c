import { ByteReader, type ByteWriter, CorruptBytes } from '../bytes/index.js'
import { type JsonValue, parse } from '../json/index.js'
import type { FieldId, FieldRegistry } from './fields/field-registry.js'
import type { NumberedTable } from './packing/stored-tables.js'
import type { SymbolTable } from './packing/symbol-table.js'
import type { UnpackBuffer } from './packing/unpack-buffer.js'

/** The dense number of a document inside one index: the order of listings and the last tie-break of search. */
export type DocId = number & { readonly __unit: 'docId' }

/**
 * A document as it is stored:
 *
 * ```
 * version(1 byte) table(varint) count(varint) { head(varint) fieldId(varint)? bytes }*
 * ```
 *
 * The head of a field is the number of its bytes times four, plus 1 when they are packed with the table (see
 * `packing/symbol-table.ts`), plus 2 when the field has another number than the one before it plus one: only then does
 * its number follow. `table` is 0 when nothing is packed. No value comes near the 2^30 bytes for which a head has room:
 * each has been a JavaScript string, and those are shorter.
 *
 * Fields stand in the order of their numbers, which is the order in which they are shown; in a document of the other
 * version they stand in the order in which they were sent. A value is canonical JSON text, so an answer is put together by
 * copying, and one field can be read without the others.
 */
const VERSION = 2
const VERSION_AS_SENT = 3
const PACKED = 1
const JUMPS = 2
const NO_TABLE = 0

/** Shorter values gain nothing worth the look. */
const MIN_PACKED_BYTES = 4

export interface StoredField {
  readonly fieldId: FieldId
  /** Canonical JSON text. */
  readonly value: Uint8Array
}

/** Fields in the order of their numbers, no number twice. */
export interface StoredDocument extends ReadonlyArray<StoredField> {
  /** The same in the order in which they were sent, where it is another one and matters: see `sent-order.ts`. */
  readonly asSent?: readonly StoredField[]
}

/** Knows the tables that stored documents name. For borrowed documents it must not read from the store. */
export interface TableSource {
  of(number: number): SymbolTable
  /** Where values are unpacked, one document after the other. */
  readonly unpackBuffer: UnpackBuffer
}

/** Values that get shorter by it are packed with the table, if one is given. Good until something else is written. */
export function encodeDocument(document: StoredDocument, writer: ByteWriter, packing?: NumberedTable): Buffer {
  writer.clear()
  writer.byte(document.asSent === undefined ? VERSION : VERSION_AS_SENT)
  writer.varint(packing?.number ?? NO_TABLE)
  writer.varint(document.length)
  let expected = 0
  for (const { fieldId, value } of document.asSent ?? document) {
    const jump = fieldId === expected ? undefined : fieldId
    if (packing === undefined || !writePacked(writer, value, jump, packing.table)) {
      writeHead(writer, value.length, 0, jump)
      writer.raw(value)
    }
    expected = fieldId + 1
  }
  return writer.view()
}

function writeHead(writer: ByteWriter, size: number, flags: number, jump: FieldId | undefined): void {
  writer.varint(size * 4 + flags + (jump === undefined ? 0 : JUMPS))
  if (jump !== undefined) writer.varint(jump)
}

/** Writes nothing when the packed value is not shorter. */
function writePacked(writer: ByteWriter, value: Uint8Array, jump: FieldId | undefined, table: SymbolTable): boolean {
  if (value.length < MIN_PACKED_BYTES) return false
  const headAt = writer.length
  // It is packed behind the longest head that it can get, and mostly that is the one it gets.
  writeHead(writer, value.length, PACKED, jump)
  const packedAt = writer.length
  const memory = writer.memory(value.length * 2)
  const size = table.pack(value, memory, packedAt)
  writer.length = headAt
  if (size >= value.length) return false
  writeHead(writer, size, PACKED, jump)
  if (writer.length !== packedAt) memory.copyWithin(writer.length, packedAt, packedAt + size)
  writer.length += size
  return true
}

/** Which fields of a document are read: to unpack a value that nobody looks at costs more than all the rest. */
export type FieldChoice = (fieldId: FieldId) => boolean

/** The document, or the chosen fields of it, with values of its own: `bytes` may be borrowed. */
export function decodeDocument(bytes: Uint8Array, tables: TableSource, isChosen?: FieldChoice): StoredDocument {
  const reader = new ByteReader(bytes)
  const table = readTable(reader, tables)
  const ids: FieldId[] = []
  const sizes: number[] = []
  let fieldId = -1
  const { unpackBuffer } = tables
  unpackBuffer.clear()
  for (let left = reader.varint(); left > 0; left--) {
    const head = reader.varint()
    fieldId = (head & JUMPS) === 0 ? fieldId + 1 : reader.varint()
    if (isChosen?.(fieldId as FieldId) === false) {
      reader.skip(head >>> 2)
      continue
    }
    const start = unpackBuffer.length
    copyValue(reader, head, table, unpackBuffer)
    ids.push(fieldId as FieldId)
    sizes.push(unpackBuffer.length - start)
  }
  if (!reader.isAtEnd) throw new CorruptBytes('a document is too long')
  const fields = cutValues(unpackBuffer.take(), ids, sizes)
  return isAsSent(bytes) ? inSentOrder(fields) : fields
}

/** One value of a stored document, or undefined; the others are passed over. `bytes` may be borrowed. */
export function decodeField(bytes: Uint8Array, wanted: FieldId, tables: TableSource): Uint8Array | undefined {
  const reader = new ByteReader(bytes)
  const table = readTable(reader, tables)
  let fieldId = -1
  const end = isAsSent(bytes) ? Number.POSITIVE_INFINITY : wanted
  for (let left = reader.varint(); left > 0 && fieldId < end; left--) {
    const head = reader.varint()
    fieldId = (head & JUMPS) === 0 ? fieldId + 1 : reader.varint()
    if (fieldId !== wanted) {
      reader.skip(head >>> 2)
      continue
    }
    const { unpackBuffer } = tables
    unpackBuffer.clear()
    copyValue(reader, head, table, unpackBuffer)
    return unpackBuffer.take()
  }
  return undefined
}

/** The number of the table that the document is packed with, 0 for none. */
export function tableNumberOf(bytes: Uint8Array): number {
  return new ByteReader(bytes, 1).varint()
}

function readTable(reader: ByteReader, tables: TableSource): SymbolTable | undefined {
  const version = reader.byte()
  if (version !== VERSION && version !== VERSION_AS_SENT) throw new CorruptBytes(`a document has version ${version}`)
  const number = reader.varint()
  return number === NO_TABLE ? undefined : tables.of(number)
}

/** Appends the value behind a head to a buffer. */
function copyValue(reader: ByteReader, head: number, table: SymbolTable | undefined, out: UnpackBuffer): void {
  const start = reader.skip(head >>> 2)
  if ((head & PACKED) === 0) out.raw(reader.bytes, start, reader.at)
  else if (table !== undefined) table.unpack(reader.bytes, start, reader.at, out)
  else throw new CorruptBytes('a document has a packed value but names no table')
}

const isAsSent = (bytes: Uint8Array): boolean => bytes[0] === VERSION_AS_SENT

/** A document whose fields were sent in this order. */
export function inSentOrder(fields: readonly StoredField[]): StoredDocument {
  return Object.assign(sortByField([...fields]), { asSent: fields })
}

function cutValues({ buffer, byteOffset }: Buffer, ids: readonly FieldId[], sizes: readonly number[]): StoredField[] {
  const document: StoredField[] = []
  let at = byteOffset
  for (let i = 0; i < ids.length; i++) {
    // Half the price of `subarray`.
    document.push({ fieldId: ids[i]!, value: new Uint8Array(buffer, at, sizes[i]) })
    at += sizes[i]!
  }
  return document
}

/** The value of one field, or undefined. */
export function fieldOf(document: StoredDocument, fieldId: FieldId): Uint8Array | undefined {
  return document.find((field) => field.fieldId === fieldId)?.value
}

/** The document as JSON text. */
export function documentJson(document: StoredDocument, registry: FieldRegistry): string {
  const members = document.map(({ fieldId, value }) => `${JSON.stringify(registry.nameOf(fieldId))}:${textOf(value)}`)
  return `{${members.join(',')}}`
}

export function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8')
}

/** The value of stored JSON text. It was checked when it came in, so text that is no JSON is damage. */
export function storedJson(text: string): JsonValue {
  const parsed = parse(text, 1024)
  if (!parsed.ok) throw new Error(`a stored value is not JSON: ${parsed.reason}`)
  return parsed.value
}

/** `later` over `earlier`: each field of `later` replaces the one of the same number as a whole (spec 3 §2.7). */
export function mergeDocuments(earlier: StoredDocument, later: StoredDocument): StoredDocument {
  const merged: StoredField[] = []
  let i = 0
  let j = 0
  while (i < earlier.length || j < later.length) {
    const left = i < earlier.length ? earlier[i]!.fieldId : Number.POSITIVE_INFINITY
    const right = j < later.length ? later[j]!.fieldId : Number.POSITIVE_INFINITY
    merged.push(right <= left ? later[j]! : earlier[i]!)
    if (left <= right) i++
    if (right <= left) j++
  }
  return merged
}

export function sortByField(fields: StoredField[]): StoredField[] {
  return fields.sort((a, b) => a.fieldId - b.fieldId)
}
