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

/**
 * The plan with vectors in place of what a model would have to be asked for, where all servers would ask the same: then one
 * does it for all.
 */
export function embedSpread(
  { stages, blame }: Pick<FederatedRequest, 'stages' | 'blame'>,
  plan: Plan,
  context: SearchContext,
): Waitable<Result<Plan>> {
  const isToEmbed = ({ search }: LocalQuery) => search.hybrid !== null && search.vector === null
  if (plan.shards.length === 0 || !plan.spread.some(isToEmbed)) return ok(plan)
  const vectors = new Map<number, Float32Array>()
  const asked = plan.spread.filter(isToEmbed).map(async ({ indexUid, position, search }) => {
    const embedded = await embedQuery({
      uid: indexUid,
      query: search,
      context,
      stages,
      part: { knowledge: null, documents: () => null },
    })
    if (!embedded.ok) return blame(position, embedded.failure)
    if (embedded.value !== null) vectors.set(position, embedded.value)
    return ok(undefined)
  })
  return Promise.all(asked).then((outcomes) => outcomes.find(isFailed) ?? ok(withVectors(plan, vectors)))
}

function withVectors(plan: Plan, vectors: ReadonlyMap<number, Float32Array>): Plan {
  const withVector = <T extends LocalQuery>(query: T): T => {
    const vector = vectors.get(query.position)
    return vector === undefined ? query : { ...query, search: { ...query.search, vector: [...vector], media: null } }
  }
  const local = new Map(Array.from(plan.local, ([uid, queries]) => [uid, queries.map(withVector)]))
  return { ...plan, local, spread: plan.spread.map(withVector) }
}

const isFailed = (outcome: Result<undefined>): outcome is Extract<Result<undefined>, { ok: false }> => !outcome.ok
