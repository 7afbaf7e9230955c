import { Bitmap } from '../../bitmap/index.js'
import { ByteWriter } from '../../bytes/index.js'
import type { DocId, FieldRegistry, NumberedTable, StoredDocument } from '../../documents/index.js'
import {
  betterTable,
  type DocumentValueSample,
  encodeDocument,
  isTimeToLearn,
  SentOrder,
  seenValues,
  spread,
  ValueSample,
} from '../../documents/index.js'
import type { ChangeSink, IndexMeta } from '../../folder/index.js'
import { docIdKey, type IndexFolder } from '../../folder/index.js'
import type { ShardWriter } from '../shards/shard-writer.js'

/** How many stored documents are looked at when there is something to learn. */
const STORED_SAMPLE = 128

/** Tells all sinks that there are no more changes. */
export function finishSinks(sinks: readonly ChangeSink[]): void {
  for (const sink of sinks) sink.end?.()
  for (const sink of sinks) sink.finish()
}

/** A document that is about to be stored. `before` is absent for a new one. */
export interface DocumentArrival {
  readonly documentId: string
  readonly docId: DocId
  readonly document: StoredDocument
  readonly before: StoredDocument | undefined
  /** The names of the attributes that were sent, in the order of the sender; absent where nobody sent the document. */
  readonly sentNames?: readonly string[]
}

/** Sees every document before it is stored, and says what is stored of it. */
export interface DocumentIntake {
  take(arrival: DocumentArrival): StoredDocument
}

export interface WriterParts {
  readonly folder: IndexFolder
  readonly meta: IndexMeta
  readonly registry: FieldRegistry
  readonly sinks: readonly ChangeSink[]
  /** Absent when documents are stored as they come. */
  readonly intake?: DocumentIntake
  /** Absent where no network is led. */
  readonly shards?: ShardWriter
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
  private lastDocId: number
  private readonly foreseen = new ValueSample()
  private packing: NumberedTable | undefined
  /** The document that was put last. */
  private readonly encoded = new ByteWriter(4096)

  private readonly sentOrder: SentOrder
  private readonly folder: IndexFolder
  private readonly meta: IndexMeta
  private readonly sinks: readonly ChangeSink[]
  private readonly intake: DocumentIntake | undefined
  private readonly shards: ShardWriter | undefined

  constructor(parts: WriterParts) {
    this.folder = parts.folder
    this.meta = parts.meta
    this.sinks = parts.sinks
    this.intake = parts.intake
    this.shards = parts.shards
    this.registry = parts.registry
    this.sentOrder = new SentOrder(parts.registry)
    this.taken = this.folder.docIds()
    this.fieldCounts = [...this.meta.fieldCounts]
    this.documentBytes = this.meta.documentBytes
    this.lastDocId = this.taken.max
    this.packing = this.folder.symbolTables.latest()
  }

  get documentCount(): number {
    return this.taken.size
  }

  find(documentId: string): DocId | undefined {
    return this.folder.docIdOf(documentId)
  }

  /** As `find`; where there is no such document, one is about to be put at `docId`. One look instead of two. */
  findOrName(documentId: string, docId: DocId): DocId | undefined {
    const isNew = this.folder.databases.externalIds.putNew(Buffer.from(documentId), docIdKey(docId))
    return isNew ? undefined : this.find(documentId)
  }

  read(docId: DocId): StoredDocument {
    const document = this.folder.document(docId)
    if (document === undefined) throw new Error(`document ${docId} is listed but not stored`)
    return document
  }

  /** These values of a document are likely to be put. */
  foresee(values: DocumentValueSample): void {
    this.foreseen.see(values)
  }

  /** When much is going to be put: learns from it and from what is stored how documents are packed from now on. */
  learn(): void {
    const { foreseen, documentBytes, packing, folder } = this
    for (const sink of this.sinks) sink.foresee?.({ bytes: foreseen.seenBytes })
    if (!isTimeToLearn(documentBytes, documentBytes + foreseen.seenBytes)) return
    const table = betterTable(packing?.table, [...this.sampleStored(), ...foreseen.values()])
    if (table !== undefined) this.packing = folder.symbolTables.add(table)
  }

  /** Stores a document at `docId`, in place of `before` or a new one that was named. */
  put(arrival: DocumentArrival): void {
    const { docId, before, sentNames } = arrival
    const document = this.sentOrder.apply(this.intake?.take(arrival) ?? arrival.document, before, sentNames)
    const bytes = encodeDocument(document, this.encoded, this.packing)
    if (before === undefined) {
      this.mark(docId)
      this.taken.add(docId)
      this.shards?.set(arrival.documentId, docId, true)
    } else this.count(before, -1)
    this.store(docId, bytes)
    this.count(document, 1)
    for (const sink of this.sinks) sink.change(docId, before, document)
  }

  remove(documentId: string, docId: DocId): void {
    const before = this.read(docId)
    this.folder.databases.documents.delete(docIdKey(docId))
    this.folder.databases.externalIds.delete(Buffer.from(documentId))
    this.taken.remove(docId)
    this.shards?.set(documentId, docId, false)
    this.mark(docId)
    this.count(before, -1)
    for (const sink of this.sinks) sink.change(docId, before, undefined)
  }

  /** Writes ids, names and counts. Answers the meta data with the new counts. */
  finish(): IndexMeta {
    finishSinks(this.sinks)
    this.shards?.flush()
    for (const chunk of this.touchedChunks) this.writeChunk(chunk)
    if (this.registry.hasGrown) this.folder.putFields(this.registry)
    const { fieldCounts, documentBytes } = this
    return { ...this.meta, documentCount: this.taken.size, documentBytes, fieldCounts }
  }

  /** New documents mostly come behind all others, which takes fewer pages when the store knows. */
  private store(docId: DocId, bytes: Uint8Array): void {
    const { documents } = this.folder.databases
    if (docId > this.lastDocId) documents.append(docIdKey(docId), bytes)
    else documents.put(docIdKey(docId), bytes)
    this.lastDocId = Math.max(docId, this.lastDocId)
  }

  private sampleStored(): Uint8Array[] {
    const sample = new ValueSample()
    for (const i of spread(this.taken.size, STORED_SAMPLE)) {
      sample.see(seenValues(this.read(this.taken.select(i) as DocId).map(({ value }) => value)))
    }
    return sample.values()
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
