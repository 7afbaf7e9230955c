import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Bitmap } from '../../bitmap/index.js'
import type { Result } from '../../errors/index.js'
import { fromPlain, print } from '../../json/index.js'
import type { PayloadReceiver } from '../../payload/index.js'
import { PayloadFiles } from '../../payload/index.js'
import type { Environment } from '../../store/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type Clock, formatTimestamp, parseTimestamp, type Timestamp } from '../../time/index.js'
import { payloadRefOf, type Task, tiedIndexes } from '../model/task.js'
import type { RunLog, RunServices } from '../run/batch-jobs.js'
import type { BatchOutcome, Permits } from '../run/batch-outcome.js'
import { BatchRun } from '../run/batch-run.js'
import type { Indexing } from '../run/indexing.js'
import type { ServerJobs } from '../run/server-jobs.js'
import { type Plan, type PlanLimits, planCancelation, planNext } from '../schedule/plan.js'
import { type CatalogueEntry, IndexCatalogue } from '../store/index-catalogue.js'
import {
  type IndexScope,
  matchingBatches,
  matchingTasks,
  type TaskFilter,
  visibleBatches,
  visibleTasks,
} from '../store/task-filter.js'
import { TaskStore } from '../store/task-store.js'
import { withSizes } from '../view/batch-stats.js'
import { batchView, runningBatchView } from '../view/batch-view.js'
import { addedUp, type DatabaseBytes, sizeChanges } from '../view/size-changes.js'
import { taskView } from '../view/task-view.js'
import { dropEmptyBatches, type FinishedBatch, finishBatch } from './finish-batch.js'
import { deleteLeftovers } from './leftovers.js'
import { type Page, type PageRequest, pageOf } from './page.js'
import { type EnqueueOptions, type NewTask, Registrar, receivedWith } from './registrar.js'
import { RunningState } from './running-state.js'
import { SetRefresh } from './set-refresh.js'

/** What the queue tells the log. */
export interface QueueLog extends RunLog {
  warn(facts: object, message: string): void
}

export interface TaskQueueOptions {
  /** The environment that holds tasks, batches and the catalogue of indexes. */
  readonly environment: Environment
  readonly indexesPath: string
  readonly updatesPath: string
  readonly indexing: Indexing
  readonly serverJobs: ServerJobs
  /** Whoever else reads from folders: told to close one before it is deleted. */
  readonly readers: { release(path: string): Promise<void> }
  readonly limits: PlanLimits
  readonly clock: Clock
  readonly log: QueueLog
  readonly errorsUrl: string
  /** Called once for each finished batch, with the full views of its tasks as JSON text, made as they are read. */
  readonly notify: (lines: Iterable<string>) => void
  /** Bytes of the task store above which nothing more is registered (spec 2 §4.6). */
  readonly maxStoreBytes?: number
  readonly cleanUp?: { readonly maxTasks: number; readonly deleteCount: number } | null
  /** Pause after a batch whose end could not be written. */
  readonly retryMs?: number
}

/** 40 % of the nominal 20 GiB, in whole percents: refused from 41 % on. */
const DEFAULT_MAX_STORE_BYTES = 0.41 * 20 * 1024 ** 3
const DEFAULT_RETRY_MS = 1000
const DEFAULT_CLEAN_UP = { maxTasks: 1_000_000, deleteCount: 100_000 }

/**
 * The single source of order. Everything that is written becomes a task here, is on disk before the request is
 * answered, and is processed one batch at a time.
 */
export class TaskQueue {
  readonly catalogue: IndexCatalogue
  readonly store: TaskStore
  private readonly payloads: PayloadFiles
  private readonly registrar: Registrar
  private readonly services: RunServices
  private readonly setRefresh: SetRefresh
  private running: RunningState | undefined
  private isStopping = false
  /** After an upgrade that failed or was undone tasks are taken, but not processed (spec 2 §8.2). */
  private permits: Permits = 'everything'
  private isAwake = false
  private isWanted = false
  private loop: Promise<void> = Promise.resolve()

