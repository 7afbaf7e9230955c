import { Bitmap } from '../../bitmap/index.js'
import type { EmbedderRequests } from '../../embed/index.js'
import { parseTimestamp } from '../../time/index.js'
import type { ProgressStep } from '../model/batch.js'
import type { Task } from '../model/task.js'
import type { BatchRun } from '../run/batch-run.js'
import type { RunningTasks } from '../store/task-filter.js'
import type { RunningBatch } from '../view/batch-view.js'

/** The batch that is being processed: an overlay over what is stored, gone with the process. */
export class RunningState implements RunningBatch {
  readonly filterView: RunningTasks
  private readonly byUid: ReadonlyMap<number, Task>
  /** To embedders; undefined while there were none. */
  requests: EmbedderRequests | undefined
  private inner: ProgressStep | undefined
  private isWriting = false

  constructor(
    readonly uid: number,
    readonly tasks: readonly Task[],
    readonly startedAt: string,
    readonly strategy: string,
  ) {
    this.byUid = new Map(tasks.map((task) => [task.uid, task]))
    this.filterView = {
      batchUid: uid,
      uids: Bitmap.fromUnsorted(tasks.map((task) => task.uid)),
      startedAt: parseTimestamp(startedAt)!,
    }
  }

  /** A task of this batch as it was enqueued; until the end is on disk, that is what counts. */
  taskBefore(uid: number): Task | undefined {
    return this.byUid.get(uid)
  }

  /** Set as soon as the batch runs. */
  run: BatchRun | undefined

  get steps(): readonly ProgressStep[] {
    const outer: ProgressStep = this.isWriting
      ? { currentStep: 'writing tasks to disk', finished: 1, total: 2 }
      : { currentStep: 'processing tasks', finished: 0, total: 2 }
    return this.inner === undefined || this.isWriting ? [outer] : [outer, this.inner]
  }

  readonly onProgress = (currentStep: string, finished: number, total: number): void => {
    this.inner = { currentStep, finished, total }
  }

  readonly onRequests = (requests: EmbedderRequests): void => {
    this.requests = requests
  }

  beginWriting(): void {
    this.isWriting = true
  }
}
