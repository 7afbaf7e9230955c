import { Bitmap } from '../../bitmap/index.js'
import type { Database, Environment } from '../../store/index.js'
import type { Batch } from '../model/batch.js'
import { type StoredStatus, type Task, type TaskType, tiedIndexes } from '../model/task.js'
import { BatchIndex } from './batch-index.js'
import { ChunkedSets } from './chunked-sets.js'
import { DateIndex } from './date-index.js'
import { ForwardStore } from './forward-store.js'
import { decodeRecord, encodeRecord, uidKey } from './record.js'
import { append, type TaskChange } from './task-change.js'

/**
 * Tasks and batches on disk, with the sets and dates that filters need. Everything that writes must be called inside
 * `write`, which is durable when it resolves; calls made at the same time share one commit.
 */
export class TaskStore {
  readonly dates: DateIndex
  private readonly tasks: Database
  private readonly batches: Database
  private readonly payloadsOfTasks: Database
  private readonly sets: ChunkedSets
  private readonly batchSets: ChunkedSets
  /** Batches by what their tasks are. */
  readonly batchIndex: BatchIndex
  readonly forwards: ForwardStore
  private readonly databases: readonly Database[]

  constructor(private readonly environment: Environment) {
    const names = ['tasks', 'batches', 'payloads', 'taskSets', 'batchSets', 'dates']
    this.databases = environment.openDatabases(names)
    const [tasks, batches, payloads, taskSets, batchSets, dates] = this.databases
    this.tasks = tasks!
    this.batches = batches!
    this.payloadsOfTasks = payloads!
    this.sets = new ChunkedSets(taskSets!, isOneOfFew)
    this.batchSets = new ChunkedSets(batchSets!)
    const ofBatch = (uid: number) => this.ofBatch(uid)
    this.batchIndex = new BatchIndex(this.batchSets, { named: (name) => this.sets.get(name), ofBatch })
    this.dates = new DateIndex(dates!)
    this.forwards = new ForwardStore(environment)
  }

  /** Later than what is on disk until the commit that holds it is; null for deleted tasks. */
  private readonly fresh = new Map<number, Task | null>()
  private touched: [uid: number, state: Task | null][] = []
  /** The same for batches, of which only one ends at a time. */
  private readonly freshBatches = new Map<number, Batch | null>()

  private writing = 0
  /** A write failed, so the sets in memory may hold what never reached the disk. */
  private hasFailed = false

  write<T>(work: () => T): Promise<T> {
    return this.writeWithin((attempt) => this.environment.write(() => attempt(work)))
  }

  /** The same inside a transaction that `transact` begins on this environment, with other things in it. */
  async writeWithin<T>(transact: (attempt: <R>(work: () => R) => R) => Promise<T>): Promise<T> {
    const touched: typeof this.touched = []
    this.writing++
    try {
      return await transact((work) => this.attempt(work, touched))
    } catch (error) {
      this.hasFailed = true
      throw error
    } finally {
      this.writing--
      for (const [uid, state] of touched) if (this.fresh.get(uid) === state) this.fresh.delete(uid)
      if (this.writing === 0) {
        this.freshBatches.clear()
        this.forgetFailed()
      }
    }
  }

