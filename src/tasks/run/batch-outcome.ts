import { errorBody, type Failure } from '../../errors/index.js'
import type { ShardCounts, TaskOutcome } from '../../index/index.js'
import type { Task, TaskResults } from '../model/task.js'
import type { DatabaseBytes } from '../view/size-changes.js'

/** How one task ends. */
export type Ending =
  | {
      readonly ok: true
      readonly results: TaskResults
      /** Where each server has other documents: what every counter comes to for each share of them that this one has. */
      readonly shares?: ShardCounts
    }
  | { readonly ok: false; readonly failure: Failure }

/** What may be processed after a batch, until the next start. */
export type Permits = 'everything' | 'cancelations' | 'nothing'

/** What a batch does beside ending its tasks. */
export interface Effects {
  /** Changes of the catalogue and of other tasks, made in the transaction that ends the batch. */
  readonly commit: () => void
  /** Folders that nobody needs once that transaction is on disk. */
  readonly obsoleteFolders: readonly string[]
  /** Called once that transaction is on disk. */
  readonly committed?: () => void
}

export interface BatchOutcome {
  /** In the order of the plan's tasks. */
  readonly endings: readonly Ending[]
  /** Tasks that this batch canceled, and tasks that it deleted. */
  readonly canceled: readonly Task[]
  readonly deleted: readonly Task[]
  readonly permits: Permits
  /** Everything failed for this reason. */
  readonly failed?: { readonly reason: Failure; readonly makesIndex: boolean }
  /** Of the databases of its index, all together afterwards; absent when they are as before. */
  readonly bytesAfter?: DatabaseBytes
  /** Of what was written to its index, where that was asked for. */
  readonly digest?: string | undefined
  /** Models were asked, and what they answered was kept. */
  readonly hasVectors?: boolean
  /** Commits what was prepared. Nothing of the batch is seen before. */
  readonly complete: () => Promise<Effects>
}

const NO_EFFECTS: Effects = { commit: () => {}, obsoleteFolders: [] }
const NOTHING = { canceled: [], deleted: [], permits: 'everything', complete: async () => NO_EFFECTS } as const

/** An outcome whose effects are known. */
export const effects = (some: Partial<Effects>) => ({ complete: async () => ({ ...NO_EFFECTS, ...some }) })

/** Tasks end, and nothing else happens but what is named. */
export const outcomeOf = (endings: readonly Ending[], rest: Partial<BatchOutcome> = {}): BatchOutcome => ({
  ...NOTHING,
  ...rest,
  endings,
})

/** The only task of a batch has succeeded. */
export const succeeded = (results: TaskResults, rest: Partial<BatchOutcome> = {}): BatchOutcome =>
  outcomeOf([{ ok: true, results }], rest)

/** Counters are there only when the operation has them. */
export function endingOf(outcome: TaskOutcome): Ending {
  if (!outcome.ok) return outcome
  const { indexed, deleted, edited, byShard } = outcome
  return {
    ok: true,
    ...(byShard && { shares: byShard }),
    results: {
      ...(indexed === undefined ? {} : { indexedDocuments: indexed }),
      ...(deleted === undefined ? {} : { deletedDocuments: deleted }),
      ...(edited === undefined ? {} : { editedDocuments: edited }),
    },
  }
}

/** The task as it stands after its batch. */
export function endedTask(
  task: Task,
  ending: Ending,
  times: { batchUid: number; startedAt: string; finishedAt: string; errorsUrl: string },
): Task {
  const { batchUid, startedAt, finishedAt, errorsUrl } = times
  const base = { ...task, batchUid, startedAt, finishedAt }
  if (ending.ok) return { ...base, status: 'succeeded', results: ending.results, error: null }
  return { ...base, status: 'failed', results: null, error: errorBody(ending.failure, errorsUrl) }
}
