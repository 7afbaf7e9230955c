import { join } from 'node:path'
import { Bitmap } from '../../bitmap/index.js'
import { errorBody, type Failure, FailureError, failure, failureFromSystemError } from '../../errors/index.js'
import {
  type DocumentOperation,
  type IndexJob,
  type IndexStats,
  type IndexWork,
  JobCancelled,
  type JobOutcome,
  type TaskOutcome,
} from '../../index/index.js'
import { indexUidOf, type Swap, type Task, type TaskContent, type TaskResults } from '../model/task.js'
import { mayCreate } from '../schedule/autobatch.js'
import type { Plan } from '../schedule/plan.js'
import { type CatalogueEntry, type IndexCatalogue, newFolderName } from '../store/index-catalogue.js'
import type { PayloadFiles } from '../store/payload-files.js'
import type { TaskStore } from '../store/task-store.js'
import { exchangeNames } from './exchange-names.js'
import type { Indexing, ProgressListener, RequestListener, RunningJob } from './indexing.js'
import type { ServerJob, ServerJobs, Surroundings } from './server-jobs.js'

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

/** How one task ends. */
export type Ending =
  | { readonly ok: true; readonly results: TaskResults }
  | { readonly ok: false; readonly failure: Failure }

export interface BatchOutcome {
  /** In the order of the plan's tasks. */
  readonly endings: readonly Ending[]
  /** Tasks that this batch canceled, and tasks that it deleted. */
  readonly canceled: readonly Task[]
  readonly deleted: readonly Task[]
  /** Changes of the catalogue and of other tasks, made in the transaction that ends the batch. */
  readonly commit: () => void
  /** Nothing may be processed after this batch until the next start. */
  readonly halts: boolean
  /** Folders that nobody needs once that transaction is on disk. */
  readonly obsoleteFolders: readonly string[]
}

/** Smaller holes are soon filled again. */
const MIN_FREE_BYTES = 4 << 20
const MIN_FREE_SHARE = 0.1

/** Copying a larger file would keep the tasks that follow waiting: whoever wants that asks for it. */
const MAX_TIDIED_BYTES = 256 << 20

/** What is copied stays in proportion to what was freed, so that tidying costs a share of the work that made it needed. */
function isWorthTidying({ sizeBytes, usedBytes }: IndexStats): boolean {
  const freeBytes = sizeBytes - usedBytes
  return freeBytes >= Math.max(MIN_FREE_BYTES, sizeBytes * MIN_FREE_SHARE) && sizeBytes <= MAX_TIDIED_BYTES
}

const nothing = { canceled: [], deleted: [], commit: () => {}, halts: false, obsoleteFolders: [] } as const

/**
 * Runs one planned batch. Whatever goes wrong ends in the tasks, except a cancelation, which rejects with
 * `JobCancelled` and leaves everything as it was.
 */
export class BatchRun {
  private job: Pick<RunningJob, 'cancel'> | undefined
  private isCancelled = false

  constructor(
    private readonly services: RunServices,
    private readonly plan: Plan,
    private readonly context: {
      readonly now: string
      readonly batchKey: string
      readonly onProgress: ProgressListener
      readonly onRequests?: RequestListener
    },
  ) {}

  cancel(): void {
    this.isCancelled = true
    this.job?.cancel()
  }

  async run(): Promise<BatchOutcome> {
    try {
      return await this.execute()
    } catch (error) {
      if (error instanceof JobCancelled) throw error
      if (error instanceof FailureError) return this.allFailed(error.failure)
      const { tasks } = this.plan
      this.services.log.error({ tasks: tasks.map(({ uid }) => uid), error }, 'a batch failed unexpectedly')
      return this.allFailed(failureFromSystemError(error))
    }
  }

  /** Everything fails for one reason. An index made for these tasks stays, empty. */
  private async allFailed(reason: Failure): Promise<BatchOutcome> {
    const endings = this.plan.tasks.map((): Ending => ({ ok: false, failure: reason }))
    const made = await this.madeIndex()
    if (made !== undefined) return { ...nothing, endings, commit: () => this.services.catalogue.put(made) }
    // What an upgrade left half done must not be worked on (spec 2 §8.2).
    const halts = this.plan.kind === 'upgrade'
    return { ...nothing, endings, halts, obsoleteFolders: this.made === undefined ? [] : [this.made.folder] }
  }

  /** The index that this batch brought to life, without what the batch did to it. */
  async madeIndex(): Promise<CatalogueEntry | undefined> {
    const { made } = this
    if (made === undefined) return undefined
    const { stats } = await this.startJob(made.uid, made.folder, { kind: 'create' }).done.catch(() => ({
      stats: undefined,
    }))
    return stats && { ...made, stats }
  }

