import { sortedUnique } from '../../byte-order/index.js'
import { FacetTwin } from '../../match/filter/facet.twin.js'
import { matchesName, type Settings } from '../../settings/index.js'
import { type Analyzer, createAnalyzer, isNumeric } from '../../text/index.js'

export type PlainDocument = Record<string, unknown>

/** Documents, each with its place in the list as its number, and the settings they are searched with. */
export interface Collection {
  readonly documents: readonly PlainDocument[]
  readonly settings: Settings
}

/** One place of a word. Typos do not reach exact ones (spec 5 §2.6). */
export interface Occurrence {
  readonly field: string
  readonly position: number
  readonly isExact: boolean
}

const VALUE_GAP = 8
const NOT_SEARCHED = ['_vectors', '_geo', '_geojson']

/** All words of all documents in plain maps, read anew each time (spec 5 §2). */
export class TwinIndex {
  readonly settings: Settings
  readonly analyzer: Analyzer
  readonly docIds: ReadonlySet<number>
  readonly facets: FacetTwin
  /** Searchable ones, by first appearance. */
  readonly fields = new Set<string>()
  private readonly positions = new Map<string, Map<number, Occurrence[]>>()
  private readonly counts = new Map<string, number>()
  private vocabulary: readonly string[] | undefined

  constructor({ documents, settings }: Collection) {
    this.settings = settings
    const { stopWords, separatorTokens, nonSeparatorTokens, dictionary } = settings
    this.analyzer = createAnalyzer({ stopWords, separatorTokens, nonSeparatorTokens, dictionary })
    this.docIds = new Set(documents.keys())
    this.facets = new FacetTwin(documents)
    for (const [docId, document] of documents.entries()) this.read(docId, document)
  }

  /** In byte order. */
  get words(): readonly string[] {
    this.vocabulary ??= sortedUnique(this.positions.keys())
    return this.vocabulary
  }

  has(word: string): boolean {
    return this.positions.has(word)
  }

  /** Typos lead only to words with a tolerant occurrence. */
  isTolerant(word: string): boolean {
    return [...this.documentsOf(word).values()].some((positions) => positions.some(({ isExact }) => !isExact))
  }

  documentsOf(word: string): ReadonlyMap<number, readonly Occurrence[]> {
    return this.positions.get(word) ?? new Map()
  }

  occurrences(word: string, docId: number): readonly Occurrence[] {
    return this.documentsOf(word).get(docId) ?? []
  }

  /** Indexed words of a field of a document. */
  wordCount(docId: number, field: string): number {
    return this.counts.get(`${docId} ${field}`) ?? 0
  }

  /** The place in the order of attributes: of the first entry that covers the field (spec 6 §4.7). */
  weightOf(field: string): number {
    const { searchableAttributes } = this.settings
    return searchableAttributes === '*' ? 0 : searchableAttributes.findIndex((name) => matchesName(name, field))
  }

  get maxWeight(): number {
    const { searchableAttributes } = this.settings
    return searchableAttributes === '*' ? 0 : Math.max(0, searchableAttributes.length - 1)
  }

  private read(docId: number, document: PlainDocument): void {
    const reader = new DocumentReader(this, docId)
    for (const [name, value] of Object.entries(document)) {
      if (!NOT_SEARCHED.includes(name)) reader.walk(name, value, false)
    }
  }

  isSearchable(field: string): boolean {
    return this.weightOf(field) !== -1
  }

  add(word: string, docId: number, place: Omit<Occurrence, 'isExact'>): void {
    const documents = this.positions.get(word) ?? new Map<number, Occurrence[]>()
    this.positions.set(word, documents)
    const occurrence = { ...place, isExact: this.isExactPosition(word, place.field) }
    documents.set(docId, [...(documents.get(docId) ?? []), occurrence])
    const key = `${docId} ${place.field}`
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  private isExactPosition(word: string, field: string): boolean {
    const { disableOnAttributes, disableOnNumbers } = this.settings.typoTolerance
    return disableOnAttributes.some((name) => matchesName(name, field)) || (disableOnNumbers && isNumeric(word))
  }
}

/** Walks one document and counts positions field by field (spec 5 §2.3). */
class DocumentReader {
  private readonly counters = new Map<string, number>()

  constructor(
    private readonly index: TwinIndex,
    private readonly docId: number,
  ) {}

  walk(field: string, value: unknown, isInObject: boolean): void {
    if (this.index.isSearchable(field)) this.index.fields.add(field)
    const isLeaf = typeof value !== 'object' || value === null
    if (isLeaf || isInObject) this.readValue(field, isLeaf ? value : null)
    if (isLeaf) return
    if (Array.isArray(value)) for (const element of value) this.walk(field, element, false)
    else for (const [key, member] of Object.entries(value)) this.walk(`${field}.${key}`, member, true)
  }

  private readValue(field: string, value: unknown): void {
    if (!this.index.isSearchable(field)) return
    const counter = this.counters.get(field)
    const startPosition = counter === undefined ? 0 : counter + VALUE_GAP
    const text = value === null ? '' : String(value)
    const last = this.index.analyzer.positionWords({ text, locales: undefined, startPosition }, (word, position) =>
      this.index.add(word, this.docId, { field, position }),
    )
    this.counters.set(field, last)
  }
}
