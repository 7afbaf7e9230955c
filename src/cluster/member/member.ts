import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fail, type Result } from '../../errors/index.js'
import type { Logger } from '../../log/index.js'
import type { Environment } from '../../store/index.js'
import {
  type BatchDecision,
  type DecidedBatch,
  Divergence,
  type EnqueueOptions,
  type NewTask,
  payloadRefOf,
  type QueueReplication,
  receivedWith,
  type Task,
  type TaskQueue,
} from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type Clock, formatTimestamp } from '../../time/index.js'
import { Ledger, type PendingBatch } from '../ledger/ledger.js'
import type { Lease, LogEntry, LogHealth, ReplicatedLog } from '../log/model.js'
import { LazySync, LogDamaged, LogMissing, LogMoved, LogTrimmed, LogUnavailable } from '../log/problems.js'
import type { BatchRecord, StatePlace, StateRecord, TaskRecord } from '../records/record.js'
import { NewerRecord } from '../records/record-codec.js'
import { appendRecord, readRecord } from '../records/record-log.js'
import { Applier } from './applier.js'
import { inGroups } from './in-groups.js'
import { decodeReport, encodeReport, type HeardMember, type MemberReport, Members } from './members.js'
import { PayloadExchange } from './payload-exchange.js'
import { Position } from './positions.js'
import { ReplicatedState } from './replicated-state.js'
import { TrimSchedule } from './trim-schedule.js'

/** Hears that this server cannot go on. With a copy of another server's data it can, if `needsCopy`. */
export type LossListener = (problem: Error, needsCopy: boolean) => void

export interface MemberOptions {
  readonly name: string
  /** Where others reach this server. */
  readonly url: string | null
  readonly version: string
  /** Connects to the log. Called again until it succeeds. With `mustExist` none is made. */
  readonly openLog: (how: { readonly mustExist: boolean }) => Promise<ReplicatedLog>
  readonly system: Environment
  readonly auth: Environment
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly clock: Clock
  readonly log: Logger
  readonly onLost: LossListener
}

export interface MemberStatus {
  readonly self: MemberReport
  readonly others: readonly HeardMember[]
  /** Undefined while nobody knows of one. */
  readonly coordinator: string | undefined
  /** The end of the log, as far as it is known. */
  readonly lastSequence: number
  /** How long ago the log's leader answered; undefined when it never did. */
  readonly logSilentMs: number | undefined
  readonly problem: string | undefined
}

const REPORT_EVERY_MS = 500
/** Shorter than others wait: who is cut off says so before they stop counting on it. */
const MOST_SILENT_MS = 2_000
const WRITE_TIMEOUT_MS = 30_000
const READING_OWN_WRITES_MS = 1_000
const RETRY_MS = 1_000
/** A server whose batches lag behind the log for longer is not waited for any more. */
const LONGEST_LAG_MS = 60_000

/** How long somebody who had trouble lets others coordinate. */
const STAND_ASIDE_MS = 10_000
/** The log waits so long for a server that is away. Who comes back later takes a copy of another server's data. */
const MEMBER_FORGOTTEN_MS = 24 * 3_600_000

const KINDS = ['task', 'state', 'batch'] as const

const GROUPS = { maxItems: 2_000, maxBytes: 16 << 20, bytesOf: ({ body }: LogEntry) => body.length + 256 }

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: Error) => void
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<T>((whenResolved, whenRejected) => {
    resolve = whenResolved
    reject = whenRejected
  })
  return { promise, resolve, reject }
}

/** The log does not lead from the data of this server to those of the others. */
function isOfData(error: unknown): boolean {
  return error instanceof Divergence || error instanceof LogTrimmed || error instanceof LogDamaged
}

/** Nothing gets better by trying again. */
const isFinal = (error: unknown): boolean => isOfData(error) || error instanceof NewerRecord

/** One of several servers with the same data. Everything it does to its data, it reads from their log first. */
export class Member implements QueueReplication {
  readonly states: Readonly<Record<StatePlace, ReplicatedState>>
  private readonly ledger: Ledger
  private readonly registered: Position
  private readonly members = new Members()
  private readonly payloads: PayloadExchange
  private readonly closing = new AbortController()
  private readonly answers = new Map<string, (task: Result<Task>) => void>()
  private readonly opened = deferred<ReplicatedLog>()
  private log: ReplicatedLog | undefined
  private lease: Lease | undefined
  private queue: TaskQueue | undefined
  private applier: Applier | undefined
  private running: Promise<unknown> = Promise.resolve()
  private problem: Error | undefined
  private trouble: { readonly since: number } | undefined
  private end = { sequence: 0, knownAt: Number.NEGATIVE_INFINITY }
  private lagsSince: number | undefined
  private notified = 0
  /** The last batch that this server appended: it may not have read it yet. */
  private lastDecided = 0
  private isAskingForEnd = false
  private readonly trimming = new TrimSchedule()
  private trimmedBelow = 0

