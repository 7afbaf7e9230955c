import type { Result } from '../../errors/index.js'
import {
  type BatchDecision,
  type DecidedBatch,
  Divergence,
  type EnqueueOptions,
  type NewTask,
  type QueueReplication,
  type Task,
  type UnconfirmedBatch,
} from '../../tasks/index.js'
import { Ledger } from '../ledger/ledger.js'
import type { Lease, LogEntry, LogHealth, ReplicatedLog } from '../log/model.js'
import { LazySync, LogDamaged, LogMissing, LogTrimmed } from '../log/problems.js'
import type { StatePlace } from '../records/record.js'
import { NewerRecord } from '../records/record-codec.js'
import { readRecord } from '../records/record-log.js'
import { Applier } from './applier.js'
import { BatchAgreement } from './batch-agreement.js'
import { inGroups } from './in-groups.js'
import { LogConnection } from './log-connection.js'
import { LogWriter } from './log-writer.js'
import { decodeReport, encodeReport, type HeardMember, type MemberReport, Members } from './members.js'
import type { MemberOptions, MemberQueue, MemberStatus } from './model.js'
import { Notifications } from './notifications.js'
import { PayloadExchange } from './payload-exchange.js'
import { Position } from './positions.js'
import { isProven, type Progress, Readiness, type Standing } from './readiness.js'
import { ReplicatedState } from './replicated-state.js'
import { Roster } from './roster.js'
import { processRuntime, type Runtime } from './runtime.js'
import { Trimmer } from './trimmer.js'

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

/** Even a server that is never going to catch up does not hold the others up for longer with each batch. */
const LONGEST_WAY_MS = 2_000

const GROUPS = { maxItems: 2_000, maxBytes: 16 << 20, bytesOf: ({ body }: LogEntry) => body.length + 256 }

/** The log does not lead from the data of this server to those of the others. */
const isOfData = (error: unknown): boolean =>
  error instanceof Divergence || error instanceof LogTrimmed || error instanceof LogDamaged

