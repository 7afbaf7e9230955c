import { Bitmap } from '../bitmap/index.js'
import { CorruptBytes } from '../bytes/index.js'
import {
  type DocId,
  decodeDocument,
  decodeField,
  type FieldChoice,
  type FieldId,
  FieldRegistry,
  MAX_ID_BYTES,
  type StoredDocument,
  StoredTables,
  tableNumberOf,
} from '../documents/index.js'
import { type Database, Environment, type HeldWrite } from '../store/index.js'
import { decodeJson, encodeJson, type IndexMeta, newIndexMeta } from './index-meta.js'

/** The named databases of one index. */
export interface IndexDatabases {
  /** Single values: meta, field names, settings, symbol tables. */
  readonly main: Database
  /** docId (4 bytes) to document. */
  readonly documents: Database
  /** Document id to docId. */
  readonly externalIds: Database
  /** Which docIds are taken: high 16 bits to a bitmap of the ids with them. */
  readonly docIds: Database
  /** Facts of documents for filters and sorts: see `facets/facet-key.ts`. */
  readonly facets: Database
  /** The values of each document for counting, sorting and distinct: see `columns/column-chunk.ts`. */
  readonly columns: Database
  /** docId (4 bytes) to the shape of its `_geojson`: see `geo/shape.ts`. */
  readonly shapes: Database
  /** Where shapes lie: see `geo/shape-cell-key.ts`. */
  readonly shapeCells: Database
  /** Words to where they stand: see `words/posting-block.ts`. */
  readonly postings: Database
  /** Short prefixes to where any of their words stand: see `postings/prefixes/short-prefix.ts`. */
  readonly prefixes: Database
  /** Which documents have frequent words where: see `postings/sets/set-key.ts`. */
  readonly termSets: Database
  /** The sorted words: see `words/dictionary-block.ts`. */
  readonly dictionary: Database
  /** How many words fields hold: see `words/word-counts.ts`. */
  readonly wordCounts: Database
  /** Which words the last versions changed: see `words/word-journal.ts`. */
  readonly wordJournal: Database
  /** The vectors of documents: see `vectors/vector-bytes.ts`. */
  readonly vectors: Database
  /** Which documents have vectors, and whose: see `vectors/doc-set.ts`. */
  readonly vectorSets: Database
  /** Lists of vectors that are near to each other: see `vectors/lists/list-layout.ts`. */
  readonly vectorLists: Database
  /** Whose vectors the last versions changed: see `vectors/vector-journal.ts`. */
  readonly vectorJournal: Database
  /** Which documents belong to which shard; empty where nobody leads a network: see `index/shards/stored-shards.ts`. */
  readonly shards: Database
}

/** More than there are, for those of later versions. */
const MAX_DATABASES = 32

/**
 * How an index is laid out on disk. Each keeps the one that it was made with, until an upgrade makes a copy of it:
 * 1 (folders without a mark), 2: all values have checksums.
 */
export const NEWEST_FORMAT = 2
const FIRST_FORMAT = 1
const FIRST_WITH_CHECKSUMS = 2

const META = Buffer.from('meta')
const FIELDS = Buffer.from('fields')
const UNKNOWN_FIELDS = Buffer.from('unknownFields')
const SETTINGS = Buffer.from('settings')
/** The version of the content(4 bytes), and behind it, where there was any, how often there was upkeep(4 bytes). */
export const VERSIONS = Buffer.from('version')

const NOTHING = Buffer.alloc(0)

/** One index on disk. Reads see the last commit; writes belong inside `write`. */
export class IndexFolder {
  readonly databases: IndexDatabases
  /** What documents are packed with. */
  readonly symbolTables: StoredTables
  /** See `NEWEST_FORMAT`. */
  readonly format: number
  /** What `readFields` answered, and from which bytes. */
  private lastRead: { readonly names: Buffer; readonly unknown: Buffer; readonly registry: FieldRegistry } | undefined

  private constructor(readonly environment: Environment) {
    this.format = formatOf(environment)
    const hasChecksums = this.format >= FIRST_WITH_CHECKSUMS
    const database = (name: keyof IndexDatabases) => environment.database(name, { hasChecksums })
    this.databases = {
      main: database('main'),
      documents: database('documents'),
      externalIds: database('externalIds'),
      docIds: database('docIds'),
      facets: database('facets'),
      columns: database('columns'),
      shapes: database('shapes'),
      shapeCells: database('shapeCells'),
      postings: database('postings'),
      // On disk the database has the name that it was made with.
      prefixes: environment.database('beginnings', { hasChecksums }),
      termSets: database('termSets'),
      dictionary: database('dictionary'),
      wordCounts: database('wordCounts'),
      wordJournal: database('wordJournal'),
      vectors: database('vectors'),
      vectorSets: database('vectorSets'),
      vectorLists: database('vectorLists'),
      vectorJournal: database('vectorJournal'),
      shards: database('shards'),
    }
    this.symbolTables = new StoredTables(this.databases.main)
  }

