import type { Batch, ProgressStep } from '../model/batch.js'
import type { Task } from '../model/task.js'
import { mergeDetails, shownDetails } from './batch-details.js'
import { type BatchMeasures, batchStats, withMeasures } from './batch-stats.js'
import { detailsOf } from './details.js'
import { durationText } from './task-view.js'

/** The running batch. */
export interface RunningBatch extends BatchMeasures {
  readonly uid: number
  readonly tasks: readonly Task[]
  readonly startedAt: string
  readonly strategy: string
  readonly steps: readonly ProgressStep[]
}

/** Exactly the eight members of spec 2 §3.1. */
export function batchView(batch: Batch): Record<string, unknown> {
  return {
    uid: batch.uid,
    progress: null,
    details: shownDetails(batch),
    stats: batch.stats,
    duration: durationText(batch.startedAt, batch.finishedAt),
    startedAt: batch.startedAt,
    finishedAt: batch.finishedAt,
    batchStrategy: batch.strategy,
  }
}

export function runningBatchView(batch: RunningBatch): Record<string, unknown> {
  return {
    uid: batch.uid,
    progress: { steps: batch.steps, percentage: percentage(batch.steps) },
    details: mergeDetails(batch.tasks.map((task) => detailsOf(task, 'processing'))),
    stats: withMeasures(batchStats(batch.tasks, 'processing'), batch),
    duration: null,
    startedAt: batch.startedAt,
    finishedAt: null,
    batchStrategy: batch.strategy,
  }
}

/** Each step refines one unit of the step around it; steps of nothing are passed over (spec 2 §3.1). */
export function percentage(steps: readonly ProgressStep[]): number {
  let share = 100
  let done = 0
  for (const { finished, total } of steps) {
    if (total === 0) continue
    share /= total
    done += finished * share
  }
  return done
}
