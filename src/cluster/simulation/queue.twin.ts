import { ok, type Result } from '../../errors/index.js'
import type { Logger } from '../../log/index.js'
import {
  type BatchDecision,
  type DecidedBatch,
  Divergence,
  type EnqueueOptions,
  type LoggedTask,
  type NewTask,
  type QueueReplication,
  type Task,
} from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { MemberQueue } from '../member/model.js'
import type { Faults } from './faults.fixture.js'
import type { OpenFolder } from './folder.fake.js'
import type { IndexTwin, Prepared } from './index.twin.js'
import type { Process } from './process.fixture.js'
import type { Random } from './random.fixture.js'

const RETRY_MS = 1_000
const LARGEST_BATCH = 6

/** Hears what a client or a webhook would see. */
/** A server may die between the decision that it tells webhooks and the telling. */
const NOTIFYING_MS = 40

export interface QueueWitness {
  /** The tasks of a batch are seen as finished from now on. */
  shown(sequence: number): void
  notified(sequence: number): void
}

export interface QueueParts {
  readonly system: OpenFolder
  readonly index: IndexTwin
  readonly process: Process
  readonly random: Random
  readonly faults: Faults
  readonly now: () => string
  readonly witness: QueueWitness
  readonly log: Logger
}

/**
 * `TaskQueue` and `BatchLoop` without what they do to indexes: the same steps in the same order. What a batch comes to follows
 * from everything before it, so a batch that is left out, done twice or done too early shows in all later ones.
 */
export class QueueTwin implements MemberQueue {
  /** Batches whose end is being written, or on disk here but not yet on all servers that answer. */
  readonly unconfirmed = new Set<number>()
  private readonly tasks
  private readonly batches
  private replication: QueueReplication | undefined
  private isAwake = false
  private isWanted = false
  private isStopping = false
  private loop: Promise<void> = Promise.resolve()

  constructor(private readonly parts: QueueParts) {
    this.tasks = parts.system.database('tasks')
    this.batches = parts.system.database('batches')
  }

  use(replication: QueueReplication): void {
    this.replication = replication
    for (const { sequence } of replication.unconfirmed()) {
      this.unconfirmed.add(sequence)
      void this.confirm(sequence)
    }
  }

  readonly store = { write: <T>(work: () => T): Promise<T> => this.parts.system.write(work) }

  readonly registrar = {
    preview: (content: NewTask, options: EnqueueOptions): Result<Task> =>
      ok(newTask({ content, options, enqueuedAt: this.parts.now() }, this.tasks.count())),
    registerLogged: (tasks: readonly LoggedTask[]): Result<Task>[] => tasks.map((task) => ok(this.add(task))),
  }

  private add(logged: LoggedTask): Task {
    const task = newTask(logged, this.tasks.count())
    this.put(task)
    return task
  }

  registered(): void {
    this.wake()
  }

  start(): void {
    this.wake()
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await this.loop
  }

  // ---- the loop

  private wake(): void {
    this.isWanted = true
    if (this.isAwake || this.isStopping) return
    this.isAwake = true
    this.loop = this.processAll()
  }

  private async processAll(): Promise<void> {
    const { log, process } = this.parts
    while (!this.isStopping && this.isWanted) {
      this.isWanted = false
      try {
        while (!this.isStopping && (await this.processNext())) {}
      } catch (error) {
        log.error({ error }, 'a batch could not be finished')
        this.replication!.troubled(error)
        await process.wait(RETRY_MS)
        this.isWanted = true
      }
    }
    this.isAwake = false
  }

  private async processNext(): Promise<boolean> {
    const decided = this.replication!.nextBatch()
    if (decided !== undefined) {
      await this.carryOut(decided)
      return true
    }
    if (!this.replication!.isCoordinator) return false
    const plan = this.plan()
    if (plan.length === 0) return false
    await this.process(plan)
    return true
  }

  private plan(): Task[] {
    return this.waiting().slice(0, this.parts.random.whole(1, LARGEST_BATCH))
  }

