/** The parameters and answers of an index in this process: those of the HTTP interface, typed by the documents. */

/** Something like a JSON object. */
export type DocumentLike = object

/** An expression, or a list of expressions that must all hold; a list inside the list holds when one of its own does. */
export type Filter = string | readonly (string | readonly string[])[]

export type DocumentId = string | number

export type MatchingStrategy = 'last' | 'all' | 'frequency'

/** What a search by meaning asks for. */
export interface Hybrid {
  readonly embedder: string
  /** From 0 (words alone) to 1 (meaning alone). Default 0.5. */
  readonly semanticRatio?: number
}

/** The parameters of `POST /indexes/{uid}/search`. */
export interface SearchParameters {
  readonly q?: string | null
  readonly offset?: number
  readonly limit?: number
  readonly page?: number
  readonly hitsPerPage?: number
  readonly filter?: Filter | null
  readonly facets?: readonly string[] | null
  readonly sort?: readonly string[] | null
  readonly distinct?: string | null
  readonly attributesToRetrieve?: readonly string[] | null
  readonly attributesToSearchOn?: readonly string[] | null
  readonly attributesToHighlight?: readonly string[] | null
  readonly highlightPreTag?: string
  readonly highlightPostTag?: string
  readonly attributesToCrop?: readonly string[] | null
  readonly cropLength?: number
  readonly cropMarker?: string
  readonly matchingStrategy?: MatchingStrategy
  readonly rankingScoreThreshold?: number | null
  readonly showMatchesPosition?: boolean
  readonly showRankingScore?: boolean
  readonly showRankingScoreDetails?: boolean
  readonly showPerformanceDetails?: boolean
  readonly locales?: readonly string[] | null
  readonly vector?: readonly number[] | null
  readonly hybrid?: Hybrid | null
  readonly retrieveVectors?: boolean
}

export interface MatchPosition {
  readonly start: number
  readonly length: number
  readonly indices?: readonly number[]
}

/** A document that was found, with what the search adds to it. */
export type Hit<Document extends DocumentLike> = Document & {
  readonly _formatted?: Partial<Document>
  readonly _matchesPosition?: Readonly<Record<string, readonly MatchPosition[]>>
  readonly _rankingScore?: number
  readonly _rankingScoreDetails?: Readonly<Record<string, unknown>>
  readonly _geoDistance?: number
}

export type FacetDistribution = Readonly<Record<string, Readonly<Record<string, number>>>>
export type FacetStats = Readonly<Record<string, { readonly min: number; readonly max: number }>>

/** The answer of a search. Totals and pages are there as the parameters ask for them. */
export interface SearchAnswer<Document extends DocumentLike> {
  readonly hits: Hit<Document>[]
  readonly query: string
  readonly processingTimeMs: number
  /** With `offset` and `limit`. */
  readonly offset: number
  readonly limit: number
  readonly estimatedTotalHits: number
  /** With `page` or `hitsPerPage`. */
  readonly page?: number
  readonly hitsPerPage?: number
  readonly totalHits?: number
  readonly totalPages?: number
  readonly facetDistribution?: FacetDistribution
  readonly facetStats?: FacetStats
  readonly semanticHitCount?: number
}

/** The parameters of `POST /indexes/{uid}/facet-search`. */
export interface FacetSearchParameters {
  readonly facetName: string
  readonly facetQuery?: string | null
  readonly q?: string | null
  readonly filter?: Filter | null
  readonly matchingStrategy?: MatchingStrategy
  readonly attributesToSearchOn?: readonly string[] | null
  readonly exhaustiveFacetCount?: boolean
}

export interface FacetSearchAnswer {
  readonly facetHits: { readonly value: string; readonly count: number }[]
  readonly facetQuery: string | null
  readonly processingTimeMs: number
}

/** The parameters of `POST /indexes/{uid}/similar`. */
export interface SimilarParameters {
  readonly id: DocumentId
  readonly embedder: string
  readonly offset?: number
  readonly limit?: number
  readonly filter?: Filter | null
  readonly attributesToRetrieve?: readonly string[] | null
  readonly rankingScoreThreshold?: number | null
  readonly showRankingScore?: boolean
  readonly showRankingScoreDetails?: boolean
  readonly retrieveVectors?: boolean
}

export interface SimilarAnswer<Document extends DocumentLike> {
  readonly hits: Hit<Document>[]
  readonly id: string
  readonly processingTimeMs: number
  readonly offset: number
  readonly limit: number
  readonly estimatedTotalHits: number
}

/** What is shown of documents. */
export interface ShownFields {
  /** Default: all. */
  readonly fields?: readonly string[] | null
  readonly retrieveVectors?: boolean
}

/** The parameters of `POST /indexes/{uid}/documents/fetch`. */
export interface ListParameters extends ShownFields {
  readonly offset?: number
  readonly limit?: number
  readonly ids?: readonly DocumentId[] | null
  readonly filter?: Filter | null
  readonly sort?: readonly string[] | null
}

export interface ListAnswer<Document extends DocumentLike> {
  readonly results: Document[]
  readonly offset: number
  readonly limit: number
  readonly total: number
}

/** Which documents an iteration goes through, in the order in which they are stored. */
export interface IterationParameters extends ShownFields {
  readonly filter?: Filter | null
}

export interface TypoTolerance {
  readonly enabled?: boolean | null
  readonly minWordSizeForTypos?: { readonly oneTypo?: number | null; readonly twoTypos?: number | null } | null
  readonly disableOnWords?: readonly string[] | null
  readonly disableOnAttributes?: readonly string[] | null
  readonly disableOnNumbers?: boolean | null
}