  /** The folder of an index that this batch brings to life. */
  private made: { uid: string; folder: string } | undefined

  private execute(): Promise<BatchOutcome> | BatchOutcome {
    const { kind, tasks } = this.plan
    switch (kind) {
      case 'cancelation':
        return this.cancelTasks(tasks[0]!)
      case 'deletion':
        return this.deleteTasks(tasks)
      case 'compaction':
        return this.compact(tasks[0]!)
      case 'upgrade':
        return this.upgrade()
      case 'export':
        return this.serverJob({ kind, task: tasks[0]!, ...this.surroundings() })
      case 'snapshot':
        return this.serverJob({ kind, tasks, ...this.surroundings() })
      case 'dump':
        return this.serverJob({ kind, task: tasks[0]!, ...this.surroundings() })
      case 'deleteIndex':
        return this.deleteIndex()
      case 'alone':
        return this.alone(tasks[0]!)
      default:
        return this.indexWork()
    }
  }

  // ---- work on one index

  private async indexWork(): Promise<BatchOutcome> {
    const { tasks } = this.plan
    const uid = indexUidOf(tasks[0]!.content)!
    const { stats, outcomes, folder } = await this.runJob(uid, this.workOf(), mayCreate(tasks[0]!.content))
    const tidy = await this.tidied({ uid, folder, stats })
    return {
      ...nothing,
      endings: this.endingsOf(outcomes),
      commit: () => this.services.catalogue.put(tidy),
      obsoleteFolders: tidy.folder === folder ? [] : [folder],
    }
  }

  /** The same index in a file without holes, when they are large and nothing follows that would make new ones. */
  private async tidied(entry: CatalogueEntry): Promise<CatalogueEntry> {
    if (!isWorthTidying(entry.stats) || this.hasMoreFor(entry.uid)) return entry
    const folder = newFolderName()
    try {
      const { after } = await this.services.indexing.compact(this.pathOf(entry.folder), this.pathOf(folder))
      return { ...entry, folder, stats: { ...entry.stats, sizeBytes: after } }
    } catch (error) {
      this.services.log.error({ index: entry.uid, error }, 'the file of an index could not be made smaller')
      await this.services.deleteFolder(folder).catch(() => {})
      return entry
    }
  }

  private hasMoreFor(uid: string): boolean {
    const { store } = this.services
    const waiting = store.withStatus('enqueued').and(store.tiedTo(uid))
    return !waiting.andNot(Bitmap.fromUnsorted(this.plan.tasks.map((task) => task.uid))).isEmpty
  }

  private workOf(): IndexWork {
    const { kind, tasks } = this.plan
    const contents = tasks.map((task) => task.content)
    switch (kind) {
      case 'deletions':
      case 'filteredDeletions':
        return { kind: 'deletions', operations: this.operations() }
      case 'clear':
        return { kind: 'clear', patches: [] }
      case 'clearAndSettings':
        return { kind: 'clear', patches: settingsOf(contents) }
      case 'settings':
        return { kind: 'settings', patches: settingsOf(contents) }
      default:
        return { kind: 'documents', operations: this.operations() }
    }
  }

  private operations(): DocumentOperation[] {
    const { tasks } = this.plan
    const inline = tasks.filter(({ content }) => hasInlinePayload(content))
    const payloads = this.services.store.payloads(inline.map((task) => task.uid))
    return tasks.map((task) => this.operationOf(task, payloads))
  }

  private operationOf({ uid, content }: Task, inline: ReadonlyMap<number, Uint8Array>): DocumentOperation {
    if (content.type === 'documentAdditionOrUpdate') {
      const { method, primaryKey, skipCreation, payload } = content
      const source =
        payload.place === 'file' ? { path: this.services.payloads.pathOf(payload.name) } : { bytes: inline.get(uid)! }
      return { kind: 'import', method, primaryKey, skipCreation, payload: source }
    }
    if (content.type !== 'documentDeletion' || content.selection.by === 'all')
      throw new Error(`task ${uid} is no document operation`)
    const { selection } = content
    return selection.by === 'ids'
      ? { kind: 'deleteIds', ids: selection.ids }
      : { kind: 'deleteFilter', filter: selection.filter }
  }

  /** Clears and settings have one outcome for all; document operations one each. */
  private endingsOf(outcomes: readonly TaskOutcome[]): Ending[] {
    const { kind, tasks } = this.plan
    if (kind === 'clear' || kind === 'clearAndSettings') return this.clearEndings(outcomes[0]!)
    if (kind === 'settings') return tasks.map(() => ({ ok: true, results: {} }))
    return tasks.map((_, i) => endingOf(outcomes[i]!))
  }

