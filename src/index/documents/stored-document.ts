import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import { type JsonValue, parse } from '../../json/index.js'
import type { FieldId, FieldRegistry } from '../fields/field-registry.js'
import type { NumberedTable } from '../packing/stored-tables.js'
import type { SymbolTable } from '../packing/symbol-table.js'
import { UnpackBuffer } from '../packing/unpack-buffer.js'

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
 * `packing/symbol-table.ts`), plus 2 when the field has another number than the one before it plus one: only then does its
 * number follow. `table` is 0 when nothing is packed. No value comes near the 2^30 bytes for which a head has room: each
 * has been a JavaScript string, and those are shorter.
 *
 * Fields stand in the order of their numbers, which is the order in which they are shown. A value is canonical JSON
 * text, so an answer is put together by copying, and one field can be read without the others.
 */
const VERSION = 2
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
export type StoredDocument = readonly StoredField[]

/** Knows the tables that stored documents name. For borrowed documents it must not read from the store. */
export interface TableSource {
  of(number: number): SymbolTable
}

const writer = new ByteWriter(4096)
const packBuffer = new Uint8Array(1 << 16)
const unpackBuffer = new UnpackBuffer()

/** Values that get shorter by it are packed with the table, if one is given. */
export function encodeDocument(document: StoredDocument, packing?: NumberedTable): Buffer {
  writer.clear()
  writer.byte(VERSION)
  writer.varint(packing?.number ?? NO_TABLE)
  writer.varint(document.length)
  let expected = 0
  for (const { fieldId, value } of document) {
    const jumps = fieldId === expected ? 0 : JUMPS
    const packed = packing === undefined ? undefined : packedOrNot(value, packing.table)
    const bytes = packed ?? value
    writer.varint(bytes.length * 4 + jumps + (packed === undefined ? 0 : PACKED))
    if (jumps !== 0) writer.varint(fieldId)
    writer.raw(bytes)
    expected = fieldId + 1
  }
  return writer.take()
}

/** The packed value, valid until the next call, or undefined when it is not shorter. */
function packedOrNot(value: Uint8Array, table: SymbolTable): Uint8Array | undefined {
  if (value.length < MIN_PACKED_BYTES) return undefined
  const room = value.length * 2
  const out = room <= packBuffer.length ? packBuffer : new Uint8Array(room)
  const size = table.pack(value, out)
  return size < value.length ? out.subarray(0, size) : undefined
}

/** The document with values of its own: `bytes` may be borrowed. */
export function decodeDocument(bytes: Uint8Array, tables: TableSource): StoredDocument {
  const fields = new FieldReader(bytes, tables)
  const ids: FieldId[] = []
  const sizes: number[] = []
  unpackBuffer.clear()
  while (fields.next()) {
    const start = unpackBuffer.length
    fields.copyValue(unpackBuffer)
    ids.push(fields.fieldId)
    sizes.push(unpackBuffer.length - start)
  }
  const { buffer, byteOffset } = unpackBuffer.take()
  let at = byteOffset
  return ids.map((fieldId, i) => {
    // Half the price of `subarray`.
    const value = new Uint8Array(buffer, at, sizes[i])
    at += sizes[i]!
    return { fieldId, value }
  })
}

/** One value of a stored document, or undefined; the others are passed over. `bytes` may be borrowed. */
export function decodeField(bytes: Uint8Array, fieldId: FieldId, tables: TableSource): Uint8Array | undefined {
  const fields = new FieldReader(bytes, tables)
  while (fields.next()) {
    if (fields.fieldId !== fieldId) continue
    unpackBuffer.clear()
    fields.copyValue(unpackBuffer)
    return unpackBuffer.take()
  }
  return undefined
}

/** The number of the table that the document is packed with, 0 for none. */
export function tableNumberOf(bytes: Uint8Array): number {
  return new ByteReader(bytes, 1).varint()
}

/** Walks over the fields of a stored document. */
class FieldReader {
  fieldId = -1 as FieldId
  private readonly reader: ByteReader
  private readonly table: SymbolTable | undefined
  private left: number
  private isPacked = false
  private start = 0
  private end = 0

  constructor(
    private readonly bytes: Uint8Array,
    tables: TableSource,
  ) {
    this.reader = new ByteReader(bytes)
    const version = this.reader.byte()
    if (version !== VERSION) throw new CorruptBytes(`a document has version ${version}`)
    const tableNumber = this.reader.varint()
    this.table = tableNumber === NO_TABLE ? undefined : tables.of(tableNumber)
    this.left = this.reader.varint()
  }

  next(): boolean {
    const { reader } = this
    if (this.left-- === 0) {
      if (!reader.isAtEnd) throw new CorruptBytes('a document is too long')
      return false
    }
    const head = reader.varint()
    this.isPacked = (head & PACKED) !== 0
    this.fieldId = ((head & JUMPS) !== 0 ? reader.varint() : this.fieldId + 1) as FieldId
    this.start = reader.skip(head >>> 2)
    this.end = reader.at
    return true
  }

  copyValue(out: UnpackBuffer): void {
    if (!this.isPacked) out.raw(this.bytes, this.start, this.end)
    else if (this.table !== undefined) this.table.unpack(this.bytes, this.start, this.end, out)
    else throw new CorruptBytes('a document has a packed value but names no table')
  }
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

export function sortByField(fields: StoredField[]): StoredDocument {
  return fields.sort((a, b) => a.fieldId - b.fieldId)
}
