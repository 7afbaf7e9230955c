import type { SearchContext } from '../answer/index.js'
import { andThen, pageWindow, type SearchQuery, searchKind, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { isGoodScore, weightsOf } from '../rank/index.js'
import type { Federated, FederatedRequest } from './federated.js'
import { runFederation } from './run.js'
import { divideShards } from './shards/shard-owners.js'

/**
 * Runs a request of one query. Where words and meaning decide together, words are looked for first: only all servers
 * together know whether these hits are good enough (spec 7 §3.1).
 */
export function runSingle(request: FederatedRequest, context: SearchContext): Waitable<Result<Federated>> {
  const depth = hybridDepth(request, context)
  if (depth === undefined) return runFederation(request, context)
  const words = runFederation(withQuery(request, { hybrid: null, vector: null, media: null }), context)
  return andThen(words instanceof Promise ? context.wait(words) : words, (found) => {
    if (!found.ok) return found
    const weights = weightsOf(request.queries[0]!.search.hybrid!.semanticRatio)
    const { organic } = found.value
    const isEnough = organic.length >= depth && organic.every(({ score }) => isGoodScore(score, weights))
    return isEnough ? ok({ ...found.value, semanticHitCount: 0 }) : runFederation(request, context)
  })
}

/** How many hits have to be good; undefined where it does not matter. */
function hybridDepth({ queries, federation }: FederatedRequest, context: SearchContext): number | undefined {
  const { indexUid, search } = queries[0]!
  const isInParts = context.network !== null && (divideShards(context.network)?.others.length ?? 0) > 0
  if (search.hybrid === null || !isInParts) return undefined
  const index = context.open(indexUid)
  if (!index.ok) return undefined
  const kind = searchKind(index.value, search)
  if (!kind.ok || kind.value !== 'hybrid') return undefined
  return pageWindow(federation, index.value.settings.pagination.maxTotalHits).depth
}

function withQuery(request: FederatedRequest, changes: Partial<SearchQuery>): FederatedRequest {
  const [query] = request.queries
  return { ...request, queries: [{ ...query!, search: { ...query!.search, ...changes } }] }
}