  constructor(private readonly options: MemberOptions) {
    this.ledger = new Ledger(options.system)
    this.registered = new Position(this.ledger.link.sequence)
    this.payloads = new PayloadExchange(() => this.reachable())
    const writer = {
      lastState: () => this.ledger.lastOf('state'),
      append: (id: string, record: StateRecord, after: number) => this.appendState(id, record, after),
      laterState: (than: number) => this.laterState(than),
    }
    this.states = {
      system: new ReplicatedState('system', options.system, writer),
      auth: new ReplicatedState('auth', options.auth, writer),
    }
    this.opened.promise.catch(() => {})
  }

  /** Begins to read the log, for a queue that was made with this member. */
  start(queue: TaskQueue): void {
    this.queue = queue
    this.applier = new Applier({
      ledger: this.ledger,
      write: (work) => queue.store.write(work),
      registerTasks: (tasks) => queue.registrar.registerLogged(tasks),
      system: this.states.system,
      auth: { environment: this.options.auth, state: this.states.auth },
    })
    this.running = this.run()
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.opened.reject(new LogUnavailable('this server is being closed'))
    await this.lease?.release()
    await this.running
    await this.log?.close()
  }

  // ---- reading

  private async run(): Promise<void> {
    const { log } = this.options
    this.log = await this.open()
    if (this.log === undefined) return
    const { identity } = this.log
    await this.queue!.store.write(() => this.ledger.follow(identity, KINDS))
    this.log.onTold((bytes) => this.hear(bytes))
    this.lease = this.log.lease(this.options.name)
    this.lease.onChange(() => this.leaseChanged())
    this.opened.resolve(this.log)
    const reporting = this.report(this.log)
    while (!this.closing.signal.aborted) {
      try {
        await this.read(this.log)
      } catch (error) {
        if (this.closing.signal.aborted) break
        if (isFinal(error)) {
          this.lose(error)
          break
        }
        log.error({ error }, 'the cluster log could not be read or applied, which is tried again')
        await this.pause(RETRY_MS)
      }
    }
    await reporting
  }

  private async open(): Promise<ReplicatedLog | undefined> {
    while (!this.closing.signal.aborted) {
      try {
        // Whoever has read something of a log must not begin a new one.
        return await this.options.openLog({ mustExist: this.ledger.link.sequence > 0 })
      } catch (error) {
        if (error instanceof LazySync || error instanceof LogMissing) {
          this.lose(error)
          return undefined
        }
        this.options.log.warn({ error }, 'the cluster log cannot be reached, which is tried again')
        await this.pause(RETRY_MS)
      }
    }
    return undefined
  }

  private async read(log: ReplicatedLog): Promise<void> {
    const entries = log.read(this.ledger.link.sequence + 1, { signal: this.closing.signal })
    for await (const group of inGroups(entries, GROUPS)) await this.apply(log, group)
  }

  private async apply(log: ReplicatedLog, entries: readonly LogEntry[]): Promise<void> {
    const read = await Promise.all(entries.map(async (entry) => ({ entry, record: await readRecord(log, entry) })))
    const { registered } = await this.applier!.apply(read)
    const tasks = [...registered.values()].flatMap((task) => (task.ok ? [task.value] : []))
    for (const [id, task] of registered) this.answers.get(id)?.(task)
    this.registered.advance(entries[entries.length - 1]!.sequence)
    this.fetchAhead(tasks)
    this.queue!.registered(tasks)
  }

  /** So that a batch need not wait for it. What fails is fetched when it is needed. */
  private fetchAhead(tasks: readonly Task[]): void {
    this.fetchPayloads(tasks).catch((error) => {
      this.options.log.warn({ error }, 'a payload could not be fetched ahead of its batch')
    })
  }

  // ---- writing

