import { join } from 'node:path'
import { FailureError, fail, type Result } from '../../errors/index.js'
import type { Logger } from '../../log/index.js'
import { type Environment, StateEntries } from '../../store/index.js'
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
  type UnconfirmedBatch,
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
import { LogConnection } from './log-connection.js'
import {
  decodeReport,
  encodeReport,
  type HeardMember,
  type MemberReport,
  Members,
  type RosterEntry,
} from './members.js'
import { Notifications } from './notifications.js'
import { PayloadExchange } from './payload-exchange.js'
import { Position } from './positions.js'
import { isProven, type Progress, Readiness, type Standing } from './readiness.js'
import { ReplicatedState } from './replicated-state.js'
import { processRuntime, type Runtime } from './runtime.js'
import { Trimmer } from './trimmer.js'

/** Hears that this server cannot go on. With a copy of another server's data it can, if `needsCopy`. */
export type LossListener = (problem: Error, needsCopy: boolean) => void

type Folder = Pick<Environment, 'database' | 'write'>

/** What a member asks of the queue that it belongs to. */
export type MemberQueue = Pick<TaskQueue, 'registered' | 'start'> & {
  readonly store: Pick<TaskQueue['store'], 'write'>
  readonly registrar: Pick<TaskQueue['registrar'], 'preview' | 'registerLogged'>
}

export interface MemberOptions {
  readonly name: string
  /** Where others reach this server. */
  readonly url: string | null
  readonly version: string
  /** Connects to the log. Called again until it succeeds. With `mustExist` none is made. */
  readonly openLog: (how: { readonly mustExist: boolean }) => Promise<ReplicatedLog>
  readonly system: Folder
  readonly auth: Folder
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly clock: Clock
  readonly log: Logger
  readonly onLost: LossListener
  /** Default: that of this process. */
  readonly runtime?: Runtime
}

export interface MemberStatus {
  readonly self: MemberReport
  readonly others: readonly HeardMember[]
  /** Undefined while nobody knows of one. */
  readonly coordinator: string | undefined
  /** The end of the log, as far as it is known. */
  readonly lastSequence: number
  /** How long ago the log showed that a majority of it is there; undefined when it never did. */
  readonly logSilentMs: number | undefined
  readonly problem: string | undefined
}

const REPORT_EVERY_MS = 500
const STILL_HEARD_MS = 5_000
/** A request that gets no answer for longer is given up by many clients. */
const WRITE_TIMEOUT_MS = 25_000
const READING_OWN_WRITES_MS = 1_000
const RETRY_MS = 1_000
/** How long somebody who had trouble lets others coordinate. */
const STAND_ASIDE_MS = 10_000
/** Shorter, so that whoever gets the lease back may use it. */
const TROUBLED_MS = 9_000

const GROUPS = { maxItems: 2_000, maxBytes: 16 << 20, bytesOf: ({ body }: LogEntry) => body.length + 256 }

/** The log does not lead from the data of this server to those of the others. */
const isOfData = (error: unknown): boolean =>
  error instanceof Divergence || error instanceof LogTrimmed || error instanceof LogDamaged

/** Nothing gets better by trying again. */
const isFinal = (error: unknown): boolean =>
  isOfData(error) || error instanceof NewerRecord || error instanceof LazySync || error instanceof LogMissing

const rosterCodec = {
  encode: (entry: RosterEntry) => Buffer.from(JSON.stringify(entry)),
  decode: (bytes: Buffer) => JSON.parse(bytes.toString()) as RosterEntry,
}

/** One of several servers with the same data. Everything it does to its data, it reads from their log first. */
export class Member implements QueueReplication {
  readonly states: Readonly<Record<StatePlace, ReplicatedState>>
  private readonly runtime: Runtime
  private readonly ledger: Ledger
  private readonly registered: Position
  private readonly connection: LogConnection
  private readonly members: Members
  private readonly notifications = new Notifications()
  private readonly readiness: Readiness
  private readonly payloads: PayloadExchange
  /** The servers of the cluster, as all of them know them. */
  private readonly roster: StateEntries<RosterEntry>
  private readonly trimmer: Trimmer
  private readonly closing = new AbortController()
  private readonly answers = new Map<string, (task: Result<Task>) => void>()
  private lease: Lease | undefined
  private queue: MemberQueue | undefined
  private applier: Applier | undefined
  private running: Promise<unknown> = Promise.resolve()
  private problem: Error | undefined
  private troubledUntil = Number.NEGATIVE_INFINITY
  private end: Progress['end']
  private isAskingForEnd = false
  /** The last batch that this process carried out: it may not have read it yet. */
  private lastCarriedOut = 0
  /** All servers have carried them out, which is not written down yet. */
  private readonly confirmedLately = new Set<number>()

