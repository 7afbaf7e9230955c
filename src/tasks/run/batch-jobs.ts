import { join } from 'node:path'
import { FailureError, failure } from '../../errors/index.js'
import type {
  HandedCounts,
  IndexJob,
  IndexStats,
  IndexWork,
  JobOutcome,
  PreparedJob,
  ShardCounts,
} from '../../index/index.js'
import type { PayloadFiles } from '../../payload/index.js'
import type { ShardMap } from '../../sharding/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type CatalogueEntry, type IndexCatalogue, newFolderName } from '../store/index-catalogue.js'
import type { TaskStore } from '../store/task-store.js'
import type { Voters } from './ballot.js'
import type { Indexing, ProgressListener, RequestListener, RunningJob } from './indexing.js'
import type { ServerJobs } from './server-jobs.js'
import type { ShardShares } from './shard-shares.js'
import type { Topology } from './topology.js'

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
  readonly topology: Topology
  /** Where servers share a log, and each of them may have other documents. */
  readonly shares?: ShardShares | undefined
  readonly voters?: Voters | undefined
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
  /**
   * Index work is done up to the commit, which waits for `complete`: whether it counts is decided in between. What models
   * answer is kept in a file, or taken from it.
   */
  readonly preparing?: { readonly vectors: { readonly mode: 'record' | 'replay'; readonly path: string } | undefined }
}

/** What came out of work on an index. */
export interface IndexResult extends JobOutcome {
  readonly folder: string
  /** Commits it, unless it was; answers what is known of the index then. */
  complete(): Promise<IndexStats>
}

/** Memory for words, the same on all servers that share a log, however much each of them has. */
const SHARED_WORD_BYTES = 64 << 20

/** The jobs of one batch, of which the one under way can be canceled. */
export class BatchJobs {
  private running: Pick<RunningJob, 'cancel'> | undefined
  private prepared: PreparedJob | undefined
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
  async runOn(uid: string, work: IndexWork, canCreate: boolean): Promise<IndexResult> {
    this.throwIfCancelled()
    const folder = canCreate ? this.folderFor(uid) : this.entryOf(uid).folder
    return this.begin(() => this.start(uid, folder, work)).done
  }

  private folderFor(uid: string): string {
    const entry = this.services.catalogue.get(uid)
    return entry === undefined ? this.make(uid) : entry.folder
  }

  /** A folder for an index that is not there yet. */
  make(uid: string): string {
    this.made = { uid, folder: newFolderName() }
    return this.made.folder
  }

  /** Work that is too short to be canceled. */
  start(indexUid: string, folder: string, work: IndexWork, primaryKey: string | null = null): RunningJob<IndexResult> {
    const { preparing } = this.context
    const job = this.jobOf(indexUid, folder, work, primaryKey)
    if (preparing === undefined) return this.startWhole(job, folder)
    const { onProgress, onRequests } = this.context
    const { vectors } = preparing
    const same = job.shards === undefined ? ({ digest: true } as const) : ({ countsShards: true } as const)
    const shared: IndexJob = { ...job, ...same, wordBytes: SHARED_WORD_BYTES, ...(vectors && { vectors }) }
    const running = this.services.indexing.prepare(shared, onProgress, onRequests)
    return { done: running.done.then((ready) => this.keep(ready, folder)), cancel: () => running.cancel() }
  }

  /** Work on an index by another map of shards than the one there was. */
  startWith(
    shards: ShardMap,
    { uid, folder }: Pick<CatalogueEntry, 'uid' | 'folder'>,
    work: IndexWork,
  ): RunningJob<IndexResult> {
    // The same is done by several maps of one batch.
    const batchKey = `${this.context.batchKey}/${work.kind}/${shards.version}`
    return this.startWhole({ ...this.jobOf(uid, folder, work, null), batchKey, shards }, folder)
  }

  /** The documents of an index by their shards; undefined where all servers have the same. */
  async documentsByShard({ uid, folder }: Pick<CatalogueEntry, 'uid' | 'folder'>): Promise<ShardCounts | undefined> {
    const job = this.jobOf(uid, folder, { kind: 'shards' }, null)
    if (job.shards === undefined || this.context.preparing === undefined) return undefined
    const { outcomes } = await this.begin(() => this.startWhole({ ...job, countsShards: true }, folder)).done
    const [outcome] = outcomes
    return outcome?.ok ? outcome.byShard : undefined
  }

  private startWhole(job: IndexJob, folder: string): RunningJob<IndexResult> {
    const { onProgress, onRequests } = this.context
    const running = this.services.indexing.run(job, onProgress, onRequests)
    const done = running.done.then((outcome) => {
      this.tellHanded(outcome)
      return { ...outcome, folder, complete: async () => outcome.stats }
    })
    return { done, cancel: () => running.cancel() }
  }

  private keep(prepared: PreparedJob, folder: string): IndexResult {
    this.prepared = prepared
    const { outcome } = prepared
    this.tellHanded(outcome)
    const complete = async (): Promise<IndexStats> => {
      this.prepared = undefined
      return (await prepared.commit()).stats
    }
    return { ...outcome, folder, complete }
  }

  /** Takes back what is not committed. */
  async abandon(): Promise<void> {
    const { prepared } = this
    this.prepared = undefined
    await prepared?.abort()
  }

  private tellHanded({ handed }: JobOutcome): void {
    if (handed !== undefined) this.context.onHanded?.(handed)
  }

  private jobOf(indexUid: string, folder: string, work: IndexWork, primaryKey: string | null): IndexJob {
    const { now, batchKey } = this.context
    const shards = this.services.topology.shards()
    return {
      path: this.pathOf(folder),
      indexUid,
      now,
      batchKey: `${batchKey}/${work.kind}`,
      create: { primaryKey },
      work,
      ...(shards && { shards }),
    }
  }

  /** The index that this batch brought to life, without what the batch did to it. */
  async madeIndex(): Promise<CatalogueEntry | undefined> {
    const { made } = this
    if (made === undefined) return undefined
    const job = this.jobOf(made.uid, made.folder, { kind: 'create' }, null)
    const { stats } = await this.startWhole(job, made.folder).done.catch(() => ({ stats: undefined }))
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
