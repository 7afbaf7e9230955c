import { join } from 'node:path'
import { FailureError, failure } from '../../errors/index.js'
import type { HandedCounts, IndexJob, IndexWork, JobOutcome } from '../../index/index.js'
import type { PayloadFiles } from '../../payload/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type CatalogueEntry, type IndexCatalogue, newFolderName } from '../store/index-catalogue.js'
import type { TaskStore } from '../store/task-store.js'
import type { Indexing, ProgressListener, RequestListener, RunningJob } from './indexing.js'
import type { ServerJobs } from './server-jobs.js'

/** What running a batch needs. */
export interface RunServices {
  readonly store: TaskStore
  readonly catalogue: IndexCatalogue
  readonly payloads: PayloadFiles
  readonly indexing: Indexing
  readonly serverJobs: ServerJobs
  readonly indexesPath: string
  /** Of an index that nobody needs. */
  readonly deleteFolder: (folder: string) => Promise<void>
  readonly errorsUrl: string
  readonly log: RunLog
}

/** Where failures that nobody expected are described. */
export interface RunLog {
  error(facts: object, message: string): void
}

/** Which batch it is, and who hears of it. */
export interface BatchContext {
  readonly now: string
  readonly batchKey: string
  readonly onProgress: ProgressListener
  readonly onRequests?: RequestListener
  readonly onHanded?: (counts: HandedCounts) => void
}

const noop = (): void => {}

/** The jobs of one batch, of which the one under way can be canceled. */
export class BatchJobs {
  private running: Pick<RunningJob, 'cancel'> | undefined
  private isCancelled = false
  /** The folder of an index that this batch brings to life. */
  made: { readonly uid: string; readonly folder: string } | undefined

  constructor(
    readonly services: RunServices,
    readonly context: BatchContext,
  ) {}

  cancel(): void {
    this.isCancelled = true
    this.running?.cancel()
  }

  /** Starts a job that is canceled together with the batch. */
  begin<Job extends Pick<RunningJob, 'cancel'>>(start: () => Job): Job {
    this.throwIfCancelled()
    const job = start()
    this.running = job
    return job
  }

  /** Work on an index that is there, or is made for it. */
  async runOn(uid: string, work: IndexWork, canCreate: boolean): Promise<JobOutcome & { folder: string }> {
    this.throwIfCancelled()
    const folder = canCreate ? this.folderFor(uid) : this.entryOf(uid).folder
    const outcome = await this.begin(() => this.start(uid, folder, work)).done
    return { ...outcome, folder }
  }

  private folderFor(uid: string): string {
    const entry = this.services.catalogue.get(uid)
    if (entry !== undefined) return entry.folder
    this.made = { uid, folder: newFolderName() }
    return this.made.folder
  }

  /** Work that is too short to be canceled. */
  start(indexUid: string, folder: string, work: IndexWork, primaryKey: string | null = null): RunningJob {
    const { now, batchKey, onProgress, onRequests, onHanded } = this.context
    const job: IndexJob = {
      path: this.pathOf(folder),
      indexUid,
      now,
      batchKey: `${batchKey}/${work.kind}`,
      create: { primaryKey },
      work,
    }
    const running = this.services.indexing.run(job, onProgress, onRequests)
    // Whoever started it hears of a failure.
    running.done.then(({ handed }) => handed && onHanded?.(handed), noop)
    return running
  }

  /** The index that this batch brought to life, without what the batch did to it. */
  async madeIndex(): Promise<CatalogueEntry | undefined> {
    const { made } = this
    if (made === undefined) return undefined
    const { stats } = await this.start(made.uid, made.folder, { kind: 'create' }).done.catch(() => ({
      stats: undefined,
    }))
    return stats && { ...made, stats }
  }

  private throwIfCancelled(): void {
    if (this.isCancelled) throw new JobCancelled()
  }

  /** What the catalogue knows of an index that has to be there. */
  entryOf(uid: string): CatalogueEntry {
    const entry = this.services.catalogue.get(uid)
    if (entry === undefined) throw new FailureError(failure('index_not_found', uid))
    return entry
  }

  pathOf(folder: string): string {
    return join(this.services.indexesPath, folder)
  }
}
