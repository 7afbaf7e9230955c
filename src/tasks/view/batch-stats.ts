import type { EmbedderRequests } from '../../embed/index.js'
import type { HandedCounts } from '../../index/index.js'
import type { Batch, BatchStats } from '../model/batch.js'
import { indexUidOf, type Task, type TaskStatus } from '../model/task.js'

/** Counts of a batch. `status` overrides what the tasks say, for a batch that is running. */
export function batchStats(tasks: readonly Task[], status?: TaskStatus): BatchStats {
  const statuses = noCounts()
  const types = noCounts()
  const indexUids = noCounts()
  const count = (counts: Record<string, number>, name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  for (const task of tasks) {
    count(statuses, status ?? task.status)
    count(types, task.content.type)
    const uid = indexUidOf(task.content)
    if (uid !== null) count(indexUids, uid)
  }
  return { totalNbTasks: tasks.length, status: statuses, types, indexUids }
}

/** What is known of a batch beside its tasks. */
export interface BatchMeasures {
  /** Time by step. */
  readonly trace?: Readonly<Record<string, string>>
  /** Undefined unless documents were worked on. */
  readonly handed?: HandedCounts | undefined
  /** To embedders; undefined while there were none. */
  readonly requests?: EmbedderRequests | undefined
}

/** With what was measured, as far as there is something (spec 2 §3.3). */
export function withMeasures(stats: BatchStats, { trace, handed, requests }: BatchMeasures): BatchStats {
  return {
    ...stats,
    ...(trace === undefined ? {} : { progressTrace: trace }),
    ...(handed === undefined ? {} : { writeChannelCongestion: congestion(handed) }),
    ...(requests === undefined ? {} : { embedderRequests: requests }),
  }
}

const congestion = ({ attempts, waits }: HandedCounts) => ({
  attempts,
  blocking_attempts: waits,
  blocking_ratio: attempts === 0 ? 0 : waits / attempts,
})

/** With the databases whose sizes have changed, if there are any. */
export function withSizes(batch: Batch, sizes: Readonly<Record<string, string>>): Batch {
  if (Object.keys(sizes).length === 0) return batch
  return { ...batch, stats: { ...batch.stats, internalDatabaseSizes: sizes } }
}

/** Without a prototype: an index may be called `toString`. */
const noCounts = (): Record<string, number> => Object.create(null)