export interface FilterableRule {
  readonly attributePatterns: readonly string[]
  readonly features?: {
    readonly facetSearch?: boolean
    readonly filter?: { readonly equality?: boolean; readonly comparison?: boolean }
  }
}

/** An embedder. In this process vectors come with the documents and queries: `source: 'userProvided'`. */
export interface EmbedderSettings {
  readonly source?: string
  readonly dimensions?: number
  readonly distribution?: { readonly mean: number; readonly sigma: number } | null
  readonly binaryQuantized?: boolean
  readonly [parameter: string]: unknown
}

/** The settings of an index; null resets one. */
export interface SettingsPatch {
  readonly displayedAttributes?: readonly string[] | null
  readonly searchableAttributes?: readonly string[] | null
  readonly filterableAttributes?: readonly (string | FilterableRule)[] | null
  readonly sortableAttributes?: readonly string[] | null
  readonly rankingRules?: readonly string[] | null
  readonly stopWords?: readonly string[] | null
  readonly nonSeparatorTokens?: readonly string[] | null
  readonly separatorTokens?: readonly string[] | null
  readonly dictionary?: readonly string[] | null
  readonly synonyms?: Readonly<Record<string, readonly string[]>> | null
  readonly distinctAttribute?: string | null
  readonly proximityPrecision?: 'byWord' | 'byAttribute' | null
  readonly typoTolerance?: TypoTolerance | null
  readonly faceting?: {
    readonly maxValuesPerFacet?: number | null
    readonly sortFacetValuesBy?: Readonly<Record<string, 'alpha' | 'count'>> | null
  } | null
  readonly pagination?: { readonly maxTotalHits?: number | null } | null
  readonly embedders?: Readonly<Record<string, EmbedderSettings | null>> | null
  readonly searchCutoffMs?: number | null
  readonly localizedAttributes?:
    | readonly { readonly attributePatterns: readonly string[]; readonly locales: readonly string[] }[]
    | null
  readonly facetSearch?: boolean | null
  readonly prefixSearch?: 'indexingTime' | 'disabled' | null
  readonly [setting: string]: unknown
}

/** The settings as they are. */
export type Settings = Readonly<Record<string, unknown>>

export interface Stats {
  readonly numberOfDocuments: number
  /** In how many documents each field is. */
  readonly fieldDistribution: Readonly<Record<string, number>>
  readonly numberOfEmbeddings: number
  readonly numberOfEmbeddedDocuments: number
  /** Null until the first document. */
  readonly primaryKey: string | null
  /** RFC 3339. */
  readonly createdAt: string
  readonly updatedAt: string
  /** Of the file on disk. */
  readonly fileBytes: number
}

/** Documents, all at once or one after the other. */
export type Documents<Document extends DocumentLike> = Iterable<Document> | AsyncIterable<Document>

/** What came of a change. */
export interface Change {
  /** Documents that were added or replaced. */
  readonly indexedDocuments?: number
  readonly deletedDocuments?: number
}

export interface AddOptions {
  /** The member that identifies documents, where the index does not know it yet. */
  readonly primaryKey?: string
}

/** Experimental features, by their names in the HTTP interface. All are off unless given. */
export interface Features {
  readonly containsFilter: boolean
  readonly foreignKeys: boolean
  readonly network: boolean
  readonly multimodal: boolean
  readonly legacySearch: boolean
  readonly compositeEmbedders: boolean
  readonly chatCompletions: boolean
}

export interface OpenOptions {
  /** The member that identifies documents. Default: found in the first ones. */
  readonly primaryKey?: string
  /** To search beside somebody who writes: another process, or a server. The folder must exist. */
  readonly readOnly?: boolean
  /** How messages name the index. Default: the name of the folder. */
  readonly uid?: string
  /** A second thread helps with large additions. Default: none. */
  readonly indexingThread?: boolean
  /** Experimental features to switch on. */
  readonly features?: Partial<Features>
}

/**
 * One index, used without a server: same parameters, same answers and same error codes as over HTTP (`EngineError`).
 * Changes resolve when they are on disk and found by searches; they are done one after the other.
 */
export interface Index<Document extends DocumentLike = Record<string, unknown>> extends AsyncDisposable {
  search(parameters?: SearchParameters): Promise<SearchAnswer<Document>>
  searchForFacetValues(parameters: FacetSearchParameters): Promise<FacetSearchAnswer>
  searchSimilarDocuments(parameters: SimilarParameters): Promise<SimilarAnswer<Document>>
  /** Throws `document_not_found` where there is none. */
  getDocument(id: DocumentId, shown?: ShownFields): Promise<Document>
  /** A page of documents. */
  getDocuments(parameters?: ListParameters): Promise<ListAnswer<Document>>
  /** All documents, or those that pass a filter, one after the other. What is changed meanwhile may or may not be seen. */
  documents(parameters?: IterationParameters): AsyncIterableIterator<Document>
  /** Adds documents; those with a known id take the place of the old ones. All of them, or none. */
  addDocuments(documents: Documents<Document>, options?: AddOptions): Promise<Change>
  /** Adds documents; those with a known id change the members that they have. */
  updateDocuments(documents: Documents<Partial<Document>>, options?: AddOptions): Promise<Change>
  /** Those with one of the ids, or those that pass a filter. */
  deleteDocuments(which: readonly DocumentId[] | { readonly filter: Filter }): Promise<Change>
  deleteAllDocuments(): Promise<Change>
  getSettings(): Promise<Settings>
  updateSettings(settings: SettingsPatch): Promise<void>
  getStats(): Promise<Stats>
  /** Waits for changes that are under way. The index cannot be used afterwards. */
  close(): Promise<void>
}
