import type { Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import type { FilterGates, SearchIndex } from '../match/index.js'
import type { QueryEmbedders, SearchRule } from '../rank/index.js'
import type { Clock } from '../time/index.js'

/** The experimental features that searches depend on, and whether each is on. */
export interface SearchGates extends FilterGates {
  readonly legacySearch: boolean
}

/** What a search needs to know beyond its own parameters. */
export interface EngineContext {
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
  /** Rules may hold for a time only. */
  readonly clock: Clock
  /** The version of the network whose shards filters mean. Absent: the one that writes go by. */
  readonly shardVersion?: string
  /** Absent where no model can be reached: then only queries that come with their vectors can be searched by meaning. */
  readonly embedders?: QueryEmbedders
}
