import { ByteReader, type ByteWriter } from '../../bytes/index.js'
import type { FieldId } from '../../documents/index.js'
import { inSentOrder, type StoredDocument, type StoredField } from '../../documents/index.js'

/**
 * Changes of documents on their way to the thread that cuts them into words:
 *
 * ```
 * change   := docId(varint) sides(1 byte) document*
 * document := count(varint) { fieldId(varint) size(varint) bytes }*
 * ```
 *
 * Fields stand in the order of their numbers, or in that in which they were sent, where it is kept.
 * `sides` says which documents follow, the one before and the one after; both may be the same one.
 */
const BEFORE = 1
const AFTER = 2
const SAME = 4

export interface DocumentChange {
  readonly docId: number
  readonly before: StoredDocument | undefined
  readonly after: StoredDocument | undefined
}

/** Of the fields only those are written that `wants` asks for. */
export function writeChange(
  out: ByteWriter,
  { docId, before, after }: DocumentChange,
  wants: (fieldId: FieldId) => boolean,
): void {
  const isSame = before !== undefined && before === after
  out.varint(docId)
  out.byte(isSame ? SAME : (before === undefined ? 0 : BEFORE) + (after === undefined ? 0 : AFTER))
  if (before !== undefined) writeDocument(out, before, wants)
  if (after !== undefined && !isSame) writeDocument(out, after, wants)
}

function writeDocument(out: ByteWriter, document: StoredDocument, wants: (fieldId: FieldId) => boolean): void {
  let count = 0
  for (const { fieldId } of document) if (wants(fieldId)) count++
  out.varint(count)
  for (const { fieldId, value } of document.asSent ?? document) {
    if (!wants(fieldId)) continue
    out.varint(fieldId)
    out.varint(value.length)
    out.raw(value)
  }
}

/** Values are views into the bytes. */
export function* readChanges(bytes: Uint8Array): IterableIterator<DocumentChange> {
  const reader = new ByteReader(bytes)
  while (!reader.isAtEnd) {
    const docId = reader.varint()
    const sides = reader.byte()
    const before = (sides & (BEFORE | SAME)) === 0 ? undefined : readDocument(reader)
    const after = sides === SAME ? before : (sides & AFTER) === 0 ? undefined : readDocument(reader)
    yield { docId, before, after }
  }
}

function readDocument(reader: ByteReader): StoredDocument {
  const fields: StoredField[] = []
  let isAscending = true
  for (let left = reader.varint(), last = -1; left > 0; left--) {
    const fieldId = reader.varint() as FieldId
    fields.push({ fieldId, value: reader.raw(reader.varint()) })
    isAscending &&= fieldId > last
    last = fieldId
  }
  return isAscending ? fields : inSentOrder(fields)
}
