import { Bitmap } from '../bitmap/index.js'
import type { FieldRegistry } from '../documents/index.js'
import { FailureError, failure } from '../errors/index.js'
import type { IndexFolder } from '../folder/index.js'
import { compileFieldRoles, type Embedder, openAiDimensions, type Settings } from '../settings/index.js'
import { JobCancelled } from '../threads/index.js'
import { Appender } from './appender.js'
import type { DocumentEmbedders } from './document-embedders.js'
import { documentRenderer } from './document-renderer.js'
import { assignSlots, type EmbedderRecord, freeEmbedderId, readEmbedders, writeEmbedders } from './embedder-records.js'
import { EmbedderSession } from './embedder-session.js'
import { EmbedderWriter } from './embedder-writer.js'
import type { KeptCentres } from './lists/kept-centres.js'
import { describeMissing } from './missing-vectors.js'
import { writeVectorJournal } from './vector-journal.js'

/** What everything that changes vectors needs. */
export interface VectorWork {
  readonly folder: IndexFolder
  readonly registry: FieldRegistry
  readonly indexUid: string
  /** Absent where no model can be reached: then only vectors of users can be stored. */
  readonly embedders: DocumentEmbedders | undefined
  readonly isCancelled: () => boolean
  /** Of whoever makes one change after the other. */
  readonly keptCentres?: KeptCentres | undefined
}

/** The embedders of an index while it changes. */
export class VectorSessions {
  private readonly records: Map<string, EmbedderRecord>
  private readonly sessions = new Map<string, EmbedderSession>()
  /** Their numbers are not free before this is over. */
  private readonly retired: EmbedderRecord[] = []
  /** Documents whose vectors changed. */
  private readonly changed = Bitmap.empty()
  private hasNewRecords = false
  private readonly appender: Appender

  constructor(
    private readonly work: VectorWork,
    private readonly settings: Settings,
  ) {
    this.appender = new Appender(work.folder.databases.vectors)
    this.records = new Map(readEmbedders(work.folder.databases.main).map((record) => [record.name, record]))
  }

  recordOf(name: string): EmbedderRecord | undefined {
    return this.records.get(name)
  }

  /** Makes the record of an embedder what the settings say. Throws when its size is not known and cannot be had. */
  register(name: string, config: Embedder, knownDimensions?: number): EmbedderRecord {
    const known = this.records.get(name)
    const fragments = assignSlots(known?.fragments ?? [], fragmentNames(config))
    const record: EmbedderRecord = {
      name,
      id: known?.id ?? freeEmbedderId([...this.records.values(), ...this.retired]),
      dimensions: knownDimensions ?? this.dimensionsOf(name, config),
      isQuantized: config.binaryQuantized === true,
      fragments,
      vectorCount: known?.vectorCount ?? 0,
      ...(known?.lists === undefined ? {} : { lists: known.lists }),
    }
    this.records.set(name, record)
    this.hasNewRecords = true
    return record
  }

  /** Takes the name away from an embedder. What is stored under its number is the caller's business. */
  retire(name: string): void {
    const record = this.records.get(name)
    if (record === undefined) return
    this.retired.push(record)
    this.records.delete(name)
    this.hasNewRecords = true
  }

  /** Lists of neighbours are gone, and so are vectors where `vectorCount` says so. */
  withoutLists(record: EmbedderRecord, vectorCount = record.vectorCount): void {
    const { lists: _, ...rest } = record
    this.records.set(record.name, { ...rest, vectorCount })
  }

  /** Undefined for a name that the settings do not have. */
  session(name: string): EmbedderSession | undefined {
    const known = this.sessions.get(name)
    if (known !== undefined) return known
    const config = this.settings.embedders.get(name)
    if (config === undefined) return undefined
    const opened = this.open(name, config)
    this.sessions.set(name, opened)
    return opened
  }

  markChanged(docIds: Iterable<number>): void {
    for (const docId of docIds) this.changed.add(docId)
  }

  /** Embeds what waits, and writes what was learnt. */
  finish(): void {
    const { databases } = this.work.folder
    for (const [name, session] of this.sessions) {
      session.finish()
      this.records.set(name, session.writer.record)
    }
    if (!this.changed.isEmpty || this.hasNewRecords) writeEmbedders(databases.main, [...this.records.values()])
    writeVectorJournal(databases.vectorJournal, this.work.folder.nextContentVersion(), this.changed)
  }

  private open(name: string, config: Embedder): EmbedderSession {
    const { folder, registry, indexUid, embedders, isCancelled } = this.work
    const record = this.records.get(name) ?? this.register(name, config)
    const rules = { registry, roles: compileFieldRoles(this.settings) }
    return new EmbedderSession({
      name,
      config,
      writer: new EmbedderWriter({
        databases: folder.databases,
        record,
        nextVersion: folder.nextContentVersion(),
        appender: this.appender,
        keptCentres: this.work.keptCentres,
        onChange: (docId) => this.changed.add(docId),
      }),
      renderer: documentRenderer(config, record.fragments, rules),
      embedders,
      isCancelled,
      describeMissing: ({ docId, documentId, others }) =>
        describeMissing({ indexUid, embedder: name, documentId, others, document: folder.document(docId)! }, registry),
    })
  }

  private dimensionsOf(name: string, config: Embedder): number {
    if (config.source === 'userProvided') return config.dimensions
    const { embedders, isCancelled } = this.work
    if (embedders === undefined) return dimensionsInSettings(name, config)
    const dimensions = embedders.dimensions(name, config, isCancelled)
    if (isCancelled()) throw new JobCancelled()
    if (!dimensions.ok) throw new FailureError(dimensions.failure)
    return dimensions.value
  }
}

/** Without a way to ask the model. */
function dimensionsInSettings(name: string, config: Embedder): number {
  if (config.source === 'composite') return dimensionsInSettings(name, config.indexingEmbedder)
  const stated = 'dimensions' in config ? config.dimensions : undefined
  const dimensions = stated ?? (config.source === 'openAi' ? openAiDimensions(config.model) : undefined)
  if (dimensions !== undefined) return dimensions
  const reason = `Embedder \`${name}\`: its number of dimensions is not in the settings, and no model can be asked here.`
  throw new FailureError(failure('vector_embedding_error', reason))
}

function fragmentNames(config: Embedder): string[] {
  const side = config.source === 'composite' ? config.indexingEmbedder : config
  return side.source === 'rest' ? [...(side.indexingFragments?.keys() ?? [])] : []
}