  constructor(private readonly options: MemberOptions) {
    const { system, auth, openLog, log, runtime = processRuntime } = options
    const { now } = runtime
    this.runtime = runtime
    this.members = new Members({ isListening: runtime.isListening, isProven: () => isProven(this.progress), now })
    this.readiness = new Readiness(runtime.newId, now)
    this.ledger = new Ledger(system)
    this.registered = new Position(this.ledger.link.sequence, runtime)
    // Whoever has read something of a log must not begin a new one.
    const open = () => openLog({ mustExist: this.ledger.link.sequence > 0 })
    this.connection = new LogConnection({ open, isFinal, closing: this.closing.signal, log, runtime })
    this.payloads = new PayloadExchange(() => this.log())
    const writer = {
      newId: runtime.newId,
      lastState: () => this.ledger.lastOf('state'),
      append: (id: string, record: StateRecord, after: number) => this.append(id, record, after).catch(this.refuse),
      laterState: (than: number) => this.laterState(than).catch(this.refuse),
    }
    this.states = {
      system: new ReplicatedState('system', system, writer),
      auth: new ReplicatedState('auth', auth, writer),
    }
    this.roster = new StateEntries(this.states.system, 'members', rosterCodec)
    this.states.system.follow('members', () => this.followRoster())
    const write = (work: () => void) => this.queue!.store.write(work)
    this.trimmer = new Trimmer({ ledger: this.ledger, state: this.states.system, write, now })
  }

  /** Begins to read the log, for a queue that was made with this member. */
  start(queue: MemberQueue): void {
    this.queue = queue
    this.applier = new Applier({
      ledger: this.ledger,
      write: (work) => queue.store.write(work),
      registerTasks: (tasks) => queue.registrar.registerLogged(tasks),
      system: this.states.system,
      auth: { environment: this.options.auth, state: this.states.auth },
    })
    this.running = this.run(queue).catch((error) => this.lose(error))
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.lease?.release()
    await this.running
    await this.connection.current?.close()
  }

  // ---- reading

  private async run(queue: MemberQueue): Promise<void> {
    const log = await this.connection.open()
    if (log === undefined) return
    log.onTold((bytes) => this.hear(bytes))
    this.members.listen()
    this.followRoster()
    void this.enrol()
    this.lease = log.lease(this.options.name)
    this.lease.onChange(() => this.leaseChanged())
    await Promise.all([this.readOn(log, queue), this.report(log)])
  }

  private async readOn(log: ReplicatedLog, queue: MemberQueue): Promise<void> {
    const { signal } = this.closing
    while (!signal.aborted && this.problem === undefined) {
      try {
        await this.checkLog(log)
        await queue.store.write(() => this.ledger.follow(log.identity))
        const entries = log.read(this.ledger.link.sequence + 1, { signal })
        for await (const group of inGroups(entries, GROUPS)) await this.apply(log, group)
      } catch (error) {
        if (signal.aborted) return
        if (isFinal(error)) return this.lose(error)
        this.options.log.error({ error }, 'the cluster log could not be read or applied, which is tried again')
        await this.runtime.pause(RETRY_MS, signal)
      }
    }
  }

  /** Throws when the log does not go on where the data of this server end. */
  private async checkLog(log: ReplicatedLog): Promise<void> {
    const { position, logIdentity } = this.ledger.state
    const { firstSequence, lastSequence } = await log.health()
    if (position + 1 < firstSequence) throw new LogTrimmed(position + 1, firstSequence)
    const isAnother = logIdentity !== undefined && logIdentity !== log.identity && position + 1 !== firstSequence
    if (isAnother || position > lastSequence)
      throw new Divergence(
        `the log has entries from ${firstSequence} to ${lastSequence}, and this server has read up to ${position}`,
      )
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
    const id = this.runtime.newId()
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

  /** Changes of state have no result in which a refusal could come back. */
  private readonly refuse = (cause: unknown): never => {
    if (!(cause instanceof LogUnavailable)) throw cause
    throw new FailureError(fail('cluster_unavailable', this.options.name).failure, { cause })
  }

  private async taskRecord(content: NewTask, options: EnqueueOptions): Promise<TaskRecord> {
    const payload = receivedWith(content)
    const blob = payload?.place === 'file' ? await this.payloads.put(this.pathOf(payload.name)) : undefined
    const enqueuedAt = formatTimestamp(this.options.clock())
    return { kind: 'task', enqueuedAt, content, options, ...(blob && { blob }) }
  }

  /** Resolves when this server has applied it as well. */
  private async append(id: string, record: TaskRecord | StateRecord, after?: number): Promise<void> {
    const log = await this.log()
    const options = { timeoutMs: WRITE_TIMEOUT_MS, ...(after === undefined ? {} : { after }) }
    const sequence = await appendRecord(log, id, record, options)
    if (!(await this.registered.reach(sequence, WRITE_TIMEOUT_MS)))
      throw new LogUnavailable('what was appended did not come back in time')
  }

  private async laterState(than: number): Promise<void> {
    const last = await (await this.log()).last('state')
    await this.registered.reach(Math.max(last, than + 1), WRITE_TIMEOUT_MS)
  }

  private log(): Promise<ReplicatedLog> {
    return this.connection.within(WRITE_TIMEOUT_MS)
  }

  /** Resolves when this server knows what was in the log when it was called, or after a second. */
  async caughtUp(): Promise<void> {
    const { current } = this.connection
    if (current === undefined) return
    const late = this.runtime.pause(READING_OWN_WRITES_MS, this.closing.signal).then(() => 0)
    const last = await Promise.race([current.last().catch(() => 0), late])
    await this.registered.reach(last, READING_OWN_WRITES_MS)
  }

  /** Resolves when this server knows everything that was in the log when it began to read. */
  async firstCaughtUp(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const last = await this.log()
        .then((log) => log.last())
        .catch(() => undefined)
      if (last !== undefined && (await this.registered.reach(last, WRITE_TIMEOUT_MS))) return
    }
  }

