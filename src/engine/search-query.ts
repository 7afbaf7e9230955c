import type { JsonValue } from '../json/index.js'
import type { MatchingStrategy } from '../settings/index.js'

export interface Hybrid {
  readonly embedder: string
  /** From 0 (words only) to 1 (meaning only). */
  readonly semanticRatio: number
}

export interface Personalization {
  readonly userContext: string
}

/** What decides which documents are found: shared by searches and facet searches. */
export interface Selection {
  /** Null when not given; blank text is kept as it came. */
  readonly q: string | null
  /** Not parsed yet; null for none. */
  readonly filter: JsonValue
  readonly matchingStrategy: MatchingStrategy
  readonly attributesToSearchOn: readonly string[] | null
  readonly rankingScoreThreshold: number | null
  /** Three-letter codes. */
  readonly locales: readonly string[] | null
  readonly hybrid: Hybrid | null
  readonly vector: readonly number[] | null
  readonly media: JsonValue
  readonly useNetwork: boolean | null
}

/** How many hits are wanted, and from where on. `page` or `hitsPerPage` make `offset` and `limit` count for nothing. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  readonly page: number | null
  readonly hitsPerPage: number | null
}

/** How the texts of hits are shown. */
export interface Formatting {
  readonly attributesToRetrieve: readonly string[] | null
  readonly attributesToCrop: readonly string[] | null
  readonly cropLength: number
  readonly cropMarker: string
  readonly attributesToHighlight: readonly string[] | null
  readonly highlightPreTag: string
  readonly highlightPostTag: string
  readonly showMatchesPosition: boolean
}

/** One search, every parameter checked as far as that is possible without its index (spec 6 §1.2). */
export interface SearchQuery extends Selection, Paging, Formatting {
  readonly sort: readonly string[] | null
  readonly distinct: string | null
  readonly facets: readonly string[] | null
  readonly retrieveVectors: boolean
  readonly personalize: Personalization | null
  readonly showRankingScore: boolean
  readonly showRankingScoreDetails: boolean
  readonly showPerformanceDetails: boolean
}

export const DEFAULT_LIMIT = 20
export const DEFAULT_CROP_LENGTH = 10
export const DEFAULT_CROP_MARKER = '…'
export const DEFAULT_PRE_TAG = '<em>'
export const DEFAULT_POST_TAG = '</em>'
export const DEFAULT_SEMANTIC_RATIO = 0.5