  /** Inside the transaction. A failed write before this one must have left no trace in memory either. */
  private attempt<T>(work: () => T, touched: typeof this.touched): T {
    this.forgetFailed()
    this.touched = touched
    try {
      return work()
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }

  /**
   * Sets are read again when they are needed. Called when that shows all writes there were: inside a transaction, or
   * when none is under way.
   */
  private forgetFailed(): void {
    if (!this.hasFailed) return
    this.hasFailed = false
    this.sets.forget()
    this.batchSets.forget()
  }

  private keepFresh(uid: number, state: Task | null): void {
    this.fresh.set(uid, state)
    this.touched.push([uid, state])
  }

  /** Without the holes that deleted tasks leave in the file. */
  usedBytes(): number {
    return this.databases.reduce((sum, database) => sum + database.sizeBytes(), 0)
  }

  /** Whether so many bytes are used. Cheap while the whole file is smaller. */
  holds(bytes: number): boolean {
    return this.environment.fileBytes() >= bytes && this.usedBytes() >= bytes
  }

  /** Enqueued tasks that are on disk: what is not must not be begun, since a crash would take it back. */
  ready(): Bitmap {
    return this.withStatus('enqueued').andNot(Bitmap.fromUnsorted(this.fresh.keys()))
  }

  // ---- tasks

  /** One above the highest uid there is. */
  nextTaskUid(): number {
    const all = this.all()
    return all.isEmpty ? 0 : all.max + 1
  }

  get(uid: number): Task | undefined {
    const fresh = this.fresh.get(uid)
    if (fresh !== undefined) return fresh ?? undefined
    const bytes = this.tasks.get(uidKey(uid))
    return bytes === undefined ? undefined : decodeRecord<Task>(bytes)
  }

  /** Some of the stored tasks with these uids, in order, beginning with the first there is. */
  range(from: number, end: number, limit: number): Task[] {
    const entries = this.tasks.range({ start: uidKey(from), end: uidKey(end), limit })
    return [...entries].map(({ value }) => decodeRecord<Task>(value))
  }

  add(task: Task): void {
    this.change([{ after: task }])
  }

  /** Adds, replaces and deletes tasks; sets and chunks are written once for all of them. */
  change(changes: readonly TaskChange[]): void {
    const added = new Map<string, number[]>()
    const removed = new Map<string, number[]>()
    for (const { before, after } of changes) {
      const were = before === undefined ? [] : setNames(before)
      const are = after === undefined ? [] : setNames(after)
      const { uid } = (after ?? before)!
      for (const name of were) if (!are.includes(name)) append(removed, name, uid)
      for (const name of are) if (!were.includes(name)) append(added, name, uid)
      this.changeRecord(uid, before, after)
    }
    for (const [name, uids] of removed) this.sets.remove(name, Bitmap.fromUnsorted(uids))
    for (const [name, uids] of added) this.sets.add(name, Bitmap.fromUnsorted(uids))
    this.batchIndex.change(changes)
  }

  private changeRecord(uid: number, before: Task | undefined, after: Task | undefined): void {
    for (const [kind, member] of TASK_DATES) {
      const was = before?.[member] ?? null
      const is = after?.[member] ?? null
      if (was === is) continue
      if (was !== null) this.dates.remove(kind, was, uid)
      if (is !== null) this.dates.add(kind, is, uid)
    }
    if (after === undefined) this.tasks.delete(uidKey(uid))
    else this.tasks.put(uidKey(uid), encodeRecord(after))
    this.keepFresh(uid, after ?? null)
  }

  all(): Bitmap {
    return this.sets.get('all')
  }

  withStatus(status: StoredStatus): Bitmap {
    return this.sets.get(`status:${status}`)
  }

  withType(type: TaskType): Bitmap {
    return this.sets.get(`type:${type}`)
  }

  tiedTo(indexUid: string): Bitmap {
    return this.sets.get(`index:${indexUid}`)
  }

  /** Uids of all indexes that some task is tied to. */
  tiedIndexes(): string[] {
    return this.sets.names('index:').map((name) => name.slice('index:'.length))
  }

  ofBatch(batchUid: number): Bitmap {
    return this.sets.get(`batch:${batchUid}`)
  }

  /** Tasks with documents that other servers hand over, in a change of the network to this version. */
  importsOf(networkVersion: string): Bitmap {
    return this.sets.get(`import:${networkVersion}`)
  }

  canceledBy(uid: number): Bitmap {
    return this.sets.get(`canceledBy:${uid}`)
  }

  // ---- payloads that are small enough to live here

  putPayload(uid: number, bytes: Uint8Array): void {
    this.payloadsOfTasks.put(uidKey(uid), bytes)
  }

  payload(uid: number): Buffer | undefined {
    return this.payloadsOfTasks.get(uidKey(uid))
  }

  /**
   * The payloads of several tasks by uid, as parts of one buffer: on the way to another thread it is copied once,
   * where as many buffers as tasks would cost more than what is in them.
   */
  payloads(uids: readonly number[]): Map<number, Uint8Array> {
    const copies = uids.map((uid) => {
      const bytes = this.payload(uid)
      if (bytes === undefined) throw new Error(`the payload of task ${uid} is missing`)
      return bytes
    })
    const together = Buffer.concat(copies)
    let at = 0
    return new Map(uids.map((uid, i) => [uid, together.subarray(at, (at += copies[i]!.length))]))
  }

  deletePayload(uid: number): void {
    this.payloadsOfTasks.delete(uidKey(uid))
  }

  // ---- batches

  nextBatchUid(): number {
    const all = this.allBatches()
    return all.isEmpty ? 0 : all.max + 1
  }

  batch(uid: number): Batch | undefined {
    const fresh = this.freshBatches.get(uid)
    if (fresh !== undefined) return fresh ?? undefined
    const bytes = this.batches.get(uidKey(uid))
    return bytes === undefined ? undefined : decodeRecord<Batch>(bytes)
  }

  /** Some of the stored batches from this uid on, in order. */
  batchRange(from: number, limit: number): Batch[] {
    const entries = this.batches.range({ start: uidKey(from), limit })
    return [...entries].map(({ value }) => decodeRecord<Batch>(value))
  }

  putBatch(batch: Batch): void {
    this.freshBatches.set(batch.uid, batch)
    this.batches.put(uidKey(batch.uid), encodeRecord(batch))
    this.batchSets.add('all', Bitmap.of(batch.uid))
    this.eachBatchDate(batch, (kind, time) => this.dates.add(kind, time, batch.uid))
  }

  deleteBatch(uid: number): void {
    const batch = this.batch(uid)
    if (batch === undefined) return
    this.batches.delete(uidKey(uid))
    this.freshBatches.set(uid, null)
    this.batchSets.remove('all', Bitmap.of(uid))
    this.eachBatchDate(batch, (kind, time) => this.dates.remove(kind, time, uid))
  }

  allBatches(): Bitmap {
    return this.batchSets.get('all')
  }

  private eachBatchDate(
    batch: Batch,
    visit: (kind: 'batchEnqueued' | 'batchStarted' | 'batchFinished', time: string) => void,
  ): void {
    visit('batchStarted', batch.startedAt)
    visit('batchFinished', batch.finishedAt)
    if (batch.enqueuedAt === null) return
    visit('batchEnqueued', batch.enqueuedAt.earliest)
    if (batch.enqueuedAt.latest !== batch.enqueuedAt.earliest) visit('batchEnqueued', batch.enqueuedAt.latest)
  }
}

const TASK_DATES = [
  ['taskEnqueued', 'enqueuedAt'],
  ['taskStarted', 'startedAt'],
  ['taskFinished', 'finishedAt'],
] as const

/** There is a set for each batch and for each cancelation, which memory must not hold for all time. */
const isOneOfFew = (name: string): boolean => !name.startsWith('batch:') && !name.startsWith('canceledBy:')

/** The sets a task is a member of. */
function setNames(task: Task): string[] {
  const names = ['all', `status:${task.status}`, `type:${task.content.type}`]
  for (const uid of tiedIndexes(task.content)) names.push(`index:${uid}`)
  if (task.batchUid !== null) names.push(`batch:${task.batchUid}`)
  if (task.canceledBy !== null) names.push(`canceledBy:${task.canceledBy}`)
  if (task.network?.kind === 'import') names.push(`import:${task.network.change.networkVersion}`)
  return names
}
