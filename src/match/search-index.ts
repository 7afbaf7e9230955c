import type { Bitmap } from '../bitmap/index.js'
import { type Carried, DerivedValues } from '../cache/index.js'
import type { FieldId, FieldRegistry } from '../documents/index.js'
import { type IndexFolder, readSettings } from '../folder/index.js'
import { IndexFacets } from '../index/index.js'
import { StoredWords, type StoredWordsOptions } from '../postings/index.js'
import { compileFieldRoles, type FieldRoles, type Settings } from '../settings/index.js'
import { type Analyzer, createAnalyzer } from '../text/index.js'
import { StoredVectors } from '../vectors/index.js'
import { SearchScratch } from './search-scratch.js'

export interface SearchIndexOptions {
  readonly words?: StoredWordsOptions | undefined
  /** Shared by all indexes that one thread searches. */
  readonly scratch?: SearchScratch
  /** What stays when this object is replaced by another one for the same folder. */
  readonly carried?: Carried
}

/**
 * One index as searches see it: the last commit, and what was derived from it, kept until the index changes. A search
 * calls `refresh` first and then runs without a pause, so all that it reads belongs to one commit.
 */
export class SearchIndex {
  /** Of the index, as of the last `refresh`. */
  version = -1
  private settingsBytes: Uint8Array | undefined
  settings!: Settings
  roles!: FieldRoles
  fields!: FieldRegistry
  facets!: IndexFacets
  docIds!: Bitmap
  /** Cuts queries. */
  queryAnalyzer!: Analyzer
  /** Cuts texts that are highlighted: stop words are words there (spec 5 §1). */
  formatAnalyzer!: Analyzer
  readonly words: StoredWords
  readonly vectors: StoredVectors
  readonly scratch: SearchScratch
  private readonly derived: DerivedValues

  constructor(
    readonly uid: string,
    readonly folder: IndexFolder,
    { words, scratch = new SearchScratch(), carried = new Map() }: SearchIndexOptions = {},
  ) {
    this.scratch = scratch
    this.derived = new DerivedValues(carried)
    this.words = new StoredWords(folder, words, scratch.reading)
    this.vectors = new StoredVectors(folder)
  }

  /** Follows the last commit. Cheap when nothing was written since. */
  refresh(): void {
    this.folder.environment.refresh()
    const version = this.folder.version()
    if (version === this.version) return
    this.words.refresh()
    this.vectors.refresh()
    this.readSettings()
    this.fields = this.folder.readFields()
    this.facets = new IndexFacets(this.folder)
    this.docIds = this.folder.docIds()
    this.derived.clear()
    this.version = version
  }

  /** A value made once for each version of the index. */
  derive<T>(key: symbol, make: () => T): T {
    return this.derived.derive(key, make)
  }

  /** A value brought up to date for each version, of what it was in an earlier one. */
  carry<T>(key: symbol, make: (before: T | undefined) => T): T {
    return this.derived.carry(key, make)
  }

  /** What is kept of the index between searches, as far as it is counted: the parts that grow with what is asked. */
  get sizeBytes(): number {
    return this.words.sizeBytes + this.derived.sizeBytes
  }

  /** The primary key, null as long as it is unknown. */
  get primaryKey(): string | null {
    return this.folder.meta()?.primaryKey ?? null
  }

  /** Analyzers remember words: they live as long as their settings. */
  private readSettings(): void {
    const bytes = this.folder.settingsBytes()
    if (this.settings !== undefined && isSame(bytes, this.settingsBytes)) return
    this.settingsBytes = bytes
    this.settings = readSettings(this.folder)
    this.roles = compileFieldRoles(this.settings)
    const { stopWords, separatorTokens, nonSeparatorTokens, dictionary } = this.settings
    this.queryAnalyzer = createAnalyzer({ stopWords, separatorTokens, nonSeparatorTokens, dictionary })
    this.formatAnalyzer = createAnalyzer({ separatorTokens, nonSeparatorTokens, dictionary })
  }

  nameOf(fieldId: number): string {
    return this.fields.nameOf(fieldId as FieldId)
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return Buffer.compare(a, b) === 0
}