  // ---- batches

  private get isTroubled(): boolean {
    return this.runtime.now() < this.troubledUntil
  }

  get isCoordinator(): boolean {
    return this.problem === undefined && !this.isTroubled && (this.lease?.isHeld ?? false)
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
    const log = await this.log()
    const vectors = vectorsPath === undefined ? undefined : await this.payloads.put(vectorsPath)
    const record: BatchRecord = { kind: 'batch', decision, chain: this.ledger.link, ...(vectors && { vectors }) }
    // A batch that was read while this one was prepared comes first, and this one was planned without it.
    if (this.ledger.firstPending() !== undefined) throw new JobCancelled()
    // Not one that this server decided on and then could not complete: that is the next one to carry out.
    const after = Math.max(this.ledger.lastOf('batch'), this.lastCarriedOut)
    try {
      return await appendRecord(log, decision.id, record, { after, timeoutMs: WRITE_TIMEOUT_MS })
    } catch (error) {
      if (!(error instanceof LogMoved)) throw error
      // Another server decides by now. Its batch is the next one here as well.
      await this.registered.reach(await log.last('batch'), WRITE_TIMEOUT_MS)
      throw new JobCancelled()
    }
  }

  unconfirmed(): UnconfirmedBatch[] {
    return this.ledger.unconfirmed()
  }

  carriedOut({ sequence, batchUid }: UnconfirmedBatch, finished: readonly Task[]): void {
    for (const { content } of finished) {
      const payload = payloadRefOf(content)
      if (payload?.place === 'file') this.ledger.retirePayload(payload.name, sequence)
    }
    const pending = this.ledger.firstPending()
    if (pending?.sequence === sequence && pending.vectors !== undefined) this.ledger.retire(pending.vectors, sequence)
    this.ledger.putCarriedOut(sequence, batchUid)
  }

  async carriedOutEverywhere(sequence: number): Promise<void> {
    this.troubledUntil = Number.NEGATIVE_INFINITY
    this.lastCarriedOut = sequence
    this.tell()
    await this.members.carriedOut(sequence)
  }

  mustNotify(sequence: number): Promise<boolean> {
    return this.notifications.isOurs(sequence, this.isCoordinator)
  }

  /** Written down with the next report: who is stopped before waits for the others once more. */
  confirmed(sequence: number): void {
    this.confirmedLately.add(sequence)
  }

  private async noteConfirmed(): Promise<void> {
    const confirmed = [...this.confirmedLately]
    if (confirmed.length === 0) return
    this.confirmedLately.clear()
    await this.queue!.store.write(() => this.ledger.confirm(confirmed))
  }

  /** The others go on without it for a while. Whoever carries out their batches well is no longer troubled. */
  troubled(): void {
    this.troubledUntil = this.runtime.now() + TROUBLED_MS
    void this.lease?.standAside(STAND_ASIDE_MS)
    this.tell()
  }

  diverged(problem: Error): void {
    this.lose(problem)
  }

  private lose(problem: unknown): void {
    if (this.problem !== undefined) return
    const lost = problem instanceof Error ? problem : new Error(String(problem))
    this.problem = lost
    this.options.log.error({ error: lost }, 'this server cannot go on')
    this.tell()
    const needsCopy = isOfData(lost)
    const noted = needsCopy ? this.queue!.store.write(() => this.ledger.lose(lost.message)) : Promise.resolve()
    void noted.catch(() => {}).then(() => this.options.onLost(lost, needsCopy))
  }