  constructor(private readonly options: TaskQueueOptions) {
    this.store = new TaskStore(options.environment)
    this.catalogue = new IndexCatalogue(options.environment)
    this.payloads = new PayloadFiles(options.updatesPath)
    this.registrar = new Registrar({
      store: this.store,
      now: () => this.now(),
      maxStoreBytes: options.maxStoreBytes ?? DEFAULT_MAX_STORE_BYTES,
    })
    const { indexing, serverJobs, indexesPath, errorsUrl } = options
    this.services = {
      store: this.store,
      catalogue: this.catalogue,
      payloads: this.payloads,
      indexing,
      serverJobs,
      indexesPath,
      deleteFolder: (folder) => this.deleteFolder(folder),
      errorsUrl,
      log: options.log,
    }
    this.setRefresh = new SetRefresh({ store: this.store, catalogue: this.catalogue, indexing, indexesPath })
    deleteLeftovers({ store: this.store, catalogue: this.catalogue, payloads: this.payloads, indexesPath })
  }

  /** Begins to process what waits. */
  start(): void {
    this.wake()
  }

  /**
   * Lets the running batch end, then stops. Tasks that wait stay enqueued; so does one that takes long and changes
   * nothing until its end, such as an export to a server that does not answer: the next start does it again.
   */
  async stop(): Promise<void> {
    this.isStopping = true
    const type = this.running?.tasks[0]?.content.type
    if (this.isBackingUp || type === 'export' || type === 'upgradeDatabase') this.running?.run?.cancel()
    this.setRefresh.stop()
    await this.loop
  }

  // ---- enqueuing

  receivePayload(): PayloadReceiver {
    return this.payloads.receive()
  }

  /** Durable when it resolves. */
  async enqueue(content: NewTask, options: EnqueueOptions = {}): Promise<Result<Task>> {
    const task = await this.tryEnqueue(content, options)
    if (task.ok && !options.dryRun) this.wake()
    else await this.discardPayload(content)
    return task
  }

  private async tryEnqueue(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    return options.dryRun ? this.registrar.preview(content, options) : this.registrar.register(content, options)
  }

  private async discardPayload(content: NewTask): Promise<void> {
    const payload = receivedWith(content)
    if (payload?.place === 'file') await this.payloads.delete(payload.name)
  }

  /** Registers a cancelation or deletion of the tasks that match now, as far as the caller may see them. */
  async enqueueAboutTasks(
    type: 'taskCancelation' | 'taskDeletion',
    request: { filter: TaskFilter; scope: IndexScope; query: string },
    options: EnqueueOptions = {},
  ): Promise<Result<Task>> {
    const matching = matchingTasks(this.store, request.filter, this.running?.filterView)
    const visible = visibleTasks(this.store, matching, request.filter, request.scope)
    const content: NewTask = {
      type,
      query: request.query,
      matched: visible.size,
      tasks: Buffer.from(visible.serialize()).toString('base64'),
    }
    const enqueued = await this.enqueue(content, options)
    const isCancelation = enqueued.ok && !options.dryRun && type === 'taskCancelation'
    if (isCancelation && this.running?.filterView.uids.intersects(visible)) this.running.run?.cancel()
    return enqueued
  }

  // ---- reading

  /** Undefined when there is no such task, or the caller may not see it. */
  task(uid: number, scope: IndexScope): Record<string, unknown> | undefined {
    const visible = visibleTasks(this.store, Bitmap.of(uid), {}, scope)
    const task = visible.isEmpty ? undefined : this.store.get(uid)
    return task === undefined ? undefined : this.view(task)
  }

  tasks(filter: TaskFilter, page: PageRequest, scope: IndexScope): Page {
    const matching = matchingTasks(this.store, filter, this.running?.filterView)
    const visible = visibleTasks(this.store, matching, filter, scope)
    return pageOf(visible, matching.size, page, (uid) => this.view(this.store.get(uid)!))
  }

  batch(uid: number, scope: IndexScope): Record<string, unknown> | undefined {
    const found = Bitmap.of(uid)
    const visible = visibleBatches(this.store, found, {}, { scope, running: this.running?.filterView })
    return visible.isEmpty ? undefined : this.batchView(uid)
  }

  batches(filter: TaskFilter, page: PageRequest, scope: IndexScope): Page {
    const running = this.running?.filterView
    const matching = matchingBatches(this.store, filter, running)
    const visible = visibleBatches(this.store, matching, filter, { scope, running })
    return pageOf(visible, matching.size, page, (uid) => this.batchView(uid)!)
  }

