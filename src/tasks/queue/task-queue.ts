import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Bitmap } from '../../bitmap/index.js'
import { ok, type Result } from '../../errors/index.js'
import { fromPlain, print } from '../../json/index.js'
import type { PayloadReceiver } from '../../payload/index.js'
import { PayloadFiles } from '../../payload/index.js'
import type { Environment } from '../../store/index.js'
import { type Clock, formatTimestamp, parseTimestamp, type Timestamp } from '../../time/index.js'
import { payloadRefOf, type Task } from '../model/task.js'
import type { RemoteOutcome } from '../model/task-network.js'
import type { Ballot, Voters } from '../run/ballot.js'
import type { Indexing } from '../run/indexing.js'
import type { ServerJobs, Surroundings } from '../run/server-jobs.js'
import type { ShardShares } from '../run/shard-shares.js'
import { NO_TOPOLOGY, type Topology } from '../run/topology.js'
import type { PlanLimits } from '../schedule/plan.js'
import type { Forward } from '../store/forward-store.js'
import { IndexCatalogue } from '../store/index-catalogue.js'
import {
  type IndexScope,
  matchingBatches,
  matchingTasks,
  type TaskFilter,
  visibleBatches,
  visibleTasks,
} from '../store/task-filter.js'
import { TaskStore } from '../store/task-store.js'
import { batchView, runningBatchView } from '../view/batch-view.js'
import { taskView } from '../view/task-view.js'
import type { HeldVote } from './ballot-box.js'
import { BatchLoop, type QueueLog } from './batch-loop.js'
import { deleteLeftovers } from './leftovers.js'
import { type Page, type PageRequest, pageOf } from './page.js'
import {
  type Admission,
  type EnqueueOptions,
  type LoggedAdmission,
  type NewTask,
  type ProxyFacts,
  Registrar,
  receivedWith,
} from './registrar.js'
import type { QueueReplication } from './replication.js'
import type { RunningState } from './running-state.js'

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
  readonly notify: (lines: Iterable<string>, batchUid: number) => Promise<void>
  /** Bytes of the task store above which nothing more is registered (spec 2 §4.6). */
  readonly maxStoreBytes?: number
  readonly cleanUp?: { readonly maxTasks: number; readonly deleteCount: number } | null
  /** Pause after a batch whose end could not be written. */
  readonly retryMs?: number
  /** The log of several servers; without it, the queue is its own. */
  readonly replication?: QueueReplication
  /** See `RegistrarOptions`. Without it tasks are the matter of this server alone. */
  readonly admission?: Admission
  readonly loggedAdmission?: LoggedAdmission | undefined
  /** Without it this server keeps all documents. */
  readonly topology?: Topology
  /** Where servers share a log, and each of them may have other documents. */
  readonly divided?: { readonly shares: ShardShares; readonly voters: Voters }
}

