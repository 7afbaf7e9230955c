import type { EngineContext, Personalization } from '../../engine/index.js'
import { MERGE_STAGE, type Stages } from '../../engine/index.js'
import { failureSaying, ok, type Result } from '../../errors/index.js'
import type { Personalizer } from './personalizer.js'

/** A hit that can be told to the service. All of it was read: the index may change while the service thinks. */
export interface PersonalHit {
  /** A rule put it where it is. */
  readonly isPinned: boolean
  /** JSON. */
  readonly document: string
}

/** What is used of the context of an answer. */
interface PersonalContext extends Pick<EngineContext, 'gates' | 'wait'> {
  readonly personalizer?: Personalizer
}

export interface PersonalPage<Hit extends PersonalHit> {
  readonly hits: readonly Hit[]
  readonly personalize: Personalization
  readonly q: string
  /** The cutoff of the search. */
  readonly deadline: number
  readonly context: PersonalContext
  readonly stages: Stages
}

/**
 * The hits of a page in the order for a person: pinned ones stay, unless a hit before them is left out. The previous
 * pipeline orders them with the others (spec 6 §2.6, §12.1).
 */
export async function personalizePage<Hit extends PersonalHit>(page: PersonalPage<Hit>): Promise<Result<Hit[]>> {
  const { hits, personalize, q, deadline, context, stages } = page
  if (context.personalizer === undefined) return { ok: false, failure: NOT_CONFIGURED }
  const start = performance.now()
  const isMovable = (hit: Hit) => context.gates.legacySearch || !hit.isPinned
  const movable = hits.filter(isMovable)
  const documents = movable.map(({ document }) => document)
  const order = await context.personalizer.order({ userContext: personalize.userContext, q, documents, deadline })
  const elapsedMs = performance.now() - start
  stages.add(`${MERGE_STAGE} > personalization`, elapsedMs)
  stages.add(MERGE_STAGE, elapsedMs)
  if (!order.ok) return order
  if (order.value === null) return ok([...hits])
  const moved = order.value.map((place) => movable[place]!).values()
  return ok(hits.flatMap((hit) => (isMovable(hit) ? (moved.next().value ?? []) : hit)))
}

const NOT_CONFIGURED = failureSaying(
  'feature_not_enabled',
  '`.personalize`: the server was started without --experimental-personalization-api-key.',
)
