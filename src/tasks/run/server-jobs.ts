import type { Task, TaskContent, TaskResults } from '../model/task.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import type { ProgressListener } from './indexing.js'

/** Work that concerns the whole server rather than one index, and what there is when it begins. */
export type ServerJob = Surroundings &
  (
    | { readonly kind: 'dump'; readonly task: Task }
    /** One file serves all tasks that wait for one; none of them may be in it. */
    | { readonly kind: 'snapshot'; readonly tasks: readonly Task[] }
    | { readonly kind: 'export'; readonly task: Task }
  )

export interface Surroundings {
  /** RFC 3339: when the batch began. */
  readonly now: string
  readonly indexes: readonly CatalogueEntry[]
  /** Tasks from this uid on came later. Those before it do not change while the job runs. */
  readonly nextTaskUid: number
}

export interface RunningServerJob {
  /** What came out, for each task of the batch. */
  readonly done: Promise<TaskResults>
  /** Asks it to stop; `done` then rejects with `JobCancelled` unless it was finished already. */
  cancel(): void
}

/** Who does that work: a room above this one, handed in. No index changes meanwhile, since batches wait. */
export interface ServerJobs {
  run(job: ServerJob, onProgress: ProgressListener): RunningServerJob
  /** Makes the data folder again what it was before an upgrade that was not finished. */
  undoUpgrade(upgrade: Extract<TaskContent, { type: 'upgradeDatabase' }>): Promise<void>
}