/** To be called inside the transaction. */
export type EnqueueNow = (content: NewTask, options?: EnqueueOptions) => Result<Task>

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
  readonly registrar: Registrar
  private readonly loop: BatchLoop

  constructor(private readonly options: TaskQueueOptions) {
    this.store = new TaskStore(options.environment)
    this.catalogue = new IndexCatalogue(options.environment)
    this.payloads = new PayloadFiles(options.updatesPath)
    this.registrar = new Registrar({
      store: this.store,
      now: () => this.now(),
      maxStoreBytes: options.maxStoreBytes ?? DEFAULT_MAX_STORE_BYTES,
      admission: options.admission,
      loggedAdmission: options.loggedAdmission,
    })
    const { store, catalogue, payloads } = this
    const { indexing, serverJobs, indexesPath, errorsUrl, log, limits, replication } = options
    const topology = options.topology ?? NO_TOPOLOGY
    const deleteFolder = (folder: string) => this.deleteFolder(folder)
    this.loop = new BatchLoop({
      services: {
        store,
        catalogue,
        payloads,
        indexing,
        serverJobs,
        indexesPath,
        deleteFolder,
        errorsUrl,
        log,
        topology,
        ...options.divided,
      },
      limits,
      now: () => this.now(),
      log,
      replication,
      beforeEach: () => this.cleanUp(),
      notify: (tasks, batchUid) => options.notify(this.viewLines(tasks), batchUid),
      retryMs: options.retryMs ?? DEFAULT_RETRY_MS,
    })
    deleteLeftovers({ store, catalogue, payloads, indexesPath })
  }

  /** Begins to process what waits, and looks again for what does. */
  start(): void {
    this.loop.wake()
  }

  /** See `BatchLoop.stop`. */
  stop(): Promise<void> {
    return this.loop.stop()
  }

  /** See `BatchLoop.vote`. */
  vote(ballot: Ballot, signal: AbortSignal): HeldVote {
    return this.loop.vote(ballot, signal)
  }

  // ---- enqueuing

  receivePayload(): PayloadReceiver {
    return this.payloads.receive()
  }

  /** Durable when it resolves. */
  async enqueue(content: NewTask, options: EnqueueOptions = {}): Promise<Result<Task>> {
    const known = options.proxy && this.repeated(options.proxy)
    const task = known ? ok(known) : await this.tryEnqueue(content, options)
    if (task.ok && !known && !options.dryRun) this.loop.wake()
    else await this.discardPayload(content)
    return task
  }

  /** A server that was killed before it heard of the answer sends a task again. */
  repeated({ origin, import: handed }: ProxyFacts): Task | undefined {
    // Documents that are handed over have keys of their own.
    const uid = handed === undefined ? this.store.forwards.receivedAs(origin) : undefined
    return uid === undefined ? undefined : this.store.get(uid)
  }

  private async tryEnqueue(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    return options.dryRun ? this.registrar.preview(content, options) : this.register(content, options)
  }

  private register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    return (this.options.replication ?? this.registrar).register(content, options)
  }

  /**
   * Registers a task in a transaction of the same environment that `transact` begins, together with what else is changed in
   * it. Durable when it resolves; where `transact` rejects, nothing is.
   */
  async enqueueWithin<T>(transact: (enqueue: EnqueueNow) => Promise<T>): Promise<T> {
    const done = await this.store.writeWithin((attempt) =>
      transact((content, options = {}) => attempt(() => this.registrar.registerNow(content, options))),
    )
    this.loop.wake()
    return done
  }

  private async discardPayload(content: NewTask): Promise<void> {
    const payload = receivedWith(content)
    if (payload?.place === 'file') await this.payloads.delete(payload.name)
  }

  /** Tasks that a log of several servers holds are on disk. */
  registered(tasks: Iterable<Task>): void {
    for (const task of tasks) this.cancelRunning(task)
    this.loop.wake()
  }

  /** Stops the running batch if a task is about to cancel some of it. */
  private cancelRunning({ content }: Task): void {
    const { current } = this.loop
    if (content.type !== 'taskCancelation' || current === undefined) return
    const chosen = Bitmap.deserialize(Buffer.from(content.tasks, 'base64'))
    if (current.filterView.uids.intersects(chosen)) current.run?.cancel()
  }

  /** Registers a cancelation or deletion of the tasks that match now, as far as the caller may see them. */
  async enqueueAboutTasks(
    type: 'taskCancelation' | 'taskDeletion',
    request: { filter: TaskFilter; scope: IndexScope; query: string },
    options: EnqueueOptions = {},
  ): Promise<Result<Task>> {
    const matching = matchingTasks(this.store, request.filter, this.loop.overlays)
    const visible = visibleTasks(this.store, matching, request.filter, request.scope)
    const content: NewTask = {
      type,
      query: request.query,
      matched: visible.size,
      tasks: Buffer.from(visible.serialize()).toString('base64'),
    }
    const enqueued = await this.enqueue(content, options)
    if (enqueued.ok && !options.dryRun) this.cancelRunning(enqueued.value)
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
    const matching = matchingTasks(this.store, filter, this.loop.overlays)
    const visible = visibleTasks(this.store, matching, filter, scope)
    return pageOf(visible, matching.size, page, (uid) => this.view(this.store.get(uid)!))
  }

  batch(uid: number, scope: IndexScope): Record<string, unknown> | undefined {
    const found = Bitmap.of(uid)
    const visible = visibleBatches(this.store, found, {}, { scope, running: this.loop.overlays })
    return visible.isEmpty ? undefined : this.batchView(uid)
  }

  batches(filter: TaskFilter, page: PageRequest, scope: IndexScope): Page {
    const running = this.loop.overlays
    const matching = matchingBatches(this.store, filter, running)
    const visible = visibleBatches(this.store, matching, filter, { scope, running })
    return pageOf(visible, matching.size, page, (uid) => this.batchView(uid)!)
  }

  /** The payload of a task that is sent to other servers, if it has one: a path or bytes. */
  forwardedPayload({ uid, content }: Forward): { path: string } | { bytes: Uint8Array } | 'gone' | undefined {
    const payload = payloadRefOf(content)
    if (payload === undefined) return undefined
    const bytes = payload.place === 'inline' ? this.store.payload(uid) : undefined
    const path = payload.place === 'file' ? this.payloads.pathOf(payload.name) : ''
    if (bytes !== undefined) return { bytes }
    return existsSync(path) ? { path } : 'gone'
  }

  /** A remote has answered, or not: see `ForwardStore.settle`. */
  async settleForward(
    { uid, content }: Forward,
    remote: string,
    answered: { outcome: RemoteOutcome; isFinal: boolean },
  ): Promise<void> {
    const isDone = await this.store.write(() => {
      const isDone = this.store.forwards.settle(uid, remote, answered)
      const isUnused = isDone && this.store.get(uid)?.status !== 'enqueued'
      if (isUnused) this.store.deletePayload(uid)
      return isUnused
    })
    const payload = isDone ? payloadRefOf(content) : undefined
    if (payload?.place === 'file') await this.payloads.delete(payload.name)
  }

  /** Of a payload that was received and is of no task. */
  payloadPath(name: string): string {
    return this.payloads.pathOf(name)
  }

  /** The payload of an addition that is not finished: a path or bytes. */
  payloadOf(task: Task): { path: string } | { bytes: Uint8Array } | undefined {
    if (task.content.type !== 'documentAdditionOrUpdate' || task.status !== 'enqueued') return undefined
    const { payload } = task.content
    if (payload.place === 'file') return { path: this.payloads.pathOf(payload.name) }
    const bytes = this.store.payload(task.uid)
    return bytes === undefined ? undefined : { bytes }
  }

  /** All tasks that are not finished. */
  waiting(): Task[] {
    return Array.from(this.store.withStatus('enqueued').toArray(), (uid) => this.store.get(uid)!)
  }

  /** The change of the network that is not finished, if there is one. */
  pendingTopologyChange(): Task | undefined {
    const waiting = this.store.withType('networkTopologyChange').and(this.store.withStatus('enqueued'))
    return waiting.isEmpty ? undefined : this.store.get(waiting.min)
  }

  /** Whether a task of this index is being processed right now. */
  isIndexing(indexUid: string): boolean {
    return this.loop.current?.indexUids.has(indexUid) ?? false
  }

  /** Whether a dump or a snapshot is being written right now. */
  get isBackingUp(): boolean {
    return this.loop.isBackingUp
  }

  get runningBatch(): RunningState | undefined {
    return this.loop.current
  }

  private view(task: Task): Record<string, unknown> {
    for (const running of this.loop.shown) {
      const before = running.taskBefore(task.uid)
      if (before !== undefined) return this.shown(before, { batchUid: running.uid, startedAt: running.startedAt })
    }
    return this.shown(task)
  }

  private shown(task: Task, running?: { batchUid: number; startedAt: string }): Record<string, unknown> {
    const outcomes = task.network?.kind === 'leader' ? this.store.forwards.outcomes(task.uid) : {}
    return taskView(this.withProgress(task), running, outcomes)
  }

  /** A change of the network tells how far it is. */
  private withProgress(task: Task): Task {
    if (task.content.type !== 'networkTopologyChange' || task.status !== 'enqueued') return task
    return { ...task, results: (this.options.topology ?? NO_TOPOLOGY).progress(task) }
  }

  private *viewLines(tasks: readonly Task[]): Generator<string> {
    for (const task of tasks) yield print(fromPlain(this.shown(task)))
  }

  private batchView(uid: number): Record<string, unknown> | undefined {
    const running = this.loop.shown.find((batch) => batch.uid === uid)
    if (running !== undefined) return runningBatchView(running)
    const batch = this.store.batch(uid)
    return batch === undefined ? undefined : batchView(batch)
  }

  /** Runs work while no index changes: see `BatchLoop.betweenBatches`. */
  betweenBatches<T>(work: (there: Surroundings) => Promise<T>): Promise<T> {
    return this.loop.betweenBatches(() => {
      const { catalogue, store } = this
      return work({ now: this.now(), indexes: catalogue.list(), nextTaskUid: store.nextTaskUid() })
    })
  }

  // ---- tidying

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
    const tasks = Buffer.from(oldest.serialize()).toString('base64')
    await this.register({ type: 'taskDeletion', query, matched: oldest.size, tasks }, {})
  }

  private now(): string {
    return formatTimestamp(this.options.clock())
  }
}
