import type { BatchStats } from '../model/batch.js'
import { indexUidOf, type Task, type TaskStatus } from '../model/task.js'

/** Counts of a batch. `status` overrides what the tasks say, for a batch that is running. */
export function batchStats(tasks: readonly Task[], status?: TaskStatus): BatchStats {
  const statuses: Record<string, number> = {}
  const types: Record<string, number> = {}
  const indexUids: Record<string, number> = {}
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