  /** The first clear counts everything, later ones nothing; what a clear absorbs has no counter. */
  private clearEndings(outcome: TaskOutcome): Ending[] {
    let count = outcome.ok ? (outcome.deleted ?? 0) : 0
    return this.plan.tasks.map(({ content }): Ending => {
      const isClear = content.type === 'documentDeletion' && content.selection.by === 'all'
      if (!isClear) return { ok: true, results: {} }
      const results = { deletedDocuments: count }
      count = 0
      return { ok: true, results }
    })
  }

  private async runJob(uid: string, work: IndexWork, canCreate: boolean): Promise<JobOutcome & { folder: string }> {
    if (this.isCancelled) throw new JobCancelled()
    const entry = this.services.catalogue.get(uid)
    if (entry === undefined && !canCreate) throw new FailureError(failure('index_not_found', uid))
    const folder = entry?.folder ?? newFolderName()
    if (entry === undefined) this.made = { uid, folder }
    const job = this.startJob(uid, folder, work)
    this.job = job
    const outcome = await job.done
    return { ...outcome, folder }
  }

  private startJob(indexUid: string, folder: string, work: IndexWork, primaryKey: string | null = null): RunningJob {
    const { now, batchKey, onProgress, onRequests } = this.context
    const job: IndexJob = {
      path: this.pathOf(folder),
      indexUid,
      now,
      batchKey: `${batchKey}/${work.kind}`,
      create: { primaryKey },
      work,
    }
    return this.services.indexing.run(job, onProgress, onRequests)
  }

  private pathOf(folder: string): string {
    return join(this.services.indexesPath, folder)
  }

  // ---- tasks that are processed alone

  private alone(task: Task): Promise<BatchOutcome> | BatchOutcome {
    const { content } = task
    switch (content.type) {
      case 'indexCreation':
        return this.createIndex(content)
      case 'indexUpdate':
        return this.updateIndex(task, content)
      case 'indexSwap':
        return this.swap(task, content.swaps)
      case 'indexDeletion':
        return this.deleteIndex()
      case 'documentEdition':
        return this.edit(content)
      // Only a dump can hold one that waits: this server is no part of a cluster.
      case 'networkTopologyChange':
        throw new FailureError(failure('internal', 'this server does not move documents to other servers.'))
      default:
        return this.indexWork()
    }
  }

  private async createIndex({
    indexUid,
    primaryKey,
  }: Extract<TaskContent, { type: 'indexCreation' }>): Promise<BatchOutcome> {
    if (this.services.catalogue.get(indexUid) !== undefined)
      throw new FailureError(failure('index_already_exists', indexUid))
    const folder = newFolderName()
    const { stats } = await this.startJob(indexUid, folder, { kind: 'create' }, primaryKey).done
    return this.succeeded({}, () => this.services.catalogue.put({ uid: indexUid, folder, stats }))
  }

  private async edit(content: Extract<TaskContent, { type: 'documentEdition' }>): Promise<BatchOutcome> {
    const { indexUid, filter, context, function: source } = content
    const { stats, folder, outcomes } = await this.runJob(
      indexUid,
      { kind: 'edit', filter, context, function: source },
      false,
    )
    return {
      ...nothing,
      endings: [endingOf(outcomes[0]!)],
      commit: () => this.services.catalogue.put({ uid: indexUid, folder, stats }),
    }
  }

  /** The new name stays even when the primary key is then refused (spec 2 §10.2). */
  private async updateIndex(task: Task, content: Extract<TaskContent, { type: 'indexUpdate' }>): Promise<BatchOutcome> {
    const { indexUid, newIndexUid, primaryKey } = content
    const { catalogue } = this.services
    const entry = catalogue.get(indexUid)
    if (entry === undefined) throw new FailureError(failure('index_not_found', indexUid))
    const isRenamed = newIndexUid !== null && newIndexUid !== indexUid
    if (isRenamed && catalogue.get(newIndexUid) !== undefined)
      throw new FailureError(failure('index_already_exists', newIndexUid))
    const { stats, ending } = await this.setPrimaryKey(entry, primaryKey, isRenamed)
    const commit = (): void => {
      catalogue.put({ ...entry, stats })
      if (isRenamed) this.renameEverywhere(task, [{ indexes: [indexUid, newIndexUid], rename: true }])
    }
    return { ...nothing, endings: [ending], commit }
  }

