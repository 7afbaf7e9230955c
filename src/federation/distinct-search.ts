import type { DistinctQuestion, SearchContext } from '../answer/index.js'
import { type Paging, pageWindow } from '../engine/index.js'
import type { FederatedRequest } from './federated.js'
import type { Plan } from './plan.js'
import type { DistinctSearch } from './shards/distinct-rounds.js'

/** Undefined for any other. Where there are several queries, or meaning has a say, lists are merged as they are. */
export function distinctSearch(
  { queries, federation }: Pick<FederatedRequest, 'queries' | 'federation'>,
  { spread, shards }: Plan,
  context: SearchContext,
): DistinctSearch | undefined {
  const [query] = spread
  if (query === undefined || queries.length > 1 || shards.length === 0 || query.search.hybrid !== null) return undefined
  const index = context.open(query.indexUid)
  if (!index.ok) return undefined
  const { distinctAttribute, pagination } = index.value.settings
  const attribute = query.search.distinct ?? distinctAttribute
  const { depth } = pageWindow(federation, pagination.maxTotalHits)
  return attribute === null || depth === 0 ? undefined : { attribute, depth }
}

/** As many documents of a server as are taken, where that is known. */
export function partPaging<T extends Paging>(paging: T, question: DistinctQuestion | undefined): T {
  const most = question?.most ?? null
  if (most === null) return paging
  const isPaged = paging.page !== null || paging.hitsPerPage !== null
  return isPaged ? { ...paging, page: 1, hitsPerPage: most } : { ...paging, offset: 0, limit: most }
}