/** Nothing gets better by trying again. */
const isFinal = (error: unknown): boolean =>
  isOfData(error) || error instanceof NewerRecord || error instanceof LazySync || error instanceof LogMissing

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
  private readonly writer: LogWriter
  private readonly batches: BatchAgreement
  private readonly roster: Roster
  private readonly trimmer: Trimmer
  private readonly closing = new AbortController()
  private lease: Lease | undefined
  private queue: MemberQueue | undefined
  private applier: Applier | undefined
  private running: Promise<unknown> = Promise.resolve()
  private problem: Error | undefined
  private troubledUntil = Number.NEGATIVE_INFINITY
  private end: Progress['end']
  private isAskingForEnd = false

  constructor(private readonly options: MemberOptions) {
    const { name, url, system, auth, openLog, updatesPath, clock, log, runtime = processRuntime } = options
    const { now, newId } = runtime
    const closing = this.closing.signal
    this.runtime = runtime
    this.members = new Members({ isListening: runtime.isListening, isProven: () => isProven(this), now })
    this.readiness = new Readiness(newId, now)
    const ledger = new Ledger(system)
    this.ledger = ledger
    const registered = new Position(ledger.link.sequence, runtime)
    this.registered = registered
    // Whoever has read something of a log must not begin a new one.
    const open = () => openLog({ mustExist: ledger.link.sequence > 0 })
    this.connection = new LogConnection({ open, isFinal, closing, log, runtime })
    const shared = {
      ledger,
      registered,
      updatesPath,
      payloads: new PayloadExchange(() => this.log()),
      log: () => this.log(),
      timeoutMs: WRITE_TIMEOUT_MS,
    }
    this.writer = new LogWriter({ ...shared, name, clock, runtime })
    this.batches = new BatchAgreement(shared)
    const state = new ReplicatedState('system', system, this.writer)
    this.states = { system: state, auth: new ReplicatedState('auth', auth, this.writer) }
    const onChange = () => this.followRoster()
    this.roster = new Roster({ self: { name, url }, state, runtime, closing, log, onChange })
    this.trimmer = new Trimmer({ ledger, state, write: (work) => this.queue!.store.write(work), now })
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
    this.roster.begin()
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
    const tasks = [...registered.values()].flat().flatMap((task) => (task.ok ? [task.value] : []))
    this.writer.answer(registered)
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
    return preview.ok ? this.writer.register(content, options) : preview
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
    return this.problem === undefined && !this.isTroubled && this.isComplete && (this.lease?.isHeld ?? false)
  }

  private get isComplete(): boolean {
    return this.queue?.isComplete?.() ?? true
  }

  /** Whether it has carried out everything that the log held when it last looked. */
  get isCaughtUp(): boolean {
    const { end } = this
    return (
      end !== undefined && this.registered.value >= end.sequence && this.ledger.firstPendingSequence() === undefined
    )
  }

  /** Otherwise a server that is as fast as this one would never catch up with it. */
  async makeWay(lastBatchMs: number): Promise<void> {
    const isCatchingUp = ({ awaited, silentMs }: HeardMember) => awaited === null && silentMs < STILL_HEARD_MS
    if (!this.members.present().some(isCatchingUp)) return
    await this.runtime.pause(Math.min(2 * lastBatchMs, LONGEST_WAY_MS), this.closing.signal)
  }

  get lastRegistered(): number {
    return this.registered.value
  }

  get lastBatch(): number {
    return this.ledger.carriedOut
  }

  nextBatch(): DecidedBatch | undefined {
    return this.problem === undefined ? this.batches.next() : undefined
  }

  fetchPayloads(tasks: readonly Task[]): Promise<void> {
    return this.batches.fetchPayloads(tasks)
  }

  fetchVectors(decided: DecidedBatch, path: string): Promise<void> {
    return this.batches.fetchVectors(decided, path)
  }

  decide(decision: BatchDecision, vectorsPath: string | undefined): Promise<number> {
    return this.batches.decide(decision, vectorsPath)
  }

  unconfirmed(): UnconfirmedBatch[] {
    return this.ledger.unconfirmed()
  }

  carriedOut(batch: UnconfirmedBatch, finished: readonly Task[]): void {
    this.batches.carryOut(batch, finished)
  }

  async carriedOutEverywhere(sequence: number): Promise<void> {
    this.troubledUntil = Number.NEGATIVE_INFINITY
    this.batches.carriedOut(sequence)
    this.tell()
    await this.members.carriedOut(sequence)
  }

  mustNotify(sequence: number): Promise<boolean> {
    return this.notifications.isOurs(sequence, this.isCoordinator)
  }

  notified(sequence: number): void {
    this.notifications.ended(sequence)
  }

  confirmed(sequence: number): void {
    this.batches.confirmed(sequence)
  }

  /** The others go on without it for a while. Whoever carries out their batches well is no longer troubled. */
  troubled(): void {
    this.troubledUntil = this.runtime.now() + TROUBLED_MS
    void this.lease?.standAside(STAND_ASIDE_MS)
    this.tell()
  }

  /** Lets another server coordinate, if this one would have to. */
  stepAside(): void {
    if (this.lease?.isHeld) void this.lease.standAside(STAND_ASIDE_MS)
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
    await this.roster.remove(name)
    return true
  }

  private hear(bytes: Uint8Array): void {
    const report = decodeReport(bytes)
    if (report === undefined || report.name === this.options.name) return
    this.notifications.sentBy(report.notified)
    // Who asks anew waits for an answer.
    if (this.members.hear(report)) this.tell()
  }

  private followRoster(): void {
    const others = this.roster.others()
    for (const entry of others) this.members.expect(entry)
    const gone = this.members.list().filter((member) => !others.some(({ name }) => name === member.name))
    for (const { name } of gone) this.members.forget(name)
  }

  private async report(log: ReplicatedLog): Promise<void> {
    const { signal } = this.closing
    while (!signal.aborted) {
      if (!this.isAskingForEnd) void this.askForEnd(log)
      this.members.check()
      this.tell()
      await this.batches
        .noteConfirmed((work) => this.queue!.store.write(work))
        .catch((error) => {
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

  /** How long ago a majority of the log proved to be there. */
  get provenMs(): number {
    return this.lease?.provenMs ?? Number.POSITIVE_INFINITY
  }

  private get progress(): Progress {
    return {
      name: this.options.name,
      isSound: this.isSound,
      carriedOut: this.ledger.carriedOut,
      registered: this.registered.value,
      end: this.end,
      firstPending: this.ledger.firstPendingSequence(),
      provenMs: this.provenMs,
    }
  }

  private get isSound(): boolean {
    const isWell = this.problem === undefined && !this.isTroubled && this.isComplete
    return isWell && this.members.isSettled && this.roster.isEnrolled
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
      isProven: isProven(this),
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

  get name(): string {
    return this.options.name
  }

  get others(): HeardMember[] {
    return this.members.list()
  }

  /** Where all servers of the cluster are reached, as far as they say so. */
  get urls(): ReadonlyMap<string, string> {
    const all = [this.options, ...this.others]
    return new Map(all.flatMap(({ name, url }) => (url === null ? [] : [[name, url] as const])))
  }

  /** Undefined while nobody is known to coordinate. */
  get coordinator(): string | undefined {
    return this.lease?.holder()
  }

  status(): MemberStatus {
    const { provenMs, others, coordinator } = this
    return {
      self: this.self,
      others,
      coordinator,
      lastSequence: this.end?.sequence ?? 0,
      logSilentMs: Number.isFinite(provenMs) ? provenMs : undefined,
      problem: this.problem?.message,
    }
  }

  async logHealth(): Promise<LogHealth | undefined> {
    return this.connection.current?.health().catch(() => undefined)
  }
}
