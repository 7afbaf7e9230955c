import type { SearchContext } from '../answer/index.js'
import { andThen, embedQuery, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import type { FederatedRequest } from './federated.js'
import type { LocalQuery, Plan } from './plan.js'

/** What models made of queries; null where no model was asked. */
export type EmbeddedQueries = ReadonlyMap<LocalQuery, Float32Array | null>

/** Asks the models of all queries at once, before any index is searched. */
export function embedQueries(
  { stages, blame }: Pick<FederatedRequest, 'stages' | 'blame'>,
  { local }: Plan,
  context: SearchContext,
): Waitable<Result<EmbeddedQueries>> {
  const embedded = new Map<LocalQuery, Float32Array | null>()
  const waiting: Promise<Result<undefined>>[] = []
  for (const [uid, queries] of local) {
    for (const query of queries) {
      const accept = (vector: Result<Float32Array | null>): Result<undefined> => {
        if (!vector.ok) return blame(query.position, vector.failure)
        embedded.set(query, vector.value)
        return ok(undefined)
      }
      const accepted = andThen(embedQuery({ uid, query: query.search, context, stages }), accept)
      if (accepted instanceof Promise) waiting.push(accepted)
      else if (!accepted.ok) return accepted
    }
  }
  if (waiting.length === 0) return ok(embedded)
  return Promise.all(waiting).then((outcomes) => outcomes.find(isFailed) ?? ok(embedded))
}

const isFailed = (outcome: Result<undefined>): outcome is Extract<Result<undefined>, { ok: false }> => !outcome.ok