  async register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    const preview = this.queue!.registrar.preview(content, options)
    if (!preview.ok) return preview
    const id = randomUUID()
    const answered = new Promise<Result<Task>>((resolve) => this.answers.set(id, resolve))
    try {
      await this.append(id, await this.taskRecord(content, options))
      return await answered
    } catch (error) {
      if (error instanceof LogUnavailable) return fail('cluster_unavailable', this.options.name)
      throw error
    } finally {
      this.answers.delete(id)
    }
  }

  private async taskRecord(content: NewTask, options: EnqueueOptions): Promise<TaskRecord> {
    const payload = receivedWith(content)
    const blob = payload?.place === 'file' ? await this.payloads.put(this.pathOf(payload.name)) : undefined
    const enqueuedAt = formatTimestamp(this.options.clock())
    return { kind: 'task', enqueuedAt, content, options, ...(blob && { blob }) }
  }

  /** Resolves when this server has applied it as well. */
  private async append(id: string, record: TaskRecord | StateRecord, after?: number): Promise<void> {
    const log = await this.reachable()
    const options = { timeoutMs: WRITE_TIMEOUT_MS, ...(after === undefined ? {} : { after }) }
    const sequence = await appendRecord(log, id, record, options)
    if (!(await this.registered.reach(sequence, WRITE_TIMEOUT_MS)))
      throw new LogUnavailable('what was appended did not come back in time')
  }

  private appendState(id: string, record: StateRecord, after: number): Promise<void> {
    return this.append(id, record, after)
  }

  private async laterState(than: number): Promise<void> {
    const log = await this.reachable()
    const last = await log.last('state')
    await this.registered.reach(Math.max(last, than + 1), WRITE_TIMEOUT_MS)
  }

  private async reachable(): Promise<ReplicatedLog> {
    if (this.log !== undefined) return this.log
    const late = this.pause(WRITE_TIMEOUT_MS).then(() => {
      throw new LogUnavailable('it cannot be reached')
    })
    return Promise.race([this.opened.promise, late])
  }

  /** Resolves when this server knows what was in the log when it was called, or after a second. */
  async caughtUp(): Promise<void> {
    if (this.log === undefined) return
    const last = await Promise.race([this.log.last().catch(() => 0), this.pause(READING_OWN_WRITES_MS).then(() => 0)])
    await this.registered.reach(last, READING_OWN_WRITES_MS)
  }

  /** Resolves when this server knows everything that was in the log when it began to read. */
  async firstCaughtUp(): Promise<void> {
    const log = await this.opened.promise
    for (let isKnown = false; !isKnown && !this.closing.signal.aborted; ) {
      const last = await log.last().catch(() => undefined)
      isKnown = last !== undefined && (await this.registered.reach(last, WRITE_TIMEOUT_MS))
    }
  }

  // ---- batches

  /** Only when it knows everything that the holder before it did. */
  get isCoordinator(): boolean {
    return this.problem === undefined && this.trouble === undefined && (this.lease?.isHeld ?? false)
  }

  nextBatch(): DecidedBatch | undefined {
    return this.problem === undefined ? this.ledger.firstPending() : undefined
  }

  async fetchPayloads(tasks: readonly Task[]): Promise<void> {
    for (const { content } of tasks) {
      const payload = payloadRefOf(content)
      const ref = payload?.place === 'file' ? this.ledger.payload(payload.name) : undefined
      if (payload?.place === 'file' && ref !== undefined) await this.payloads.fetch(this.pathOf(payload.name), ref)
    }
  }

  async fetchVectors(decided: DecidedBatch, path: string): Promise<void> {
    const { vectors } = decided as PendingBatch
    if (vectors !== undefined) await this.payloads.fetch(path, vectors)
  }

  async decide(decision: BatchDecision, vectorsPath: string | undefined): Promise<number> {
    const log = await this.reachable()
    const vectors = vectorsPath === undefined ? undefined : await this.payloads.put(vectorsPath)
    const record: BatchRecord = { kind: 'batch', decision, chain: this.ledger.link, ...(vectors && { vectors }) }
    const after = Math.max(this.ledger.lastOf('batch'), this.lastDecided)
    try {
      this.lastDecided = await appendRecord(log, decision.id, record, { after, timeoutMs: WRITE_TIMEOUT_MS })
      return this.lastDecided
    } catch (error) {
      if (!(error instanceof LogMoved)) throw error
      // Another server decides by now. Its batch is the next one here as well.
      await this.registered.reach(await log.last('batch'), WRITE_TIMEOUT_MS)
      throw new JobCancelled()
    }
  }

  carriedOut(sequence: number, finished: readonly Task[]): void {
    for (const { content } of finished) {
      const payload = payloadRefOf(content)
      if (payload?.place === 'file') this.ledger.retirePayload(payload.name, sequence)
    }
    const pending = this.ledger.firstPending()
    if (pending?.sequence === sequence && pending.vectors !== undefined) this.ledger.retire(pending.vectors, sequence)
    this.ledger.putCarriedOut(sequence)
  }

  async carriedOutEverywhere(sequence: number): Promise<void> {
    this.trouble = undefined
    this.tell()
    await this.members.carriedOut(sequence)
    if (this.isCoordinator) this.notified = sequence
  }

  /** The others go on without it. Whether it can again is tried with every batch that is decided on. */
  troubled(): void {
    this.trouble ??= { since: performance.now() }
    void this.lease?.standAside(STAND_ASIDE_MS)
    this.tell()
  }

  diverged(problem: Error): void {
    this.lose(problem)
  }

  private lose(problem: unknown): void {
    this.problem = problem instanceof Error ? problem : new Error(String(problem))
    this.options.log.error({ error: this.problem }, 'this server cannot go on with the data it has')
    this.tell()
    const { message } = this.problem
    const needsCopy = isOfData(this.problem)
    const noted = needsCopy ? this.queue!.store.write(() => this.ledger.lose(message)) : Promise.resolve()
    void noted.catch(() => {}).then(() => this.options.onLost(this.problem!, needsCopy))
  }

  // ---- the others

  private leaseChanged(): void {
    const isHeld = this.lease?.isHeld ?? false
    const holder = this.lease?.holder()
    this.options.log.info(
      { coordinator: holder },
      isHeld ? 'this server coordinates the cluster now' : 'the coordinator of the cluster changed',
    )
    this.tell()
    this.queue?.start()
  }

  private hear(bytes: Uint8Array): void {
    const report = decodeReport(bytes)
    if (report !== undefined && report.name !== this.options.name) this.members.hear(report)
  }

  private async report(log: ReplicatedLog): Promise<void> {
    while (!this.closing.signal.aborted) {
      if (!this.isAskingForEnd) void this.askForEnd(log)
      this.members.check()
      this.tell()
      await this.trim(log).catch((error) => this.options.log.warn({ error }, 'the cluster log could not be trimmed'))
      await this.pause(REPORT_EVERY_MS)
    }
  }

  private async askForEnd(log: ReplicatedLog): Promise<void> {
    this.isAskingForEnd = true
    const asked = performance.now()
    try {
      this.end = { sequence: await log.last(), knownAt: asked }
    } catch {
      // It shows by the time that passes.
    } finally {
      this.isAskingForEnd = false
    }
  }

  /** Nobody needs what all servers that were seen for a day have carried out. */
  private async trim(log: ReplicatedLog): Promise<void> {
    const others = this.members.list().filter(({ silentMs }) => silentMs < MEMBER_FORGOTTEN_MS)
    const done = Math.min(this.ledger.carriedOut, ...others.map(({ carriedOut }) => carriedOut))
    const below = this.trimming.next(done)
    if (below === undefined || !this.isCoordinator || below <= this.trimmedBelow) return
    // The last entry of a kind keeps everything behind it, and state may not change for months.
    if (this.ledger.lastOf('state') < below) await this.states.system.touch()
    for (const { key, ref } of [...this.ledger.retiredBelow(below)]) {
      await log.deleteBlob(ref)
      await this.queue!.store.write(() => this.ledger.forget(key))
    }
    this.trimmedBelow = await log.trim(below)
  }

  private tell(): void {
    this.log?.tell(encodeReport(this.self))
  }

  private get self(): MemberReport {
    const { name, url, version } = this.options
    return {
      name,
      url,
      version,
      isReady: this.isReady,
      registered: this.registered.value,
      carriedOut: this.ledger.carriedOut,
      isCoordinator: this.isCoordinator,
      trimmedBelow: this.trimmedBelow,
      notified: this.notified,
    }
  }

  /** Whether what this server answers is what the others would. */
  get isReady(): boolean {
    if (this.problem !== undefined || this.trouble !== undefined) return false
    if (performance.now() - this.end.knownAt > MOST_SILENT_MS) return false
    return !this.isLagging()
  }

  private isLagging(): boolean {
    if (this.ledger.firstPending() === undefined) this.lagsSince = undefined
    else this.lagsSince ??= performance.now()
    return this.lagsSince !== undefined && performance.now() - this.lagsSince > LONGEST_LAG_MS
  }

  status(): MemberStatus {
    const { sequence, knownAt } = this.end
    return {
      self: this.self,
      others: this.members.list(),
      coordinator: this.lease?.holder(),
      lastSequence: sequence,
      logSilentMs: Number.isFinite(knownAt) ? performance.now() - knownAt : undefined,
      problem: this.problem?.message,
    }
  }

  async logHealth(): Promise<LogHealth | undefined> {
    return this.log?.health().catch(() => undefined)
  }

  private pathOf(name: string): string {
    return join(this.options.updatesPath, name)
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.closing.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.closing.signal.addEventListener('abort', done)
    })
  }
}