  private async process(tasks: readonly Task[]): Promise<void> {
    const { process, now, random, faults, log } = this.parts
    const id = process.newId()
    const uid = this.batches.count()
    const startedAt = now()
    try {
      await this.replication!.fetchPayloads(tasks)
      const prepared = await this.run(id, tasks)
      if (random.chance(faults.failedBatches)) throw new JobCancelled()
      const { endings, digest } = prepared!
      const decision: BatchDecision = {
        id,
        kind: 'alone',
        tasks: tasks.map((task) => task.uid),
        batch: { uid, startedAt, finishedAt: now(), details: {}, stats: NO_STATS, enqueuedAt: null, strategy: '' },
        endings,
        digest,
      }
      const sequence = await this.replication!.decide(decision, undefined)
      await this.complete({ ...decision, sequence }, tasks, prepared)
    } catch (error) {
      if (!(error instanceof JobCancelled)) throw error
      log.info({ id }, 'a batch was stopped')
    }
  }

  private async carryOut(decided: DecidedBatch): Promise<void> {
    const { replication } = this
    const tasks = decided.tasks.map((uid) => this.get(uid))
    if (!tasks.every((task) => task !== undefined))
      return replication!.diverged(new Divergence(`it lacks tasks of batch ${decided.batch.uid}`))
    await replication!.fetchPayloads(tasks)
    await replication!.fetchVectors(decided, '')
    const prepared = await this.run(decided.id, tasks)
    if (prepared !== undefined && prepared.digest !== decided.digest) {
      const divergence = new Divergence(`batch ${decided.batch.uid} wrote something else to its index`)
      replication!.diverged(divergence)
      throw divergence
    }
    await this.complete(decided, tasks, prepared)
  }

  /** Undefined if the index has this batch already. */
  private async run(id: string, tasks: readonly Task[]): Promise<Prepared | undefined> {
    const { process, random, faults, index } = this.parts
    const prepared = index.prepare(id, tasks)
    await process.wait(random.chance(0.1) ? random.between(100, 6_000) : random.between(1, 60))
    if (random.chance(faults.failedBatches)) throw new Error('no space left on the disk')
    return prepared
  }

  private async complete(decided: DecidedBatch, tasks: readonly Task[], prepared: Prepared | undefined): Promise<void> {
    const { sequence, batch } = decided
    if (prepared !== undefined) await this.parts.index.commit(prepared)
    this.unconfirmed.add(sequence)
    await this.store.write(() => {
      const finished = tasks.map((task, i) => endedTask(task, decided, i))
      for (const task of finished) this.put(task)
      this.batches.put(uidKey(this.batches.count()), Buffer.from(JSON.stringify({ ...decided, uid: batch.uid })))
      this.replication!.carriedOut({ sequence, batchUid: batch.uid }, finished)
    })
    void this.confirm(sequence)
  }

  private async confirm(sequence: number): Promise<void> {
    const { witness } = this.parts
    await this.replication!.carriedOutEverywhere(sequence)
    this.unconfirmed.delete(sequence)
    witness.shown(sequence)
    if (await this.replication!.mustNotify(sequence)) {
      await this.parts.process.wait(NOTIFYING_MS)
      witness.notified(sequence)
      this.replication!.notified(sequence)
    }
    this.replication!.confirmed(sequence)
  }

  // ---- tasks

  waiting(): Task[] {
    const values = Array.from(this.tasks.range(), ({ value }) => value.toString())
    return values.filter((value) => value.includes(ENQUEUED)).map((value) => JSON.parse(value) as Task)
  }

  private get(uid: number): Task | undefined {
    const value = this.tasks.get(uidKey(uid))
    return value === undefined ? undefined : (JSON.parse(value.toString()) as Task)
  }

  private put(task: Task): void {
    this.tasks.put(uidKey(task.uid), Buffer.from(JSON.stringify(task)))
  }
}

const ENQUEUED = '"status":"enqueued"'
const NO_STATS = { totalNbTasks: 0, status: {}, types: {}, indexUids: {} }

function uidKey(uid: number): Buffer {
  const key = Buffer.alloc(4)
  key.writeUInt32BE(uid)
  return key
}

function newTask({ content, enqueuedAt }: LoggedTask, uid: number): Task {
  return {
    uid,
    batchUid: null,
    status: 'enqueued',
    content: content as Task['content'],
    results: null,
    error: null,
    canceledBy: null,
    enqueuedAt,
    startedAt: null,
    finishedAt: null,
  }
}

function endedTask(task: Task, { batch, endings }: DecidedBatch, place: number): Task {
  const ending = endings[place]!
  const { uid: batchUid, startedAt, finishedAt } = batch
  return { ...task, batchUid, startedAt, finishedAt, status: 'succeeded', results: ending.ok ? ending.results : null }
}