  /** Leaves nothing open when it throws: whoever asks for a damaged index will ask again. */
  private static in(environment: Environment): IndexFolder {
    try {
      return new IndexFolder(environment)
    } catch (error) {
      void environment.close()
      throw error
    }
  }

  static open(path: string): IndexFolder {
    return IndexFolder.in(Environment.open(path, { maxDatabases: MAX_DATABASES, newFormat: NEWEST_FORMAT }))
  }

  /** The same for an index that was created before: where it is gone, it is damaged rather than empty. */
  static openExisting(path: string): IndexFolder {
    return IndexFolder.in(Environment.open(path, { maxDatabases: MAX_DATABASES, mustExist: true }))
  }

  /**
   * For threads that only read: unlike `open` it does not wait for a writer. Some thread of the process must have the
   * folder open with `open`: all share what the first one opened, and after this one nobody could write.
   */
  static openForReading(path: string): IndexFolder {
    return IndexFolder.in(Environment.open(path, { maxDatabases: MAX_DATABASES, readOnly: true }))
  }

  /** One transaction: all of `work` or nothing. Whatever it does, the index has a new version afterwards. */
  write<T>(work: () => T): T {
    try {
      return this.environment.writeSync(() => this.withNextVersion(work))
    } catch (error) {
      this.symbolTables.forget()
      throw error
    }
  }

  /** The same up to the commit: see `Environment.hold`. */
  hold<T>(work: () => T): HeldWrite<T> {
    const forgetting = (error: unknown): never => {
      this.symbolTables.forget()
      throw error
    }
    try {
      const { result, commit, abort } = this.environment.hold(() => this.withNextVersion(work))
      return {
        result,
        commit: () => commit().catch(forgetting),
        abort: async () => {
          this.symbolTables.forget()
          await abort()
        },
      }
    } catch (error) {
      return forgetting(error)
    }
  }

  private withNextVersion<T>(work: () => T): T {
    const result = work()
    const { content, upkeep } = this.versions()
    this.putVersions(content + 1, upkeep)
    return result
  }

  /**
   * One transaction of upkeep: it changes nothing of what the index holds, only what is made of that when there is time
   * for it. Two folders with the same content may have gone through it differently often.
   */
  maintain(work: () => void): void {
    this.environment.writeSync(() => {
      work()
      const { content, upkeep } = this.versions()
      this.putVersions(content, upkeep + 1)
    })
  }

  /** Grows with every transaction, so that readers know whether what they derived from the index still stands. */
  version(): number {
    const { content, upkeep } = this.versions()
    return content + upkeep
  }

  /** Grows with every transaction that is no upkeep, and so is the same wherever the same was done. */
  contentVersion(): number {
    return this.versions().content
  }

  /** Inside `write`: the version that the content is going to have. */
  nextContentVersion(): number {
    return this.contentVersion() + 1
  }

  private versions(): { content: number; upkeep: number } {
    const bytes = this.databases.main.getBorrowed(VERSIONS)
    if (bytes === undefined) return { content: 0, upkeep: 0 }
    return { content: bytes.readUInt32BE(0), upkeep: bytes.length > 4 ? bytes.readUInt32BE(4) : 0 }
  }

  private putVersions(content: number, upkeep: number): void {
    const bytes = Buffer.allocUnsafe(upkeep === 0 ? 4 : 8)
    bytes.writeUInt32BE(content)
    if (upkeep > 0) bytes.writeUInt32BE(upkeep, 4)
    this.databases.main.put(VERSIONS, bytes)
  }

  /** Names the index for those who learn that it is damaged. The folder does not know: names move between folders. */
  nameAs(uid: string): void {
    this.environment.title = `the index "${uid}"`
  }

  close(): Promise<void> {
    return this.environment.close()
  }

  /** Undefined as long as the index has not been created in this folder. */
  meta(): IndexMeta | undefined {
    const bytes = this.databases.main.get(META)
    return bytes === undefined ? undefined : decodeJson<IndexMeta>(bytes, 'the index meta data')
  }

