import { formatDuration, parseTimestamp } from '../../time/index.js'
import type { Task, TaskStatus } from '../model/task.js'
import { indexUidOf } from '../model/task.js'
import { type RemoteOutcome, shownNetwork } from '../model/task-network.js'
import { detailsOf } from './details.js'

/** The running batch, as far as the views of its tasks need it. */
export interface Running {
  readonly batchUid: number
  readonly startedAt: string
}

/** The full view of GET /tasks and of webhook lines, members in the order of spec 2 §1.3. `outcomes`: on other servers. */
export function taskView(
  task: Task,
  running?: Running,
  outcomes: Readonly<Record<string, RemoteOutcome>> = {},
): Record<string, unknown> {
  const status: TaskStatus = running === undefined ? task.status : 'processing'
  const details = detailsOf(task, status)
  return {
    uid: task.uid,
    batchUid: running?.batchUid ?? task.batchUid,
    indexUid: indexUidOf(task.content),
    status,
    type: task.content.type,
    canceledBy: task.canceledBy,
    ...(details === undefined ? {} : { details }),
    error: running === undefined ? task.error : null,
    duration: durationText(task.startedAt, task.finishedAt),
    enqueuedAt: task.enqueuedAt,
    startedAt: running?.startedAt ?? task.startedAt,
    finishedAt: task.finishedAt,
    ...(task.network === undefined ? {} : { network: shownNetwork(task.network, outcomes) }),
    ...(task.customMetadata === undefined ? {} : { customMetadata: task.customMetadata }),
  }
}

/** The answer of every route that enqueues. */
export function taskSummary(task: Task): Record<string, unknown> {
  return {
    taskUid: task.uid,
    indexUid: indexUidOf(task.content),
    status: 'enqueued',
    type: task.content.type,
    enqueuedAt: task.enqueuedAt,
    ...(task.customMetadata === undefined ? {} : { customMetadata: task.customMetadata }),
  }
}

export function durationText(startedAt: string | null, finishedAt: string | null): string | null {
  if (startedAt === null || finishedAt === null) return null
  return formatDuration(parseTimestamp(startedAt)!, parseTimestamp(finishedAt)!)
}
