import type { Federation, SearchContext } from '../answer/index.js'
import { personalizePage } from '../answer/index.js'
import type { Personalization, Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import type { Federated, FederatedRequest } from './federated.js'
import { measureHits } from './measure-hits.js'
import { type FederatedHit, isSemantic } from './model.js'

/** Another server that asks orders the hits of all servers itself (spec 8 §1.11). */
export function personalizationOf({ personalize }: Federation, { isProxied }: SearchContext): Personalization | null {
  return isProxied ? null : personalize
}

/** The page in the order for a person, where that is asked for. All hits are read before the service is asked. */
export function personalized(
  found: Federated,
  { queries, federation, stages }: FederatedRequest,
  context: SearchContext,
): Waitable<Result<Federated>> {
  const personalize = personalizationOf(federation, context)
  if (personalize === null) return ok(found)
  const hits = measureHits(stages, () => found.hits.map(readHit))
  const q = queries.flatMap(({ search }) => search.q ?? []).join(', ')
  const page = { hits, personalize, q, deadline: found.deadline, context, stages }
  return personalizePage(page).then((ordered) => {
    if (!ordered.ok) return ordered
    const left = ordered.value.map(({ hit }) => hit)
    return ok({ ...found, hits: left, semanticHitCount: semanticHitCount(found, left) })
  })
}

function readHit(hit: FederatedHit) {
  hit.print()
  return { hit, isPinned: hit.pinnedPosition !== undefined, document: hit.document() }
}

/** Hits that are no longer there do not count. */
function semanticHitCount({ hits, semanticHitCount: before }: Federated, left: readonly FederatedHit[]): number | null {
  if (before === null || left.length === hits.length) return before
  const shown = new Set(left)
  return before - hits.filter((hit) => !shown.has(hit) && isSemantic(hit)).length
}