  putMeta(meta: IndexMeta): void {
    this.databases.main.put(META, encodeJson(meta))
  }

  create(now: string, primaryKey: string | null): IndexMeta {
    const meta = newIndexMeta(now, primaryKey)
    this.putMeta(meta)
    if (primaryKey !== null) this.putFields(withField(new FieldRegistry(), primaryKey))
    return meta
  }

  fields(): FieldRegistry {
    const { main } = this.databases
    const [names, unknown] = [main.get(FIELDS), main.get(UNKNOWN_FIELDS)]
    return new FieldRegistry(
      names === undefined ? [] : decodeJson<string[]>(names, 'the list of fields'),
      unknown === undefined ? [] : decodeJson<number[]>(unknown, 'the list of unknown fields'),
    )
  }

  /** As `fields`, for those who only read: one object until the names change, since an index may have many. */
  readFields(): FieldRegistry {
    const { main } = this.databases
    const { lastRead } = this
    const isSame = (key: Buffer, bytes: Buffer) => Buffer.compare(main.getBorrowed(key) ?? NOTHING, bytes) === 0
    if (lastRead && isSame(FIELDS, lastRead.names) && isSame(UNKNOWN_FIELDS, lastRead.unknown)) return lastRead.registry
    const [names, unknown] = [FIELDS, UNKNOWN_FIELDS].map((key) => main.get(key) ?? NOTHING) as [Buffer, Buffer]
    const registry = this.fields()
    this.lastRead = { names, unknown, registry }
    return registry
  }

  putFields(registry: FieldRegistry): void {
    const { main } = this.databases
    main.put(FIELDS, encodeJson(registry.all()))
    if (registry.hasUnknown) main.put(UNKNOWN_FIELDS, encodeJson(registry.unknownIds()))
    else main.delete(UNKNOWN_FIELDS)
  }

  settingsBytes(): Buffer | undefined {
    return this.databases.main.get(SETTINGS)
  }

  putSettingsBytes(bytes: Uint8Array): void {
    this.databases.main.put(SETTINGS, bytes)
  }

  docIds(): Bitmap {
    const parts: Bitmap[] = []
    for (const { value } of this.databases.docIds.range()) parts.push(Bitmap.deserialize(value))
    return Bitmap.orMany(parts)
  }

  docIdOf(documentId: string): DocId | undefined {
    const key = Buffer.from(documentId)
    // Requests may ask for any text; the store looks for none that is empty or much longer than an id.
    if (key.length === 0 || key.length > MAX_ID_BYTES) return undefined
    const bytes = this.databases.externalIds.getBorrowed(key)
    return bytes === undefined ? undefined : (bytes.readUInt32BE(0) as DocId)
  }

  /** What a document takes on disk. */
  documentBytes(docId: DocId): number {
    return this.databases.documents.getBorrowed(docIdKey(docId))?.length ?? 0
  }

  /** All fields, or those that are chosen. */
  document(docId: DocId, isChosen?: FieldChoice): StoredDocument | undefined {
    const borrowed = this.borrowDocument(docId)
    return borrowed === undefined ? undefined : decodeDocument(borrowed, this.symbolTables, isChosen)
  }

  /** One top-level field of a document: much cheaper than all of it when it is large. */
  value(docId: DocId, fieldId: FieldId): Uint8Array | undefined {
    const borrowed = this.borrowDocument(docId)
    return borrowed === undefined ? undefined : decodeField(borrowed, fieldId, this.symbolTables)
  }

  /** Its table is known when this returns, so decoding reads nothing and the bytes stay valid meanwhile. */
  private borrowDocument(docId: DocId): Buffer | undefined {
    const key = docIdKey(docId)
    const borrowed = this.databases.documents.getBorrowed(key)
    if (borrowed === undefined || this.symbolTables.knows(tableNumberOf(borrowed))) return borrowed
    this.symbolTables.of(tableNumberOf(borrowed))
    return this.databases.documents.getBorrowed(key)
  }
}

function formatOf(environment: Environment): number {
  const format = environment.format ?? FIRST_FORMAT
  if (format > NEWEST_FORMAT) throw new CorruptBytes(`${environment.title} has the unknown format ${format}`)
  return format
}

function withField(registry: FieldRegistry, name: string): FieldRegistry {
  registry.register(name)
  return registry
}

export function docIdKey(docId: DocId): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(docId)
  return key
}
