import type { Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { Outbound } from '../../outbound/index.js'
import type { SearchNetwork } from '../federation/network.js'
import type { FilterGates } from '../filter/features.js'
import type { Personalizer } from '../personalize/personalizer.js'
import type { SearchRule } from '../pins/search-rule.js'
import type { SearchIndex } from '../search-index.js'
import type { QueryEmbedders } from '../vectors/query-embedders.js'
import type { AnswerOverflow } from './answer-writer.js'

/** The experimental features that searches depend on, and whether each is on. */
export interface SearchGates extends FilterGates {
  readonly legacySearch: boolean
}

/** What a search needs to know beyond its own parameters. */
export interface SearchContext {
  readonly gates: SearchGates
  /** The index at its last commit, or `index_not_found`. Valid until the search ends or waits. */
  open(uid: string): Result<SearchIndex>
  /**
   * Waits for something that must be known before indexes are read, such as the vector of a query. Whatever was opened
   * before is no longer valid afterwards: it must be opened again, and from there on all is read without a pause.
   */
  wait<T>(work: Promise<T>): Promise<T>
  /** What a tenant token adds to the filters of an index; null for nothing. */
  tenantFilter(uid: string): JsonValue
  /** In the order of their uids. */
  readonly rules: readonly SearchRule[]
  /** Results carry `metadata` (spec 8 §2). */
  readonly includesMetadata: boolean
  /** Absent where no service for `personalize` is configured. */
  readonly personalizer?: Personalizer
  /** The servers that may be asked; null while the feature is off. */
  readonly network: SearchNetwork | null
  /** Another server asks: it needs more than people do (spec 8 §3.7). */
  readonly isProxied: boolean
  readonly remotes: RemoteClient
  /** Where the links of errors lead. */
  readonly errorsUrl: string
  /** Absent where no model can be reached: then only queries that come with their vectors can be searched by meaning. */
  readonly embedders?: QueryEmbedders
  /** Where answers go that are too large to be held. Absent where all are. */
  readonly openOverflow?: () => AnswerOverflow
  /** How long the request waited for its turn. */
  readonly queuedMs: number
}

/** The way to other servers. */
export interface RemoteClient extends Pick<Outbound, 'request'> {
  /** For all that is asked of one server for one search. */
  readonly timeoutMs: number
}
