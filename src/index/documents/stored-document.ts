import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import { type JsonValue, parse } from '../../json/index.js'
import type { FieldId, FieldRegistry } from '../fields/field-registry.js'

/** The dense number of a document inside one index: the order of listings and the last tie-break of search. */
export type DocId = number & { readonly __unit: 'docId' }

/**
 * A document as it is stored:
 *
 * ```
 * version(1 byte) count(varint) { fieldId(varint) size(varint) }* value*
 * ```
 *
 * Fields stand in the order of their numbers, which is the order in which they are shown. A value is canonical JSON
 * text, so an answer is put together by copying, and one field can be read without the others.
 */
const VERSION = 1

export interface StoredField {
  readonly fieldId: FieldId
  /** Canonical JSON text. */
  readonly value: Uint8Array
}

/** Fields in the order of their numbers, no number twice. */
export type StoredDocument = readonly StoredField[]

const writer = new ByteWriter(4096)

export function encodeDocument(document: StoredDocument): Buffer {
  writer.clear()
  writer.byte(VERSION)
  writer.varint(document.length)
  for (const { fieldId, value } of document) {
    writer.varint(fieldId)
    writer.varint(value.length)
  }
  for (const { value } of document) writer.raw(value)
  return writer.take()
}

/** Views into `bytes`: copy them when those are borrowed. */
export function decodeDocument(bytes: Uint8Array): StoredDocument {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new CorruptBytes(`a document has version ${version}`)
  const ids: FieldId[] = []
  const sizes: number[] = []
  for (let left = reader.varint(); left > 0; left--) {
    ids.push(reader.varint() as FieldId)
    sizes.push(reader.varint())
  }
  return ids.map((fieldId, i) => ({ fieldId, value: reader.raw(sizes[i]!) }))
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
