import type { EmbedderRequests } from '../../embed/index.js'
import type { BatchStats } from '../model/batch.js'
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

/** With the requests to embedders, where there were some (spec 2 §3.3). */
export function withRequests(stats: BatchStats, requests: EmbedderRequests | undefined): BatchStats {
  return requests === undefined ? stats : { ...stats, embedderRequests: requests }
}

/** Without a prototype: an index may be called `toString`. */
const noCounts = (): Record<string, number> => Object.create(null)
