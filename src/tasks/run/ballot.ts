import type { Failure } from '../../errors/index.js'
import type { Plan } from '../schedule/plan.js'
import type { Ending } from './batch-outcome.js'

/**
 * A batch that other servers are asked to prepare before it is decided on. Where each of them has other documents, only all
 * of them together know whether it can be carried out, and what it comes to.
 */
export interface Ballot {
  readonly id: string
  readonly kind: Plan['kind']
  /** Uids, in the order of the plan. */
  readonly tasks: readonly number[]
  readonly batchUid: number
  /** RFC 3339. */
  readonly startedAt: string
  readonly strategy: string
  /** The place in the log of the batch before it. Whoever has not carried that out votes later, whoever is further not at all. */
  readonly after: number
  /** The place up to which its tasks are in the log. Whoever has not registered them votes later. */
  readonly registered: number
}

/** What came out where the batch was prepared. */
export interface Vote {
  /** In the order of the tasks. */
  readonly endings: readonly Ending[]
  readonly failed?: Failure
  /** The server lacks documents that it should have: what it counts is too little. */
  readonly isPartial?: true
}

/** Other servers are being asked. */
export interface Poll {
  /** Resolves when there are enough votes. */
  readonly votes: Promise<readonly Vote[]>
  /** Nobody need wait for what becomes of the batch. `votes` rejects with `JobCancelled` unless there were enough. */
  end(): void
}

/** The other servers. */
export interface Voters {
  /** Undefined where all servers have the same documents: what comes out on one comes out on all. */
  ask(ballot: Omit<Ballot, 'after' | 'registered'>): Poll | undefined
}

/** Why the batch cannot be carried out on all servers, if it cannot: then it is on none. */
export function objection(own: readonly Ending[], votes: readonly Vote[]): Failure | undefined {
  for (const { failed, endings } of votes) {
    if (failed !== undefined) return failed
    const place = own.findIndex(({ ok }, i) => ok !== endings[i]?.ok)
    const differing = place === -1 ? undefined : [own[place]!, endings[place]!].find(({ ok }) => !ok)
    if (differing !== undefined && !differing.ok) return differing.failure
  }
  return undefined
}

/** The endings of one server, with what all of them counted. */
export function mergeEndings(own: readonly Ending[], votes: readonly Vote[]): Ending[] {
  return own.map((ending, place) => mergeEnding([ending, ...votes.map(({ endings }) => endings[place]!)]))
}

function mergeEnding(endings: readonly Ending[]): Ending {
  const own = endings[0]!
  if (!own.ok || own.shares === undefined) return own
  // Servers that have a share in common count the same for it.
  const shares = new Map(endings.flatMap((ending) => (ending.ok ? Object.entries(ending.shares ?? {}) : [])))
  const total = [...shares.values()].reduce((sum, count) => sum + count, 0)
  const results = Object.entries(own.results).map(([name, value]) => [name, typeof value === 'number' ? total : value])
  return { ok: true, results: Object.fromEntries(results) }
}
