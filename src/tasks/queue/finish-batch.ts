import { formatTimestamp, parseTimestamp } from '../../time/index.js'
import type { Batch } from '../model/batch.js'
import type { Task } from '../model/task.js'
import { type BatchOutcome, endedTask } from '../run/batch-outcome.js'
import type { TaskChange } from '../store/task-change.js'
import type { TaskStore } from '../store/task-store.js'
import { mergeDetails, storedDetails, withoutNulls } from '../view/batch-details.js'
import { batchStats, withMeasures, withSizes } from '../view/batch-stats.js'
import { detailsOf } from '../view/details.js'
import { type DatabaseBytes, sizeChanges } from '../view/size-changes.js'
import type { RunningState } from './running-state.js'

export interface FinishedBatch {
  /** All tasks of the batch, canceled ones included, in uid order. */
  readonly tasks: readonly Task[]
  readonly changes: readonly TaskChange[]
  readonly batch: Batch
}

/** The last state of every task of a batch, and its record. */
export function finishBatch(
  running: RunningState,
  outcome: BatchOutcome,
  context: { finishedAt: string; errorsUrl: string; bytesBefore: DatabaseBytes },
): FinishedBatch {
  const { finishedAt, errorsUrl, bytesBefore } = context
  const times = { batchUid: running.uid, startedAt: running.startedAt, finishedAt, errorsUrl }
  const ended = running.tasks.map((before, i) => ({ before, after: endedTask(before, outcome.endings[i]!, times) }))
  const canceler = running.tasks[0]!.uid
  const canceled = outcome.canceled.map((before) => ({ before, after: canceledTask(before, canceler, times) }))
  const tasks = [...ended, ...canceled].map(({ after }) => after).sort((a, b) => a.uid - b.uid)
  const deleted = outcome.deleted.map((before) => ({ before }))
  const sizes = sizeChanges(bytesBefore, outcome.bytesAfter ?? bytesBefore)
  const batch = withSizes(batchRecord(running, tasks, finishedAt), sizes)
  return { tasks, changes: [...ended, ...canceled, ...deleted], batch }
}

function canceledTask(
  task: Task,
  canceledBy: number,
  times: { batchUid: number; startedAt: string; finishedAt: string },
): Task {
  const { batchUid, startedAt, finishedAt } = times
  return { ...task, status: 'canceled', canceledBy, batchUid, startedAt, finishedAt, error: null }
}

function batchRecord(running: RunningState, tasks: readonly Task[], finishedAt: string): Batch {
  return {
    uid: running.uid,
    ...storedDetails(withoutNulls(mergeDetails(tasks.map((task) => detailsOf(task))))),
    stats: withMeasures(batchStats(tasks), running),
    startedAt: running.startedAt,
    finishedAt,
    enqueuedAt: enqueuedSpan(tasks),
    strategy: running.strategy,
  }
}

/** As instants: as text, `10:00:00.5Z` would come before `10:00:00Z`. */
function enqueuedSpan(tasks: readonly Task[]): Batch['enqueuedAt'] {
  const times = tasks.map(({ enqueuedAt }) => parseTimestamp(enqueuedAt)!).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return { earliest: formatTimestamp(times[0]!), latest: formatTimestamp(times[times.length - 1]!) }
}

/** Deletes the records of batches whose last task is gone. Inside the transaction, after the tasks changed. */
export function dropEmptyBatches(store: TaskStore, deleted: readonly Task[]): void {
  for (const uid of new Set(deleted.map((task) => task.batchUid))) {
    if (uid !== null && store.ofBatch(uid).isEmpty) store.deleteBatch(uid)
  }
}
