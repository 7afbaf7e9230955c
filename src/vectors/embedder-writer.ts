import type { DocId } from '../documents/index.js'
import type { IndexDatabases } from '../folder/index.js'
import type { Database } from '../store/index.js'
import type { Appender } from './appender.js'
import { EmbedderReader } from './embedder-reader.js'
import type { EmbedderRecord } from './embedder-records.js'
import type { KeptCentres } from './lists/kept-centres.js'
import type { ListsRecord } from './lists/list-layout.js'
import { ListWriter } from './lists/list-writer.js'
import { docSetRange } from './stored-doc-set.js'
import { decodeFloats, docIdOf, encodeFloats, quantize, slotOf, vectorKey, vectorRange } from './vector-bytes.js'

export interface EmbedderWriterParts {
  readonly databases: IndexDatabases
  readonly record: EmbedderRecord
  /** The version that the index is going to have. */
  readonly nextVersion: number
  /** Shared by all embedders of a transaction. */
  readonly appender: Appender
  readonly keptCentres?: KeptCentres | undefined
  /** Is told whose vectors change. */
  onChange(docId: DocId): void
}

/** From so many vectors on they are kept in lists of neighbours; fewer are compared one by one. */
const LISTED_FROM = 5000

/** Shorter vectors are compared fast enough, and signs alone tell too little of them. */
const LISTED_DIMENSIONS = 64

/** Writes the vectors of one embedder and keeps what is known about its documents, inside a transaction. */
export class EmbedderWriter {
  readonly reader: EmbedderReader
  private readonly databases: IndexDatabases
  private readonly stored: EmbedderRecord
  private vectorCount: number
  private lists: ListWriter | undefined
  private listsRecord: ListsRecord | undefined

  constructor(private readonly parts: EmbedderWriterParts) {
    this.databases = parts.databases
    this.stored = parts.record
    this.reader = new EmbedderReader(parts.databases, parts.record)
    this.vectorCount = parts.record.vectorCount
    this.listsRecord = parts.record.lists
    if (this.listsRecord !== undefined) this.lists = this.openLists(this.listsRecord)
  }

  get record(): EmbedderRecord {
    const { lists: _, ...record } = this.stored
    const lists = this.listsRecord === undefined ? {} : { lists: this.listsRecord }
    return { ...record, vectorCount: this.vectorCount, ...lists }
  }

  isFixed(docId: DocId): boolean {
    return this.reader.fixed.has(docId)
  }

  /** Whether the document is never embedded again. */
  setFixed(docId: DocId, isFixed: boolean): void {
    this.reader.fixed.set(docId, isFixed)
  }

  /** Whether users supplied what there is. Answers whether that is new. */
  setUserProvided(docId: DocId, isUserProvided: boolean): boolean {
    return this.reader.userProvided.set(docId, isUserProvided)
  }

  /** In place of all that the document had. */
  replace(docId: DocId, vectors: readonly Float32Array[]): void {
    this.clear(docId)
    for (const [slot, vector] of vectors.entries()) this.put(docId, slot, vector)
  }

  put(docId: DocId, slot: number, vector: Float32Array): void {
    const { dimensions, isQuantized, id } = this.stored
    if (vector.length !== dimensions) throw new Error(`a vector of ${vector.length} numbers instead of ${dimensions}`)
    const key = vectorKey(id, docId, slot)
    const isNew = this.reader.embedded.set(docId, true) || !this.databases.vectors.has(key)
    if (!isNew) this.lists?.remove(docId, slot)
    this.parts.appender.put(key, isQuantized ? quantize(vector) : encodeFloats(vector))
    if (isNew) this.vectorCount++
    if (this.lists !== undefined) this.lists.add(docId, slot, vector)
    else if (this.needsLists()) this.makeLists()
    if (slot > 0) this.reader.several.set(docId, true)
    this.parts.onChange(docId)
  }

  /** Takes the vector out of a slot, if there is one. */
  remove(docId: DocId, slot: number): void {
    if (!this.reader.slots(docId).includes(slot)) return
    this.erase(docId, slot)
    const left = this.reader.slots(docId)
    this.reader.embedded.set(docId, left.length > 0)
    this.reader.several.set(docId, left.length > 0 && left.at(-1)! > 0)
    this.parts.onChange(docId)
  }

  /** Takes all vectors of a document away; what is known about it stays. */
  clear(docId: DocId): void {
    const slots = this.reader.slots(docId)
    if (slots.length === 0) return
    for (const slot of slots) this.erase(docId, slot)
    this.reader.embedded.set(docId, false)
    this.reader.several.set(docId, false)
    this.parts.onChange(docId)
  }

  /** The document is gone. */
  forget(docId: DocId): void {
    this.clear(docId)
    this.setUserProvided(docId, false)
    this.setFixed(docId, false)
  }

  flush(): void {
    const { embedded, userProvided, fixed, several } = this.reader
    for (const set of [embedded, userProvided, fixed, several]) set.flush()
    if (this.lists !== undefined) this.listsRecord = this.lists.flush()
  }

  private needsLists(): boolean {
    const { isQuantized, dimensions } = this.stored
    return !isQuantized && dimensions >= LISTED_DIMENSIONS && this.vectorCount >= LISTED_FROM
  }

  private makeLists(): void {
    this.lists = this.openLists(undefined)
    for (const key of [...this.databases.vectors.keys(vectorRange(this.stored.id))]) {
      this.lists.add(docIdOf(key), slotOf(key), decodeFloats(this.databases.vectors.getBorrowed(key)!))
    }
  }

  private openLists(stored: ListsRecord | undefined): ListWriter {
    const { id: embedder, dimensions } = this.stored
    return new ListWriter({
      database: this.databases.vectorLists,
      embedder,
      dimensions,
      stored,
      nextVersion: this.parts.nextVersion,
      kept: this.parts.keptCentres,
      vectorOf: (docId, slot) => decodeFloats(this.reader.borrow(docId as DocId, slot)!),
    })
  }

  private erase(docId: DocId, slot: number): void {
    this.lists?.remove(docId, slot)
    this.databases.vectors.delete(vectorKey(this.stored.id, docId, slot))
    this.vectorCount--
  }
}

/** Turns the stored numbers of an embedder into bits, which need no lists. */
export function quantizeVectors(databases: IndexDatabases, embedder: number): void {
  const { vectors, vectorLists } = databases
  for (const key of [...vectors.keys(vectorRange(embedder))]) {
    vectors.put(key, quantize(decodeFloats(vectors.get(key)!)))
  }
  erasePrefix(vectorLists, embedder)
}

/** Removes all vectors of an embedder. What is known about its documents stays, as far as it is not about vectors. */
export function eraseVectors(databases: IndexDatabases, record: EmbedderRecord): void {
  const { vectors, vectorLists, vectorSets } = databases
  erasePrefix(vectors, record.id)
  erasePrefix(vectorLists, record.id)
  for (const kind of ['embedded', 'several'] as const) {
    for (const key of [...vectorSets.keys(docSetRange(record.id, kind))]) vectorSets.delete(key)
  }
}

/** Removes everything that is stored under the number of an embedder. */
export function eraseEmbedder({ vectors, vectorLists, vectorSets }: IndexDatabases, embedder: number): void {
  for (const database of [vectors, vectorLists, vectorSets]) erasePrefix(database, embedder)
}

function erasePrefix(database: Database, embedder: number): void {
  for (const key of [...database.keys(vectorRange(embedder))]) database.delete(key)
}
