import { Bitmap } from '../../bitmap/index.js'
import { type DocId, fieldOf, IdExtractor, type StoredDocument, storedValue } from '../../documents/index.js'
import { type JsonObject, print } from '../../json/index.js'
import { compileFieldRoles, type EmbedderChange, type Settings } from '../../settings/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { EmbedderRecord, EmbedderSession } from '../../vectors/index.js'
import {
  type DocumentRenderer,
  divideVectors,
  documentRenderer,
  EmbedderReader,
  eraseEmbedder,
  eraseVectors,
  quantizeVectors,
  readDocSet,
  VectorSessions,
  type VectorWork,
  vectorsJson,
} from '../../vectors/index.js'
import type { DocumentWriter } from '../documents/document-writer.js'
import { withVectors } from './vector-sink.js'

export interface Rebuild extends VectorWork {
  /** Stores documents that gain or lose `_vectors`. */
  readonly writer: DocumentWriter
  readonly primaryKey: string | null
  readonly before: Settings
  readonly after: Settings
  readonly changes: ReadonlyMap<string, EmbedderChange>
}

/** Makes vectors what new settings say (spec 7 §1.15). Embedders are asked for their sizes even without documents. */
export function rebuildVectors(rebuild: Rebuild): void {
  new VectorRebuild(rebuild).run()
}

/** What is done with each document for one embedder. */
type Visit = (document: StoredDocument, docId: DocId) => void

class VectorRebuild {
  private readonly sessions: VectorSessions
  /** Embedders that go, and what their documents are to keep. */
  private readonly removed: { name: string; record: EmbedderRecord; reader: EmbedderReader; fixed: Bitmap }[] = []
  private readonly added: { name: string; session: EmbedderSession; dimensions: number }[] = []
  private readonly visits: Visit[] = []
  private readonly extractor: IdExtractor

  constructor(private readonly rebuild: Rebuild) {
    this.sessions = new VectorSessions(rebuild, rebuild.after)
    this.extractor = new IdExtractor(rebuild.primaryKey ?? '')
  }

  run(): void {
    for (const [name, change] of this.rebuild.changes) {
      if (change.kind === 'removed' || change.kind === 'replaced') this.prepareRemoval(name)
    }
    for (const [name, change] of this.rebuild.changes) {
      if (change.kind === 'added' || change.kind === 'replaced') this.prepareAddition(name)
      if (change.kind === 'changed') this.prepareChange(name, change)
    }
    for (const docId of this.visited()) this.visit(docId as DocId)
    for (const { record } of this.removed) eraseEmbedder(this.rebuild.folder.databases, record.id)
    this.sessions.finish()
  }

  private prepareRemoval(name: string): void {
    const record = this.sessions.recordOf(name)
    if (record === undefined) return
    const { databases } = this.rebuild.folder
    const reader = new EmbedderReader(databases, record)
    const fixed = readDocSet(databases.vectorSets, record.id, 'fixed')
    this.removed.push({ name, record, reader, fixed })
    this.sessions.markChanged(readDocSet(databases.vectorSets, record.id, 'embedded'))
    this.sessions.retire(name)
  }

  private prepareAddition(name: string): void {
    const record = this.sessions.register(name, this.rebuild.after.embedders.get(name)!)
    this.added.push({ name, session: this.sessions.session(name)!, dimensions: record.dimensions })
  }

  private prepareChange(name: string, change: Extract<EmbedderChange, { kind: 'changed' }>): void {
    const { before, after } = this.rebuild
    const config = after.embedders.get(name)!
    const old = this.sessions.recordOf(name)
    const renderer = old && this.oldRenderer(name, old)
    const isUntouched = before.embedders.get(name) === config
    const record = this.sessions.register(name, config, isUntouched ? old?.dimensions : undefined)
    if (old !== undefined && old.dimensions !== record.dimensions) this.dropVectors(record)
    else if (change.quantize) this.quantize(record)
    const session = this.sessions.session(name)!
    const { fragments } = change
    const hasFragmentChanges = fragments.added.length + fragments.changed.length + fragments.removed.length > 0
    if (change.regenerate === 'all') {
      this.visits.push((document, docId) => this.regenerate(session, document, docId))
    } else if (change.regenerate === 'rendered' || hasFragmentChanges) {
      this.visits.push((document, docId) =>
        session.rerender({ documentId: this.idOf(document), docId, document }, renderer),
      )
    }
  }

