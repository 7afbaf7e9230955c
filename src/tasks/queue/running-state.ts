import { Bitmap } from '../../bitmap/index.js'
import type { EmbedderRequests } from '../../embed/index.js'
import type { HandedCounts } from '../../index/index.js'
import { parseTimestamp } from '../../time/index.js'
import type { ProgressStep } from '../model/batch.js'
import { type Task, tiedIndexes } from '../model/task.js'
import type { BatchRun } from '../run/batch-run.js'
import type { RunningTasks } from '../store/task-filter.js'
import type { RunningBatch } from '../view/batch-view.js'
import { PROCESSING, StepTimes, WRITING } from './step-times.js'

/** The batch that is being processed: an overlay over what is stored, gone with the process. */
export class RunningState implements RunningBatch {
  readonly filterView: RunningTasks
  /** Indexes that its tasks are tied to. */
  readonly indexUids: ReadonlySet<string>
  private readonly byUid: ReadonlyMap<number, Task>
  /** To embedders; undefined while there were none. */
  requests: EmbedderRequests | undefined
  handed: HandedCounts | undefined
  private readonly times = new StepTimes()
  private inner: ProgressStep | undefined
  private isWriting = false

  constructor(
    readonly uid: number,
    readonly tasks: readonly Task[],
    readonly startedAt: string,
    readonly strategy: string,
  ) {
    this.byUid = new Map(tasks.map((task) => [task.uid, task]))
    this.indexUids = new Set(tasks.flatMap(({ content }) => tiedIndexes(content)))
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
      ? { currentStep: WRITING, finished: 1, total: 2 }
      : { currentStep: PROCESSING, finished: 0, total: 2 }
    return this.inner === undefined || this.isWriting ? [outer] : [outer, this.inner]
  }

  readonly onProgress = (currentStep: string, finished: number, total: number): void => {
    this.inner = { currentStep, finished, total }
    this.times.enter(currentStep)
  }

  readonly onRequests = (requests: EmbedderRequests): void => {
    this.requests = requests
  }

  /** Jobs of one batch follow each other. */
  readonly onHanded = ({ attempts, waits }: HandedCounts): void => {
    const before = this.handed ?? { attempts: 0, waits: 0 }
    this.handed = { attempts: before.attempts + attempts, waits: before.waits + waits }
  }

  get trace(): Readonly<Record<string, string>> {
    return this.times.trace
  }

  beginWriting(): void {
    this.times.beginWriting()
    this.isWriting = true
  }
}
