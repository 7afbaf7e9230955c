import type { DocId, StoredDocument } from '../../documents/index.js'
import { RESERVED } from '../../documents/index.js'
import type { ChangeSink, IndexFolder } from '../../folder/index.js'
import type { Settings } from '../../settings/index.js'
import {
  type Divided,
  divideVectors,
  readEmbedders,
  VectorSessions,
  type VectorWork,
  writeEmbedders,
  writeVectorJournal,
} from '../../vectors/index.js'
import type { DocumentArrival, DocumentIntake } from '../documents/document-writer.js'

const NOTHING_GIVEN: Divided = { given: new Map(), kept: undefined }

/**
 * Keeps vectors in step with the documents. Of `_vectors` only what belongs to no embedder stays in a document: the rest
 * is taken out before it is stored.
 */
export class VectorSink implements ChangeSink, DocumentIntake {
  private readonly sessions: VectorSessions
  private readonly names: readonly string[]

  constructor(
    private readonly work: VectorWork,
    settings: Settings,
  ) {
    this.sessions = new VectorSessions(work, settings)
    this.names = [...settings.embedders.keys()]
  }

  take(arrival: DocumentArrival): StoredDocument {
    const { documentId, docId, document, before, sentNames } = arrival
    const { given, stored } = this.divide(documentId, document)
    const order = sentNames && this.isStoredOrder(stored, sentNames) ? {} : { sentNames }
    const embedded = { documentId, docId, document: stored, ...order }
    for (const name of this.names) {
      const session = this.sessions.session(name)!
      if (before === undefined) session.insert(embedded, given.get(name))
      else session.update(embedded, before, given.get(name))
    }
    return stored
  }

  change(docId: DocId, _before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    if (after === undefined) for (const name of this.names) this.sessions.session(name)!.forget(docId)
  }

  finish(): void {
    this.sessions.finish()
  }

  /** Templates see the same order then, with or without the names. */
  private isStoredOrder(document: StoredDocument, sentNames: readonly string[]): boolean {
    let next = 0
    for (const name of sentNames) {
      const isNext = next < document.length && this.work.registry.nameOf(document[next]!.fieldId) === name
      if (isNext) next++
      else if (!RESERVED.has(name)) return false
    }
    return true
  }

  private divide(documentId: string, document: StoredDocument): Pick<Divided, 'given'> & { stored: StoredDocument } {
    const field = this.work.registry.idOf('_vectors')
    const own = field === undefined ? undefined : document.find(({ fieldId }) => fieldId === field)
    if (own === undefined) return { given: NOTHING_GIVEN.given, stored: document }
    const { given, kept } = divideVectors(own.value, {
      indexUid: this.work.indexUid,
      documentId,
      dimensionsOf: (name) =>
        this.names.includes(name) ? this.sessions.session(name)!.writer.record.dimensions : undefined,
    })
    return { given, stored: kept === own.value ? document : withVectors(document, own.fieldId, kept) }
  }
}

/** The document with another value of `_vectors`, or without it. */
export function withVectors(
  document: StoredDocument,
  field: StoredDocument[number]['fieldId'],
  value: Uint8Array | undefined,
): StoredDocument {
  const others = document.filter(({ fieldId }) => fieldId !== field)
  if (value === undefined) return others
  return [...others, { fieldId: field, value }].sort((a, b) => a.fieldId - b.fieldId)
}

/** Forgets the vectors of all documents; embedders stay. */
export function clearVectors(folder: IndexFolder): void {
  const { databases } = folder
  const records = readEmbedders(databases.main)
  if (records.length === 0) return
  databases.vectors.clear()
  databases.vectorSets.clear()
  databases.vectorLists.clear()
  writeEmbedders(
    databases.main,
    records.map(({ lists: _, ...record }) => ({ ...record, vectorCount: 0 })),
  )
  writeVectorJournal(databases.vectorJournal, folder.nextContentVersion(), 'everything')
}
