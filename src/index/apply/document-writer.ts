import { Bitmap } from '../../bitmap/index.js'
import type { DocId, StoredDocument } from '../documents/stored-document.js'
import { decodeDocument, encodeDocument } from '../documents/stored-document.js'
import type { FieldRegistry } from '../fields/field-registry.js'
import { docIdKey, type IndexFolder } from '../folder/index-folder.js'
import type { IndexMeta } from '../folder/index-meta.js'

/** Is told of every document that changes, in the order of the changes, inside the transaction. */
export interface ChangeSink {
  /** `before` is absent for a new document, `after` for a removed one. */
  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void
  /** Everything was said: write what was learnt. */
  finish(): void
}

/**
 * Puts and removes documents inside one transaction and keeps the counts that go with them.
 * Nothing but documents and ids is written before `finish`.
 */
export class DocumentWriter {
  readonly registry: FieldRegistry
  readonly taken: Bitmap
  private readonly fieldCounts: number[]
  private readonly touchedChunks = new Set<number>()
  private documentBytes: number

  private readonly folder: IndexFolder
  private readonly meta: IndexMeta
  private readonly sinks: readonly ChangeSink[]

  constructor(parts: { folder: IndexFolder; meta: IndexMeta; registry: FieldRegistry; sinks: readonly ChangeSink[] }) {
    this.folder = parts.folder
    this.meta = parts.meta
    this.sinks = parts.sinks
    this.registry = parts.registry
    this.taken = this.folder.docIds()
    this.fieldCounts = [...this.meta.fieldCounts]
    this.documentBytes = this.meta.documentBytes
  }

  get documentCount(): number {
    return this.taken.size
  }

  find(documentId: string): DocId | undefined {
    return this.folder.docIdOf(documentId)
  }

  read(docId: DocId): StoredDocument {
    const document = this.folder.document(docId)
    if (document === undefined) throw new Error(`document ${docId} is listed but not stored`)
    return document
  }

  /** Stores `document` at `docId`, new or in place of `before`. */
  put(documentId: string, docId: DocId, document: StoredDocument, before: StoredDocument | undefined): void {
    const bytes = encodeDocument(document)
    if (before === undefined) {
      this.folder.databases.externalIds.put(Buffer.from(documentId), docIdKey(docId))
      this.mark(docId)
      this.taken.add(docId)
    } else this.count(before, -1)
    this.folder.databases.documents.put(docIdKey(docId), bytes)
    this.count(document, 1)
    const stored = decodeDocument(bytes)
    for (const sink of this.sinks) sink.change(docId, before, stored)
  }

  remove(documentId: string, docId: DocId): void {
    const before = this.read(docId)
    this.folder.databases.documents.delete(docIdKey(docId))
    this.folder.databases.externalIds.delete(Buffer.from(documentId))
    this.taken.remove(docId)
    this.mark(docId)
    this.count(before, -1)
    for (const sink of this.sinks) sink.change(docId, before, undefined)
  }

  /** Writes ids, names and counts. Answers the meta data with the new counts. */
  finish(): IndexMeta {
    for (const sink of this.sinks) sink.finish()
    for (const chunk of this.touchedChunks) this.writeChunk(chunk)
    if (this.registry.hasGrown) this.folder.putFields(this.registry)
    const { fieldCounts, documentBytes } = this
    return { ...this.meta, documentCount: this.taken.size, documentBytes, fieldCounts }
  }

  private mark(docId: DocId): void {
    this.touchedChunks.add(docId >>> 16)
  }

  private writeChunk(chunk: number): void {
    const key = Buffer.of(chunk >>> 8, chunk & 0xff)
    const ids = this.taken.and(Bitmap.range(chunk * 65_536, (chunk + 1) * 65_536))
    if (ids.isEmpty) {
      this.folder.databases.docIds.delete(key)
      return
    }
    ids.runOptimize()
    this.folder.databases.docIds.put(key, ids.serialize())
  }

  private count(document: StoredDocument, step: 1 | -1): void {
    for (const { fieldId, value } of document) {
      this.fieldCounts[fieldId] = (this.fieldCounts[fieldId] ?? 0) + step
      this.documentBytes += step * value.length
    }
  }
}
