import { Bitmap } from '../../bitmap/index.js'
import { type Database, Environment } from '../../store/index.js'
import { MAX_ID_BYTES } from '../documents/document-id.js'
import { type DocId, decodeDocument, type StoredDocument } from '../documents/stored-document.js'
import { FieldRegistry } from '../fields/field-registry.js'
import { decodeJson, encodeJson, type IndexMeta, newIndexMeta } from './index-meta.js'

/** The named databases of one index. */
export interface IndexDatabases {
  /** Single values: meta, field names, settings. */
  readonly main: Database
  /** docId (4 bytes) to document. */
  readonly documents: Database
  /** Document id to docId. */
  readonly externalIds: Database
  /** Which docIds are taken: high 16 bits to a bitmap of the ids with them. */
  readonly docIds: Database
  /** Facts of documents for filters and sorts: see `facets/facet-key.ts`. */
  readonly facets: Database
}

const META = Buffer.from('meta')
const FIELDS = Buffer.from('fields')
const SETTINGS = Buffer.from('settings')

/** One index on disk. Reads see the last commit; writes belong inside `write`. */
export class IndexFolder {
  readonly databases: IndexDatabases

  private constructor(readonly environment: Environment) {
    this.databases = {
      main: environment.database('main'),
      documents: environment.database('documents'),
      externalIds: environment.database('externalIds'),
      docIds: environment.database('docIds'),
      facets: environment.database('facets'),
    }
  }

  static open(path: string): IndexFolder {
    return new IndexFolder(Environment.open(path, { maxDatabases: 32 }))
  }

  /** One transaction: all of `work` or nothing. */
  write<T>(work: () => T): T {
    return this.environment.writeSync(work)
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
    const bytes = this.databases.documents.get(docIdKey(docId))
    return bytes === undefined ? undefined : decodeDocument(bytes)
  }
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
