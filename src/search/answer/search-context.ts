import type { Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { FilterGates } from '../filter/features.js'
import type { SearchIndex } from '../search-index.js'

/** The experimental features that searches depend on, and whether each is on. */
export interface SearchGates extends FilterGates {
  readonly legacySearch: boolean
}

/** What a search needs to know beyond its own parameters. */
export interface SearchContext {
  readonly gates: SearchGates
  /** The index at its last commit, or `index_not_found`. Valid until the search ends. */
  open(uid: string): Result<SearchIndex>
  /** What a tenant token adds to the filters of an index; null for nothing. */
  tenantFilter(uid: string): JsonValue
  /** Results carry `metadata` (spec 8 §2). */
  readonly includesMetadata: boolean
  /** A service for `personalize` is configured. */
  readonly canPersonalize: boolean
  /** How long the request waited for its turn. */
  readonly queuedMs: number
}