  // ---- the others

  private leaseChanged(): void {
    const isHeld = this.lease?.isHeld ?? false
    const facts = { coordinator: this.lease?.holder() ?? null }
    this.options.log.info(facts, isHeld ? 'this server coordinates the cluster now' : 'another server coordinates')
    if (this.isCoordinator) this.notifications.takeOver()
    this.tell()
    this.queue?.start()
  }

  /** The cluster does not wait for this server any more. False while it is heard: then it would be back at once. */
  async removeMember(name: string): Promise<boolean> {
    const member = this.members.list().find((each) => each.name === name)
    if (member !== undefined && member.version !== '' && member.silentMs < STILL_HEARD_MS) return false
    await this.roster.change((roster) => roster.delete(name))
    return true
  }

  private hear(bytes: Uint8Array): void {
    const report = decodeReport(bytes)
    if (report === undefined || report.name === this.options.name) return
    this.notifications.sentBy(report.notified)
    // Who asks anew waits for an answer.
    if (this.members.hear(report)) this.tell()
  }

  /** All servers know of this one before it answers anybody. */
  private async enrol(): Promise<void> {
    const { name, url, log } = this.options
    const { signal } = this.closing
    while (!signal.aborted && !this.isEnrolled) {
      try {
        await this.roster.change((roster) => roster.put(name, { name, url }))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ error }, 'this server could not enter itself among those of the cluster, which is tried again')
        await this.runtime.pause(RETRY_MS, signal)
      }
    }
  }

  private get isEnrolled(): boolean {
    const { name, url } = this.options
    const entry = this.roster.get(name)
    return entry !== undefined && entry.url === url
  }

  private followRoster(): void {
    const names = new Set(this.roster.values().map(({ name }) => name))
    for (const entry of this.roster.values()) if (entry.name !== this.options.name) this.members.expect(entry)
    for (const { name } of this.members.list()) if (!names.has(name)) this.members.forget(name)
  }

  private async report(log: ReplicatedLog): Promise<void> {
    const { signal } = this.closing
    while (!signal.aborted) {
      if (!this.isAskingForEnd) void this.askForEnd(log)
      this.members.check()
      this.tell()
      await this.noteConfirmed().catch((error) => {
        this.options.log.warn({ error }, 'it could not be noted which batches all servers have carried out')
      })
      await this.trimmer.trim(log, this.members.list(), this.isCoordinator).catch((error) => {
        this.options.log.warn({ error }, 'the cluster log could not be trimmed')
      })
      await this.runtime.pause(REPORT_EVERY_MS, signal)
    }
  }

  private async askForEnd(log: ReplicatedLog): Promise<void> {
    this.isAskingForEnd = true
    const askedAt = this.runtime.now()
    try {
      this.end = { sequence: await log.last(), askedAt }
    } catch {
      // Who cannot be asked shows by the proof that is missing.
    } finally {
      this.isAskingForEnd = false
    }
  }

  private tell(): void {
    this.connection.current?.tell(encodeReport(this.self))
  }

  private get progress(): Progress {
    return {
      name: this.options.name,
      isSound: this.problem === undefined && !this.isTroubled && this.members.isSettled && this.isEnrolled,
      carriedOut: this.ledger.carriedOut,
      registered: this.registered.value,
      end: this.end,
      firstPending: this.ledger.firstPending()?.sequence,
      provenMs: this.lease?.provenMs ?? Number.POSITIVE_INFINITY,
    }
  }

  private get self(): MemberReport {
    const { name, url, version } = this.options
    return {
      name,
      url,
      version,
      ...this.standing,
      isSettled: this.members.isSettled,
      waitsFor: this.members.waitsFor,
      shown: this.members.shown,
      isProven: isProven(this.progress),
      registered: this.registered.value,
      carriedOut: this.ledger.carriedOut,
      isCoordinator: this.isCoordinator,
      notified: this.notifications.sent,
    }
  }

  /** Whether what this server answers is what the others would. */
  get isReady(): boolean {
    return this.standing.isReady
  }

  private get standing(): Standing {
    return this.readiness.look(this.progress, this.members.present())
  }

  status(): MemberStatus {
    const { provenMs } = this.progress
    return {
      self: this.self,
      others: this.members.list(),
      coordinator: this.lease?.holder(),
      lastSequence: this.end?.sequence ?? 0,
      logSilentMs: Number.isFinite(provenMs) ? provenMs : undefined,
      problem: this.problem?.message,
    }
  }

  async logHealth(): Promise<LogHealth | undefined> {
    return this.connection.current?.health().catch(() => undefined)
  }

  private pathOf(name: string): string {
    return join(this.options.updatesPath, name)
  }
}