  private async setPrimaryKey(
    entry: CatalogueEntry,
    primaryKey: string | null,
    touch: boolean,
  ): Promise<{ stats: IndexStats; ending: Ending }> {
    try {
      const { stats } = await this.startJob(entry.uid, entry.folder, { kind: 'primaryKey', primaryKey, touch }).done
      return { stats, ending: { ok: true, results: {} } }
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      const { stats } = await this.startJob(entry.uid, entry.folder, { kind: 'primaryKey', primaryKey: null, touch })
        .done
      return { stats, ending: { ok: false, failure: error.failure } }
    }
  }

  private swap(task: Task, swaps: readonly Swap[]): BatchOutcome {
    const { catalogue } = this.services
    const needed = swaps.flatMap(({ indexes, rename }) => (rename ? [indexes[0]] : indexes))
    const missing = needed.filter((uid) => catalogue.get(uid) === undefined).sort()
    if (missing.length > 0) throw new FailureError(failure('index_not_found', ...missing))
    const taken = swaps.find(({ indexes, rename }) => rename && catalogue.get(indexes[1]) !== undefined)
    if (taken !== undefined) throw new FailureError(failure('index_already_exists', taken.indexes[1]))
    return this.succeeded({}, () => this.renameEverywhere(task, swaps))
  }

  /** Exchanges names in the catalogue and in the history of older tasks. */
  private renameEverywhere(task: Task, swaps: readonly Swap[]): void {
    const { catalogue, store } = this.services
    for (const { indexes } of swaps) {
      const [a, b] = indexes
      catalogue.exchange(a, b)
      const older = store.tiedTo(a).or(store.tiedTo(b)).and(Bitmap.range(0, task.uid))
      const changes = [...older.toArray()].map((uid) => {
        const before = store.get(uid)!
        return { before, after: { ...before, content: exchangeNames(before.content, a, b) } }
      })
      store.change(changes)
    }
  }

  /** Everything before the deletion succeeds without being done (spec 2 §1.6). */
  private deleteIndex(): BatchOutcome {
    const { tasks } = this.plan
    const uid = indexUidOf(tasks[0]!.content)!
    const entry = this.services.catalogue.get(uid)
    if (entry === undefined && !mayCreate(tasks[0]!.content)) throw new FailureError(failure('index_not_found', uid))
    const endings = tasks.map(
      ({ content }): Ending => ({
        ok: true,
        results: absorbedByDeletion(content, entry?.stats.numberOfDocuments ?? 0),
      }),
    )
    return {
      ...nothing,
      endings,
      commit: () => this.services.catalogue.delete(uid),
      obsoleteFolders: entry === undefined ? [] : [entry.folder],
    }
  }

  private async compact(task: Task): Promise<BatchOutcome> {
    const uid = indexUidOf(task.content)!
    const entry = this.services.catalogue.get(uid)
    if (entry === undefined) throw new FailureError(failure('index_not_found', uid))
    const folder = newFolderName()
    const { before, after } = await this.services.indexing.compact(this.pathOf(entry.folder), this.pathOf(folder))
    const stats = { ...entry.stats, sizeBytes: after }
    const outcome = this.succeeded({ preCompactionBytes: before, postCompactionBytes: after }, () =>
      this.services.catalogue.put({ uid, folder, stats }),
    )
    return { ...outcome, obsoleteFolders: [entry.folder] }
  }

  /** The catalogue moves to the copies of all indexes at once: until then nothing has changed. */
  private async upgrade(): Promise<BatchOutcome> {
    const made: string[] = []
    try {
      const copies = await this.upgradedCopies(made)
      const { catalogue } = this.services
      return {
        ...nothing,
        endings: this.plan.tasks.map((): Ending => ({ ok: true, results: {} })),
        obsoleteFolders: copies.map(({ uid }) => catalogue.get(uid)!.folder),
        commit: () => copies.forEach((copy) => void catalogue.put(copy)),
      }
    } catch (error) {
      // What cannot be deleted now goes at the next start.
      for (const folder of made) await this.services.deleteFolder(folder).catch(() => {})
      throw error
    }
  }

  /** Tells which folders it made, also when it fails. */
  private async upgradedCopies(made: string[]): Promise<CatalogueEntry[]> {
    const copies: CatalogueEntry[] = []
    const entries = this.services.catalogue.list()
    for (const [i, entry] of entries.entries()) {
      if (this.isCancelled) throw new JobCancelled()
      this.context.onProgress(`upgrading the index ${entry.uid}`, i, entries.length)
      const folder = newFolderName()
      made.push(folder)
      const job = this.services.indexing.upgrade(this.pathOf(entry.folder), this.pathOf(folder))
      this.job = job
      const stats = await job.done
      if (stats !== undefined) copies.push({ ...entry, folder, stats })
    }
    return copies
  }

