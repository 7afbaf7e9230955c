import type { Federation } from '../answer/index.js'
import type { PageWindow, Stages } from '../engine/index.js'
import type { Failure } from '../errors/index.js'
import type { FacetTable, MergedFacets } from './facet-table.js'
import type { Blame, IndexResult } from './local-search.js'
import type { FederatedHit } from './model.js'
import type { Plan, PlannedQuery } from './plan.js'
import type { RemoteAnswer } from './remote/remote-answer.js'

/** Queries whose hits become one list. */
export interface FederatedRequest {
  readonly queries: readonly PlannedQuery[]
  readonly federation: Federation
  readonly stages: Stages
  readonly blame: Blame
}

/** What they found. Hits may have to be printed before the next pause. */
export interface Federated {
  readonly hits: readonly FederatedHit[]
  /** Those that were found, not put there by rules, from the first on up to the end of the page. */
  readonly organic: readonly FederatedHit[]
  /** Null where words alone were looked for. */
  readonly semanticHitCount: number | null
  readonly window: PageWindow
  readonly total: number
  /** Of the indexes whose facets were asked for and counted, in byte order of the uids. */
  readonly facets: ReadonlyMap<string, FacetTable>
  /** Null: facets are told by index. */
  readonly merged: MergedFacets | null
  readonly plan: Plan
  readonly local: readonly IndexResult[]
  readonly remotes: readonly RemoteAnswer[]
  /** Null where no other server could have been asked. */
  readonly remoteErrors: ReadonlyMap<string, Failure> | null
  /** Servers that may be better off without the next search. */
  readonly failedRemotes: readonly string[]
  /** How long others were waited for. */
  readonly waitedMs: number
  /** The last of the cutoffs of the indexes that were searched here, on the clock of `performance.now()`. */
  readonly deadline: number
}