  /** The payload of an addition that is not finished: a path or bytes. */
  payloadOf(task: Task): { path: string } | { bytes: Uint8Array } | undefined {
    if (task.content.type !== 'documentAdditionOrUpdate' || task.status !== 'enqueued') return undefined
    const { payload } = task.content
    if (payload.place === 'file') return { path: this.payloads.pathOf(payload.name) }
    const bytes = this.store.payload(task.uid)
    return bytes === undefined ? undefined : { bytes }
  }

  /** Whether a task of this index is being processed right now. */
  isIndexing(indexUid: string): boolean {
    return this.running?.tasks.some((task) => tiedIndexes(task.content).includes(indexUid)) ?? false
  }

  /** Whether a dump or a snapshot is being written right now. */
  get isBackingUp(): boolean {
    const type = this.running?.tasks[0]?.content.type
    return type === 'dumpCreation' || type === 'snapshotCreation'
  }

  get runningBatch(): RunningState | undefined {
    return this.running
  }

  private view(task: Task): Record<string, unknown> {
    const { running } = this
    const before = running?.taskBefore(task.uid)
    if (running === undefined || before === undefined) return taskView(task)
    return taskView(before, { batchUid: running.uid, startedAt: running.startedAt })
  }

  private batchView(uid: number): Record<string, unknown> | undefined {
    if (this.running?.uid === uid) return runningBatchView(this.running)
    const batch = this.store.batch(uid)
    return batch === undefined ? undefined : batchView(batch)
  }

  // ---- processing

  private wake(): void {
    this.isWanted = true
    this.setRefresh.interrupt()
    if (this.isAwake || this.isStopping) return
    this.isAwake = true
    this.loop = this.processAll()
  }

  /** Ends when nothing waits. Falling asleep and looking a last time happen in one turn, so no call is missed. */
  private async processAll(): Promise<void> {
    while (!this.isStopping && this.isWanted) {
      this.isWanted = false
      try {
        await this.cleanUp()
        while (!this.isStopping && (await this.processNext())) await this.cleanUp()
        await this.refreshNext()
      } catch (error) {
        // The end of a batch could not be written (a full disk): wait a little rather than spin, then try again.
        this.options.log.error({ error }, 'a batch could not be finished')
        this.catalogue.reload()
        await new Promise((resolve) => setTimeout(resolve, this.options.retryMs ?? DEFAULT_RETRY_MS))
        this.isWanted = true
      }
    }
    this.isAwake = false
  }

  private async processNext(): Promise<boolean> {
    const plan = this.plan()
    if (plan === undefined) return false
    await this.process(plan)
    const { overdue } = this.setRefresh
    if (overdue !== undefined) await this.refresh(overdue)
    return true
  }

  /** As long as nobody asks for anything else. */
  private async refreshNext(): Promise<void> {
    for (let uid = this.setRefresh.next; uid !== undefined; uid = this.setRefresh.next) {
      if (this.isWanted || this.isStopping) return
      await this.refresh(uid)
    }
  }

  /** An index whose sets cannot be renewed is searched all the same. */
  private async refresh(uid: string): Promise<void> {
    await this.setRefresh.refresh(uid).catch((error) => {
      this.options.log.warn({ error, index: uid }, 'what searches need to be fast could not be renewed')
    })
  }

  private plan(): Plan | undefined {
    const { store, permits } = this
    const { limits } = this.options
    switch (permits) {
      case 'nothing':
        return undefined
      case 'cancelations':
        return planCancelation(store, limits)
      case 'everything':
        return planNext(store, (uid) => this.factsOf(this.catalogue.get(uid)), limits)
    }
  }

  private factsOf(entry: CatalogueEntry | undefined) {
    return { exists: entry !== undefined, primaryKey: entry?.stats.primaryKey ?? null }
  }