  private surroundings(): Surroundings {
    const { catalogue, store } = this.services
    return { now: this.context.now, indexes: catalogue.list(), nextTaskUid: store.nextTaskUid() }
  }

  private async serverJob(work: ServerJob): Promise<BatchOutcome> {
    if (this.isCancelled) throw new JobCancelled()
    const job = this.services.serverJobs.run(work, this.context.onProgress)
    this.job = job
    const results = await job.done
    return { ...nothing, endings: this.plan.tasks.map((): Ending => ({ ok: true, results })) }
  }

  // ---- tasks about tasks

  private async cancelTasks(task: Task): Promise<BatchOutcome> {
    const { store } = this.services
    const chosen = frozenTasks(task)
    const upgrades = this.unfinishedUpgrades(chosen)
    const newest = upgrades.isEmpty ? undefined : store.get(upgrades.max)!.content
    if (newest?.type === 'upgradeDatabase') await this.services.serverJobs.undoUpgrade(newest)
    const uids = chosen.and(store.withStatus('enqueued')).or(upgrades)
    const canceled = [...uids.toArray()].map((uid) => store.get(uid)!)
    return { ...this.succeeded({ canceledTasks: canceled.length }), canceled, halts: newest !== undefined }
  }

  /** Whoever cancels one cancels all, failed ones too (spec 2 §8.3). */
  private unfinishedUpgrades(chosen: Bitmap): Bitmap {
    const { store } = this.services
    const upgrades = store.withType('upgradeDatabase')
    const unfinished = upgrades.and(store.withStatus('enqueued').or(store.withStatus('failed')))
    return chosen.intersects(unfinished) ? unfinished : Bitmap.empty()
  }

  private deleteTasks(tasks: readonly Task[]): BatchOutcome {
    const { store } = this.services
    const finished = Bitmap.orMany([
      store.withStatus('succeeded'),
      store.withStatus('failed'),
      store.withStatus('canceled'),
    ])
    const gone = Bitmap.empty()
    const endings = tasks.map((task): Ending => {
      const mine = frozenTasks(task).and(finished).andNot(gone)
      gone.orWith(mine)
      return { ok: true, results: { deletedTasks: mine.size } }
    })
    return { ...nothing, endings, deleted: [...gone.toArray()].map((uid) => store.get(uid)!) }
  }

  private succeeded(results: TaskResults, commit: () => void = () => {}): BatchOutcome {
    return { ...nothing, endings: [{ ok: true, results }], commit }
  }
}

/** The uids that a cancelation or deletion chose when it was registered. */
function frozenTasks({ content }: Task): Bitmap {
  if (content.type !== 'taskCancelation' && content.type !== 'taskDeletion') return Bitmap.empty()
  return Bitmap.deserialize(Buffer.from(content.tasks, 'base64'))
}

function hasInlinePayload(content: TaskContent): boolean {
  return content.type === 'documentAdditionOrUpdate' && content.payload.place === 'inline'
}

function settingsOf(contents: readonly TaskContent[]): string[] {
  return contents.flatMap((content) => (content.type === 'settingsUpdate' ? [content.settings] : []))
}

function endingOf(outcome: TaskOutcome): Ending {
  if (!outcome.ok) return outcome
  const { indexed, deleted, edited } = outcome
  return {
    ok: true,
    results: {
      ...(indexed === undefined ? {} : { indexedDocuments: indexed }),
      ...(deleted === undefined ? {} : { deletedDocuments: deleted }),
      ...(edited === undefined ? {} : { editedDocuments: edited }),
    },
  }
}

function absorbedByDeletion(content: TaskContent, documentCount: number): TaskResults {
  if (content.type === 'indexDeletion') return { deletedDocuments: documentCount }
  if (content.type === 'documentAdditionOrUpdate') return { indexedDocuments: 0 }
  if (content.type === 'documentDeletion' && content.selection.by !== 'all') return { deletedDocuments: 0 }
  return {}
}

/** The task as it stands after its batch. */
export function endedTask(
  task: Task,
  ending: Ending,
  times: { batchUid: number; startedAt: string; finishedAt: string; errorsUrl: string },
): Task {
  const { batchUid, startedAt, finishedAt, errorsUrl } = times
  const base = { ...task, batchUid, startedAt, finishedAt }
  if (ending.ok) return { ...base, status: 'succeeded', results: ending.results, error: null }
  return { ...base, status: 'failed', results: null, error: errorBody(ending.failure, errorsUrl) }
}
