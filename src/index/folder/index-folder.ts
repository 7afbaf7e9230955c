import { Bitmap } from '../../bitmap/index.js'
import { type Database, Environment } from '../../store/index.js'
import { MAX_ID_BYTES } from '../documents/document-id.js'
import {
  type DocId,
  decodeDocument,
  decodeField,
  type StoredDocument,
  tableNumberOf,
} from '../documents/stored-document.js'
import { type FieldId, FieldRegistry } from '../fields/field-registry.js'
import { StoredTables } from '../packing/stored-tables.js'
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
  /** Short beginnings to where any of their words stand: see `words/beginnings/short-beginning.ts`. */
  readonly beginnings: Database
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
}

/** More than there are, for those of later versions. */
const MAX_DATABASES = 32

const META = Buffer.from('meta')
const FIELDS = Buffer.from('fields')
const SETTINGS = Buffer.from('settings')
const VERSION = Buffer.from('version')

/** One index on disk. Reads see the last commit; writes belong inside `write`. */
export class IndexFolder {
  readonly databases: IndexDatabases
  /** What documents are packed with. */
  readonly symbolTables: StoredTables

  private constructor(readonly environment: Environment) {
    this.databases = {
      main: environment.database('main'),
      documents: environment.database('documents'),
      externalIds: environment.database('externalIds'),
      docIds: environment.database('docIds'),
      facets: environment.database('facets'),
      columns: environment.database('columns'),
      shapes: environment.database('shapes'),
      shapeCells: environment.database('shapeCells'),
      postings: environment.database('postings'),
      beginnings: environment.database('beginnings'),
      dictionary: environment.database('dictionary'),
      wordCounts: environment.database('wordCounts'),
      wordJournal: environment.database('wordJournal'),
      vectors: environment.database('vectors'),
      vectorSets: environment.database('vectorSets'),
      vectorLists: environment.database('vectorLists'),
      vectorJournal: environment.database('vectorJournal'),
    }
    this.symbolTables = new StoredTables(this.databases.main)
  }

  static open(path: string): IndexFolder {
    return new IndexFolder(Environment.open(path, { maxDatabases: MAX_DATABASES }))
  }

  /**
   * For threads that only read: unlike `open` it does not wait for a writer. Some thread of the process must have the
   * folder open with `open`: all share what the first one opened, and after this one nobody could write.
   */
  static openForReading(path: string): IndexFolder {
    return new IndexFolder(Environment.open(path, { maxDatabases: MAX_DATABASES, readOnly: true }))
  }

  /** One transaction: all of `work` or nothing. Whatever it does, the index has a new version afterwards. */
  write<T>(work: () => T): T {
    try {
      return this.environment.writeSync(() => {
        const result = work()
        this.databases.main.put(VERSION, versionBytes(this.nextVersion()))
        return result
      })
    } catch (error) {
      this.symbolTables.forget()
      throw error
    }
  }

  /** Grows with every transaction, so that readers know whether what they derived from the index still stands. */
  version(): number {
    return this.databases.main.getBorrowed(VERSION)?.readUInt32BE(0) ?? 0
  }

  /** Inside `write`: the version that the index is going to have. */
  nextVersion(): number {
    return this.version() + 1
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
    const bytes = this.databases.main.get(FIELDS)
    return new FieldRegistry(bytes === undefined ? [] : decodeJson<string[]>(bytes, 'the list of fields'))
  }

  putFields(registry: FieldRegistry): void {
    this.databases.main.put(FIELDS, encodeJson(registry.all()))
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

  document(docId: DocId): StoredDocument | undefined {
    const borrowed = this.borrowDocument(docId)
    return borrowed === undefined ? undefined : decodeDocument(borrowed, this.symbolTables)
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

function withField(registry: FieldRegistry, name: string): FieldRegistry {
  registry.register(name)
  return registry
}

function versionBytes(version: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(version)
  return bytes
}

export function docIdKey(docId: DocId): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(docId)
  return key
}
