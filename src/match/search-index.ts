import type { Bitmap } from '../bitmap/index.js'
import { ByteCache } from '../cache/index.js'
import type { FieldId, FieldRegistry } from '../documents/index.js'
import { type IndexFolder, readSettings } from '../folder/index.js'
import { IndexFacets } from '../index/index.js'
import { StoredWords, type StoredWordsOptions } from '../postings/index.js'
import { compileFieldRoles, type FieldRoles, type Settings } from '../settings/index.js'
import { type Analyzer, createAnalyzer } from '../text/index.js'
import { StoredVectors } from '../vectors/index.js'
import { SearchScratch } from './search-scratch.js'

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
  private readonly derived = new Map<symbol, unknown>()

  constructor(
    readonly uid: string,
    readonly folder: IndexFolder,
    words: StoredWordsOptions = {},
    readonly scratch = new SearchScratch(),
  ) {
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
    const known = this.derived.get(key)
    if (known !== undefined) return known as T
    const made = make()
    this.derived.set(key, made)
    return made
  }

  /** What is kept of the index between searches, as far as it is counted: the parts that grow with what is asked. */
  get sizeBytes(): number {
    let bytes = this.words.sizeBytes
    for (const value of this.derived.values()) if (value instanceof ByteCache) bytes += value.sizeBytes
    return bytes
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
