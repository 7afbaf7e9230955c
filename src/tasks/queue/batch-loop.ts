import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { PayloadFiles } from '../../payload/index.js'
import { JobCancelled } from '../../threads/index.js'
import { payloadRefOf, type Task, type TaskType } from '../model/task.js'
import type { Ballot, Poll } from '../run/ballot.js'
import { type BatchDecision, type DecidedBatch, Divergence } from '../run/batch-decision.js'
import type { RunServices } from '../run/batch-jobs.js'
import type { BatchOutcome, Effects, Permits } from '../run/batch-outcome.js'
import { BatchRun, voteOf } from '../run/batch-run.js'
import { type Plan, type PlanLimits, planCancelation, planNext } from '../schedule/plan.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import type { RunningTasks } from '../store/task-filter.js'
import { addedUp, type DatabaseBytes } from '../view/size-changes.js'
import { type AskedBallot, BallotBox, BallotStale, type HeldVote } from './ballot-box.js'
import { Confirmations } from './confirmations.js'
import { dropEmptyBatches, type FinishedBatch, finishBatch } from './finish-batch.js'
import type { QueueReplication } from './replication.js'
import { RunningState } from './running-state.js'
import { SetRefresh } from './set-refresh.js'

/** What the queue tells the log. */
export interface QueueLog {
  error(facts: object, message: string): void
  warn(facts: object, message: string): void
}

export interface BatchLoopOptions {
  readonly services: RunServices
  readonly limits: PlanLimits
  /** RFC 3339. */
  readonly now: () => string
  readonly log: QueueLog
  /** Where batches are agreed on with other servers. */
  readonly replication: QueueReplication | undefined
  /** Called before each batch that this server chooses. */
  readonly beforeEach: () => Promise<void>
  /** Called once for each batch, when everybody may see its end. */
  /** Resolves when all who want to know were told, or could not be. */
  readonly notify: (tasks: readonly Task[], batchUid: number) => Promise<void>
  /** Pause after a batch whose end could not be written. */
  readonly retryMs: number
}

/** What the same comes of on all servers, however documents are divided among them. */
const UNDIVIDED: ReadonlySet<Plan['kind']> = new Set([
  'cancelation',
  'deletion',
  'compaction',
  'upgrade',
  'export',
  'dump',
  'snapshot',
])

const STOPPED_AT_ONCE: ReadonlySet<TaskType> = new Set(['export', 'upgradeDatabase', 'networkTopologyChange'])

/** Processes what waits, one batch at a time, and renews what searches need when nothing does. */
export class BatchLoop {
  private readonly setRefresh: SetRefresh
  private running: RunningState | undefined
  private readonly confirmations: Confirmations
  private readonly ballots = new BallotBox()
  /** Whose votes are missing, now that the part of this server is prepared. */
  private awaited: Poll | undefined
  private isStopping = false
  /** After an upgrade that failed or was undone tasks are taken, but not processed (spec 2 §8.2). */
  private permits: Permits = 'everything'
  private isAwake = false
  private isWanted = false
  private loop: Promise<void> = Promise.resolve()
  /** Work that has to be done while no batch runs. */
  private readonly pauses: (() => Promise<void>)[] = []

  constructor(private readonly options: BatchLoopOptions) {
    const { store, catalogue, indexing, indexesPath } = options.services
    this.setRefresh = new SetRefresh({ store, catalogue, indexing, indexesPath })
    const { replication, now, notify } = options
    this.confirmations = new Confirmations({ store, replication, now, notify })
  }

  /**
   * Lets the running batch end, then stops. Tasks that wait stay enqueued; so does one that takes long and changes
   * nothing until its end, such as an export to a server that does not answer: the next start does it again.
   */
  async stop(): Promise<void> {
    this.isStopping = true
    const type = this.running?.tasks[0]?.content.type
    if (this.isBackingUp || (type !== undefined && STOPPED_AT_ONCE.has(type))) this.running?.run?.cancel()
    this.setRefresh.stop()
    this.letGo()
    await this.loop
  }

  get current(): RunningState | undefined {
    return this.running
  }

  /** Batches whose tasks are shown as being processed. */
  get shown(): readonly RunningState[] {
    const { shown } = this.confirmations
    return this.running === undefined ? shown : [this.running, ...shown]
  }

  get overlays(): readonly RunningTasks[] {
    return this.shown.map(({ filterView }) => filterView)
  }

