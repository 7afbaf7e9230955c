import type { IndexFolder } from '../folder/index.js'
import { indexStats } from '../index/index.js'
import { print } from '../json/index.js'
import { settingsView } from '../settings/index.js'
import type { FolderLock } from '../store/index.js'
import { EngineError } from './engine-error.js'
import { iterateDocuments } from './iterate-documents.js'
import type { Reader } from './reader.js'
import type {
  AddOptions,
  Change,
  DocumentId,
  DocumentLike,
  Documents,
  FacetSearchAnswer,
  FacetSearchParameters,
  Features,
  Filter,
  Index,
  IterationParameters,
  ListAnswer,
  ListParameters,
  SearchAnswer,
  SearchParameters,
  Settings,
  SettingsPatch,
  ShownFields,
  SimilarAnswer,
  SimilarParameters,
  Stats,
} from './types.js'
import type { Writer } from './writer.js'

export interface IndexParts {
  readonly folder: IndexFolder
  readonly reader: Reader
  /** Absent where the index was opened to be read. */
  readonly writer?: Writer
  readonly lock?: FolderLock
  readonly features: Features
}

/** `Index` on a folder. */
export class EmbeddedIndex<Document extends DocumentLike> implements Index<Document> {
  private closing: Promise<void> | undefined

  constructor(private readonly parts: IndexParts) {}

  async search(parameters: SearchParameters = {}): Promise<SearchAnswer<Document>> {
    return this.reader.answer('searchBody', parameters)
  }

  async searchForFacetValues(parameters: FacetSearchParameters): Promise<FacetSearchAnswer> {
    return this.reader.answer('facetSearch', parameters)
  }

  async searchSimilarDocuments(parameters: SimilarParameters): Promise<SimilarAnswer<Document>> {
    return this.reader.answer('similarBody', parameters)
  }

  async getDocument(id: DocumentId, shown: ShownFields = {}): Promise<Document> {
    const { fields, retrieveVectors = false } = shown
    return this.reader.answer('document', { id: String(id), fields: fields ?? 'all', retrieveVectors })
  }

  async getDocuments(parameters: ListParameters = {}): Promise<ListAnswer<Document>> {
    return this.reader.answer('listBody', parameters)
  }

  documents(parameters: IterationParameters = {}): AsyncIterableIterator<Document> {
    this.checkOpen()
    return iterateDocuments<Document>(() => this.reader, parameters)
  }

  async addDocuments(documents: Documents<Document>, options: AddOptions = {}): Promise<Change> {
    return this.writer.import('replace', documents, options.primaryKey ?? null)
  }

  async updateDocuments(documents: Documents<Partial<Document>>, options: AddOptions = {}): Promise<Change> {
    return this.writer.import('update', documents, options.primaryKey ?? null)
  }

  async deleteDocuments(which: readonly DocumentId[] | { readonly filter: Filter }): Promise<Change> {
    return isList(which) ? this.writer.deleteIds(which) : this.writer.deleteBy(which.filter)
  }

  async deleteAllDocuments(): Promise<Change> {
    return this.writer.clear()
  }

  async getSettings(): Promise<Settings> {
    return JSON.parse(print(settingsView(this.reader.refreshed().settings, this.parts.features))) as Settings
  }

  async updateSettings(settings: SettingsPatch): Promise<void> {
    return this.writer.updateSettings(settings)
  }

  async getStats(): Promise<Stats> {
    const { folder } = this.reader.refreshed()
    const { fieldDistribution, sizeBytes, ...stats } = indexStats(folder)
    const { numberOfDocuments, numberOfEmbeddings, numberOfEmbeddedDocuments, primaryKey, createdAt, updatedAt } = stats
    return {
      numberOfDocuments,
      numberOfEmbeddings,
      numberOfEmbeddedDocuments,
      primaryKey,
      createdAt,
      updatedAt,
      fieldDistribution: Object.fromEntries(fieldDistribution),
      fileBytes: sizeBytes,
    }
  }

  close(): Promise<void> {
    this.closing ??= this.closeParts()
    return this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private get reader(): Reader {
    this.checkOpen()
    return this.parts.reader
  }

  private get writer(): Writer {
    this.checkOpen()
    if (this.parts.writer !== undefined) return this.parts.writer
    throw new EngineError({
      code: 'bad_request',
      message: 'The index was opened with `readOnly`: it can be searched, not changed.',
    })
  }

  private checkOpen(): void {
    if (this.closing !== undefined) throw new EngineError({ code: 'bad_request', message: 'The index was closed.' })
  }

  private async closeParts(): Promise<void> {
    const { folder, writer, lock } = this.parts
    await writer?.close()
    await folder.close()
    lock?.release()
  }
}

/** `Array.isArray` does not see that the rest is no list. */
const isList = <T>(value: readonly T[] | object): value is readonly T[] => Array.isArray(value)