  private async process(plan: Plan): Promise<void> {
    // Whatever this batch is: indexes are what most others are about.
    this.services.indexing.start()
    const startedAt = this.now()
    const running = new RunningState(plan.batchUid ?? this.store.nextBatchUid(), plan.tasks, startedAt, plan.strategy)
    const batchKey = plan.tasks.map((task) => task.uid).join(',')
    const { onProgress, onRequests, onHanded } = running
    running.run = new BatchRun(this.services, plan, {
      now: startedAt,
      batchKey,
      onProgress,
      onRequests,
      onHanded,
    })
    this.running = running
    try {
      const outcome = await running.run.run()
      running.beginWriting()
      await this.commit(running, outcome)
    } catch (error) {
      // A stopped batch was rolled back: its tasks are enqueued as before (spec 2 §2.6).
      if (!(error instanceof JobCancelled)) throw error
      const made = await running.run.madeIndex()
      if (made !== undefined) await this.store.write(() => this.catalogue.put(made))
    } finally {
      this.running = undefined
    }
  }

  /** Ends all tasks of the batch at once, then tidies up and tells the webhooks. */
  private async commit(running: RunningState, outcome: BatchOutcome): Promise<void> {
    const { errorsUrl } = this.options
    const uids = new Set(running.tasks.flatMap(({ content }) => tiedIndexes(content)))
    let finished: FinishedBatch | undefined
    await this.store.write(() => {
      const before = this.databaseBytes(uids)
      finished = finishBatch(running, outcome, { finishedAt: this.now(), errorsUrl })
      this.store.change(finished.changes)
      // Of an earlier attempt.
      this.store.deleteBatch(finished.batch.uid)
      dropEmptyBatches(this.store, [...outcome.deleted, ...outcome.canceled])
      outcome.commit()
      this.store.putBatch(withSizes(finished.batch, sizeChanges(before, this.databaseBytes(uids))))
      for (const task of [...finished.tasks, ...outcome.deleted]) this.store.deletePayload(task.uid)
    })
    // Not before: until the commit is on disk the batch has no record, and its tasks are seen as being processed.
    this.running = undefined
    this.setRefresh.note(uids)
    if (outcome.permits !== 'everything') this.permits = outcome.permits
    await this.tidyUp(finished!.tasks, outcome.obsoleteFolders).catch((error) => {
      this.options.log.warn(
        { error },
        'something that a batch left behind could not be deleted; the next start tries again',
      )
    })
    this.options.notify(viewLines(finished!.tasks))
  }

  private databaseBytes(uids: Iterable<string>): DatabaseBytes {
    return addedUp(Array.from(uids, (uid) => this.catalogue.get(uid)?.stats.databaseBytes ?? {}))
  }

  private async tidyUp(tasks: readonly Task[], folders: readonly string[]): Promise<void> {
    const payloads = tasks.map(({ content }) => payloadRefOf(content))
    await Promise.all(payloads.map((payload) => payload?.place === 'file' && this.payloads.delete(payload.name)))
    for (const folder of folders) await this.deleteFolder(folder)
  }

  private async deleteFolder(folder: string): Promise<void> {
    const path = join(this.options.indexesPath, folder)
    await this.options.indexing.release(path)
    await this.options.readers.release(path)
    await rm(path, { recursive: true, force: true })
  }

  /** Before each batch: a queue that grew too long deletes its oldest finished tasks (spec 2 §4.6). */
  private async cleanUp(): Promise<void> {
    const limits = this.options.cleanUp === undefined ? DEFAULT_CLEAN_UP : this.options.cleanUp
    if (limits === null || this.options.limits.maxTasks === 0 || this.store.all().size < limits.maxTasks) return
    const finished = Bitmap.orMany([
      this.store.withStatus('succeeded'),
      this.store.withStatus('failed'),
      this.store.withStatus('canceled'),
    ])
    const oldest = Bitmap.fromSorted(finished.toArraySlice(0, limits.deleteCount))
    if (oldest.size < 2) return
    const newest = this.store.get(oldest.max)!
    const before = formatTimestamp((parseTimestamp(newest.enqueuedAt)! + 1n) as Timestamp)
    const query = `?beforeEnqueuedAt=${before}&statuses=succeeded,failed,canceled`
    await this.store.write(() => {
      const content: NewTask = {
        type: 'taskDeletion',
        query,
        matched: oldest.size,
        tasks: Buffer.from(oldest.serialize()).toString('base64'),
      }
      this.store.add(this.registrar.newTask(this.store.nextTaskUid(), content))
    })
  }

  private now(): string {
    return formatTimestamp(this.options.clock())
  }
}

function* viewLines(tasks: readonly Task[]): Generator<string> {
  for (const task of tasks) yield print(fromPlain(taskView(task)))
}