  /** Whether a dump or a snapshot is being written right now. */
  get isBackingUp(): boolean {
    const type = this.running?.tasks[0]?.content.type
    return type === 'dumpCreation' || type === 'snapshotCreation'
  }

  /** Runs work before the next batch, and holds that back until it is done. */
  betweenBatches<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.pauses.push(() => work().then(resolve, reject))
      this.letGo()
      this.wake()
    })
  }

  /** A batch that waits for other servers makes way: perhaps they wait for what is to be done here first. */
  private letGo(): void {
    this.awaited?.end()
    this.ballots.look()
  }

  /** Prepares a batch that another server is about to decide on; holds it until that is known. */
  vote(ballot: Ballot, signal: AbortSignal): HeldVote {
    return this.ballots.ask(ballot, signal, () => this.wake())
  }

  wake(): void {
    this.isWanted = true
    this.setRefresh.interrupt()
    this.ballots.look()
    if (this.isAwake || this.isStopping) return
    this.isAwake = true
    this.loop = this.processAll()
  }

  /** Ends when nothing waits. Falling asleep and looking a last time happen in one turn, so no call is missed. */
  private async processAll(): Promise<void> {
    const { log, services, retryMs, replication } = this.options
    while (!this.isStopping && this.isWanted) {
      this.isWanted = false
      try {
        while (!this.isStopping && (await this.processNext())) {}
        await this.refreshNext()
      } catch (error) {
        // The end of a batch could not be written (a full disk): wait a little rather than spin, then try again.
        log.error({ error }, 'a batch could not be finished')
        replication?.troubled(error)
        services.catalogue.reload()
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        this.isWanted = true
      }
    }
    this.isAwake = false
  }

  private async processNext(): Promise<boolean> {
    const { replication, beforeEach } = this.options
    for (let pause = this.pauses.shift(); pause !== undefined; pause = this.pauses.shift()) await pause()
    const decided = replication?.nextBatch()
    const asked = decided === undefined && replication ? this.ballots.take(replication) : undefined
    if (decided !== undefined) await this.carryOut(decided)
    else if (asked !== undefined) await this.prepareFor(asked)
    else {
      if (replication?.isCoordinator === false) return false
      await beforeEach()
      const plan = this.plan()
      if (plan === undefined) return false
      const began = performance.now()
      await this.process(plan)
      await replication?.makeWay(performance.now() - began)
    }
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
    const { limits, services } = this.options
    const { store, catalogue } = services
    switch (this.permits) {
      case 'nothing':
        return undefined
      case 'cancelations':
        return planCancelation(store, limits)
      case 'everything':
        return planNext(store, (uid) => factsOf(catalogue.get(uid)), limits, services.topology)
    }
  }

  private async process(plan: Plan): Promise<void> {
    const { services, replication, now } = this.options
    const { store, catalogue } = services
    const id = replication === undefined ? plan.tasks.map((task) => task.uid).join(',') : randomUUID()
    const batchUid = plan.batchUid ?? store.nextBatchUid()
    const running = new RunningState(batchUid, plan.tasks, now(), plan.strategy)
    try {
      await this.during(running, async () => {
        await replication?.fetchPayloads(plan.tasks)
        const run = this.start(running, plan, { id, mode: 'record' })
        if (replication === undefined) return this.complete(running, await run.run())
        const poll = this.poll(running, plan, id)
        // Whoever does not hear from others any more need not go on.
        poll?.votes.catch(() => run.cancel())
        try {
          const outcome = await run.run()
          await this.decide(running, poll ? await this.agree(run, outcome, poll) : outcome, { id, plan })
        } finally {
          poll?.end()
        }
      })
    } catch (error) {
      // A stopped batch was rolled back: its tasks are enqueued as before (spec 2 §2.6).
      if (!(error instanceof JobCancelled)) throw error
      // Where servers share a log it holds no batch, so that no server may have its index.
      const made = replication === undefined ? await running.run?.madeIndex() : undefined
      if (made !== undefined) await store.write(() => catalogue.put(made))
    }
  }

  private poll({ uid: batchUid, startedAt, strategy }: RunningState, { kind, tasks }: Plan, id: string) {
    if (UNDIVIDED.has(kind)) return undefined
    const uids = tasks.map(({ uid }) => uid)
    return this.options.services.voters?.ask({ id, kind, tasks: uids, batchUid, startedAt, strategy })
  }

  private async agree(run: BatchRun, outcome: BatchOutcome, poll: Poll): Promise<BatchOutcome> {
    this.awaited = poll
    if (this.isNeeded) poll.end()
    try {
      return await run.agree(outcome, poll)
    } finally {
      this.awaited = undefined
    }
  }

  /** For something that cannot wait for other servers. */
  private get isNeeded(): boolean {
    return this.isStopping || this.pauses.length > 0
  }

  /** Does for another server what `process` does, up to the decision. */
  private async prepareFor({ ballot, signal, resolve, reject, release }: AskedBallot): Promise<void> {
    const { services, replication } = this.options
    const { id, kind, batchUid, startedAt, strategy } = ballot
    const tasks = ballot.tasks.flatMap((uid) => services.store.get(uid) ?? [])
    if (tasks.length < ballot.tasks.length) return reject(new BallotStale())
    const running = new RunningState(batchUid, tasks, startedAt, strategy)
    try {
      await this.during(running, async () => {
        await replication!.fetchPayloads(tasks)
        const run = this.start(running, { kind, tasks, strategy, batchUid }, { id, mode: 'record' })
        const outcome = await this.ballots.whileWanted(signal, run)
        resolve(voteOf(outcome))
        await this.ballots.hold(signal, () => this.isNeeded || replication!.nextBatch() !== undefined)
        const decided = replication!.nextBatch()
        if (decided?.id === id && !decided.failed && !outcome.failed)
          await this.completeAs(running, { ...outcome, endings: decided.endings }, decided)
      })
    } catch (error) {
      reject(error as Error)
      if (!(error instanceof JobCancelled)) throw error
    } finally {
      release()
    }
  }

  /** Whatever happens, what was prepared does not stay open, and the batch is no longer shown. */
  private async during(running: RunningState, work: () => Promise<void>): Promise<void> {
    // Whatever this batch is: indexes are what most others are about.
    this.options.services.indexing.start()
    this.running = running
    try {
      await work()
    } finally {
      this.running = undefined
      await running.run?.abandon()
      if (this.options.replication !== undefined) await rm(this.vectorsPath(running), { force: true })
    }
  }

  private start(running: RunningState, plan: Plan, batch: { id: string; mode: 'record' | 'replay' }): BatchRun {
    const { services, replication } = this.options
    const { onProgress, onRequests, onHanded } = running
    running.run = new BatchRun(services, plan, {
      now: running.startedAt,
      batchKey: batch.id,
      onProgress,
      onRequests,
      onHanded,
      ...(replication && { preparing: { vectors: this.recording(running, batch.mode) } }),
    })
    return running.run
  }

  /** Where each server has other documents, models are asked for those by each of them. */
  private recording(running: RunningState, mode: 'record' | 'replay') {
    return this.options.services.topology.shards() === undefined ? { mode, path: this.vectorsPath(running) } : undefined
  }

  private vectorsPath(running: RunningState): string {
    return this.options.services.payloads.pathOf(`vectors-${running.uid}`)
  }

  /** Asks the log to take what came out as the batch of all servers, then commits it. */
  private async decide(running: RunningState, outcome: BatchOutcome, batch: { id: string; plan: Plan }): Promise<void> {
    const finished = this.finish(running, outcome)
    const { failed, digest, endings } = outcome
    const decision: BatchDecision = {
      id: batch.id,
      kind: batch.plan.kind,
      tasks: running.tasks.map(({ uid }) => uid),
      batch: finished.batch,
      endings,
      ...(failed && { failed }),
      ...(digest === undefined ? {} : { digest }),
    }
    const vectorsPath = outcome.hasVectors ? this.vectorsPath(running) : undefined
    const sequence = await this.options.replication!.decide(decision, vectorsPath)
    await this.complete(running, outcome, { finished, sequence })
  }

  /** Does what another server decided, or this one before it was stopped. */
  private async carryOut(decided: DecidedBatch): Promise<void> {
    const { services, replication } = this.options
    const { batch, kind } = decided
    const tasks = decided.tasks.map((uid) => services.store.get(uid))
    if (!tasks.every((task) => task !== undefined)) {
      return replication!.diverged(new Divergence(`it lacks tasks of batch ${batch.uid}`))
    }
    const plan: Plan = { kind, tasks, strategy: batch.strategy, batchUid: batch.uid }
    const running = new RunningState(batch.uid, tasks, batch.startedAt, batch.strategy)
    await this.during(running, async () => {
      await replication!.fetchPayloads(tasks)
      await replication!.fetchVectors(decided, this.vectorsPath(running))
      try {
        const outcome = await this.start(running, plan, { id: decided.id, mode: 'replay' }).repeat(decided)
        await this.completeAs(running, outcome, decided)
      } catch (error) {
        if (error instanceof Divergence) replication!.diverged(error)
        throw error
      }
    })
  }

  /** All servers end it in the same way. */
  private async completeAs(running: RunningState, outcome: BatchOutcome, decided: DecidedBatch): Promise<void> {
    const { batch, sequence } = decided
    const finished = { ...this.finish(running, outcome, batch.finishedAt), batch }
    await this.complete(running, outcome, { finished, sequence })
  }

  private finish(running: RunningState, outcome: BatchOutcome, finishedAt = this.options.now()): FinishedBatch {
    const { errorsUrl } = this.options.services
    return finishBatch(running, outcome, { finishedAt, errorsUrl, bytesBefore: this.databaseBytes(running.indexUids) })
  }

  private databaseBytes(uids: Iterable<string>): DatabaseBytes {
    const { catalogue } = this.options.services
    return addedUp(Array.from(uids, (uid) => catalogue.get(uid)?.stats.databaseBytes ?? {}))
  }

  /** Ends all tasks of the batch at once, then tidies up and tells the webhooks. */
  private async complete(
    running: RunningState,
    outcome: BatchOutcome,
    agreed?: { readonly finished: FinishedBatch; readonly sequence: number },
  ): Promise<void> {
    const effects = await outcome.complete()
    running.beginWriting()
    const { store } = this.options.services
    const finished = await store.write(() => {
      const finished = agreed?.finished ?? this.finish(running, outcome)
      this.write(finished, outcome, effects)
      if (agreed !== undefined)
        this.options.replication?.carriedOut({ sequence: agreed.sequence, batchUid: running.uid }, finished.tasks)
      return finished
    })
    effects.committed?.()
    // Not before: until the commit is on disk the batch has no record, and its tasks are seen as being processed.
    if (agreed === undefined) this.running = undefined
    else {
      this.confirmations.add(running, finished.tasks, agreed.sequence)
      this.running = undefined
    }
    this.setRefresh.note(running.indexUids)
    for (const task of outcome.canceled) {
      if (task.content.type === 'networkTopologyChange') this.options.services.topology.abandoned(task)
    }
    if (outcome.permits !== 'everything') this.permits = outcome.permits
    await this.tidyUp(finished.tasks, effects.obsoleteFolders).catch((error) => {
      this.options.log.warn(
        { error },
        'something that a batch left behind could not be deleted; the next start tries again',
      )
    })
    if (agreed === undefined) void this.options.notify(finished.tasks, running.uid)
  }

  /** Inside the transaction. */
  private write({ changes, batch, tasks }: FinishedBatch, { deleted, canceled }: BatchOutcome, effects: Effects): void {
    const { store } = this.options.services
    store.change(changes)
    // Of an earlier attempt.
    store.deleteBatch(batch.uid)
    dropEmptyBatches(store, [...deleted, ...canceled])
    effects.commit()
    store.putBatch(batch)
    for (const { uid } of [...tasks, ...deleted]) if (!store.forwards.isPending(uid)) store.deletePayload(uid)
    for (const { uid } of deleted) store.forwards.forget(uid)
  }

  private async tidyUp(tasks: readonly Task[], folders: readonly string[]): Promise<void> {
    const { payloads, deleteFolder, store } = this.options.services
    const unused = tasks.filter(({ uid }) => !store.forwards.isPending(uid))
    await Promise.all(unused.map((task) => deletePayloadOf(task, payloads)))
    for (const folder of folders) await deleteFolder(folder)
  }
}

async function deletePayloadOf({ content }: Task, payloads: PayloadFiles): Promise<void> {
  const payload = payloadRefOf(content)
  if (payload?.place === 'file') await payloads.delete(payload.name)
}

const factsOf = (entry: CatalogueEntry | undefined) => ({
  exists: entry !== undefined,
  primaryKey: entry?.stats.primaryKey ?? null,
})