  private oldRenderer(name: string, record: EmbedderRecord): DocumentRenderer | undefined {
    const { before, registry } = this.rebuild
    return documentRenderer(before.embedders.get(name)!, record.fragments, {
      registry,
      roles: compileFieldRoles(before),
    })
  }

  /** Vectors of another size are of no use to anybody. What is known about documents stays. */
  private dropVectors(record: EmbedderRecord): void {
    const { databases } = this.rebuild.folder
    this.sessions.markChanged(readDocSet(databases.vectorSets, record.id, 'embedded'))
    eraseVectors(databases, record)
    this.sessions.withoutLists(record, 0)
  }

  private quantize(record: EmbedderRecord): void {
    const { databases } = this.rebuild.folder
    quantizeVectors(databases, record.id)
    this.sessions.markChanged(readDocSet(databases.vectorSets, record.id, 'embedded'))
    this.sessions.withoutLists(record)
  }

  /** Removals look at the documents that keep something, everything else at all. */
  private visited(): Bitmap {
    if (this.added.length > 0 || this.visits.length > 0) return this.rebuild.folder.docIds()
    return Bitmap.orMany(this.removed.map(({ fixed }) => fixed))
  }

  private visit(docId: DocId): void {
    if (this.rebuild.isCancelled()) throw new JobCancelled()
    const document = this.rebuild.folder.document(docId)!
    const stored = this.moveVectors(document, docId)
    for (const visit of this.visits) visit(stored, docId)
  }

  /** What removed embedders leave goes into the document, what added ones find there goes out of it. */
  private moveVectors(document: StoredDocument, docId: DocId): StoredDocument {
    const { writer, registry, indexUid } = this.rebuild
    const field = registry.register('_vectors')
    const own = fieldOf(document, field)
    const left = this.leftBehind(own, docId)
    const documentId = this.idOf(document)
    const dimensionsOf = (name: string) => this.added.find((each) => each.name === name)?.dimensions
    const divided = left && divideVectors(left, { indexUid, documentId, dimensionsOf })
    const kept = divided?.kept
    const stored = kept === own ? document : withVectors(document, field, kept)
    for (const { name, session } of this.added) {
      session.insert({ documentId, docId, document: stored }, divided?.given.get(name))
    }
    if (stored !== document) writer.put({ documentId, docId, document: stored, before: document })
    return stored
  }

  /** `_vectors` of the document with the entries of removed embedders. */
  private leftBehind(own: Uint8Array | undefined, docId: DocId): Uint8Array | undefined {
    const leaving = this.removed.filter(({ fixed }) => fixed.has(docId))
    if (leaving.length === 0) return own
    const entries: JsonObject = own === undefined ? new Map() : (storedValue(own) as JsonObject)
    for (const { name, reader } of leaving) {
      const embeddings = storedValue(Buffer.from(vectorsJson(reader.vectors(docId))))
      entries.set(
        name,
        new Map<string, boolean | typeof embeddings>([
          ['regenerate', false],
          ['embeddings', embeddings],
        ]),
      )
    }
    return Buffer.from(print(entries))
  }

  private regenerate(session: EmbedderSession, document: StoredDocument, docId: DocId): void {
    if (session.writer.isFixed(docId)) return
    session.regenerate({ documentId: this.idOf(document), docId, document })
  }

  private idOf(document: StoredDocument): string {
    const names = document.map(({ fieldId }) => this.rebuild.registry.nameOf(fieldId))
    const id = this.extractor.extract({ names, values: document.map(({ value }) => value) })
    return id.ok ? id.value : ''
  }
}
