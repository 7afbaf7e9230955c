import { setTimeout as sleep } from 'node:timers/promises'
import type { Handover, Watch } from '../../backup/index.js'
import type { Bitmap } from '../../bitmap/index.js'
import { FailureError, fail, failure, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { type ShardMap, shardVersion } from '../../sharding/index.js'
import {
  type ControlMessage,
  type NetworkStore,
  NIL_VERSION,
  type Remote,
  type TopologyChange,
} from '../../state/index.js'
import type { Environment } from '../../store/index.js'
import type {
  CatalogueEntry,
  ProgressListener,
  ProxyFacts,
  RunningStep,
  Task,
  TaskNetwork,
  TaskOrigin,
  TaskQueue,
  TaskResults,
  Topology,
  TopologyStep,
} from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'
import {
  failedServers,
  handoverOf,
  isLeading,
  mapOfBoth,
  namesOfOthers,
  originOf,
  receiversOf,
  stateOf,
} from './change-facts.js'
import { canGoOn, describeMove, hasFailed, type Move } from './move-phase.js'
import { MoveRecords, type MoveState } from './move-records.js'

export interface TopologyServices {
  readonly network: NetworkStore
  /** Of the tasks. */
  readonly environment: Environment
  /** Which know this object, and so come later. */
  readonly tasks: () => TaskQueue
  readonly handOver: (handover: Handover, indexes: readonly CatalogueEntry[], watch: Watch) => Promise<number>
  /** Tells another server something, until it has heard it. */
  readonly tell: (
    target: { readonly name: string; readonly remote: Remote },
    body: string,
    watch: Watch,
  ) => Promise<void>
  /** So long searches by the former shards may be under way when all servers have changed over. */
  readonly graceMs?: number
}

const GRACE_MS = 2000
const GRACE_STEP_MS = 50

/** Keeps nothing that comes from now on. */
const NO_SHARDS: ShardMap = { version: NIL_VERSION, names: [], owned: new Set() }

/** So long others are told that a change was canceled. */
const TELL_ABANDONED_MS = 60_000

type MoveMessage = Exclude<ControlMessage, { readonly type: 'statusChangeForRemote' }>

/**
 * How documents are spread over the servers of the network, and how that changes. Every server takes the same steps, each
 * with a task of its own (spec 8 §3.3-3.6):
 *
 * 1. Documents of shards that got other owners are sent to those. Nothing is deleted.
 * 2. Whoever has got and stored all that it was to get assigns its documents to the new shards as well, and tells all others.
 *    Searches by either map are answered from then on.
 * 3. When the leader has heard that of all, it goes by the new map and tells all others. They do the same. Until the leader has
 *    done it, the change can be canceled or may fail: everything is as before then.
 * 4. Whoever has heard it of all others deletes what these own, and forgets the former map.
 *
 * A server that is killed goes on with the step it was at.
 */
export class ServerTopology implements Topology {
  private readonly records: MoveRecords
  /** Keys of the requests that handed documents over, by the version of the network. */
  private readonly keys = new Map<string, Set<string>>()

  constructor(private readonly services: TopologyServices) {
    this.records = new MoveRecords(services.environment)
  }

  shards(): ShardMap | undefined {
    const { network, tasks } = this.services
    const { current, inForce } = network
    const task = tasks().pendingTopologyChange()
    const change = task && this.currentChange(task)
    if (change !== undefined && this.records.of(task!.uid).isAssigned) return mapOfBoth(change)
    if (inForce !== undefined) return shardVersion(inForce, inForce.self)
    // Documents are not spread yet: whoever follows a leader gets its share with the first change that succeeds.
    return current.leader === null || current.leader === current.self ? undefined : NO_SHARDS
  }

  isReady(task: Task): boolean {
    const change = this.currentChange(task)
    return change === undefined || canGoOn(this.moveOf(task, change))
  }

  imports(task: Task): Bitmap {
    const change = stateOf(task)
    return this.services.tasks().store.importsOf(change?.after.version ?? '')
  }

  progress(task: Task): TaskResults {
    const change = stateOf(task)
    const { movedDocuments } = this.records.of(task.uid)
    return change === undefined
      ? { movedDocuments }
      : { movedDocuments, message: describeMove(this.moveOf(task, change)) }
  }

  advance(task: Task, onProgress: ProgressListener): RunningStep {
    let isCancelled = false
    const watch: Watch = {
      progress: onProgress,
      // A change that was overtaken by another waits for nobody any more.
      isCancelled: () => isCancelled || this.currentChange(task) === undefined,
    }
    return { done: this.step(task, watch), cancel: () => void (isCancelled = true) }
  }

  async done(task: Task, { kind }: TopologyStep): Promise<void> {
    if (kind === 'shards') await this.records.change(task.uid, () => ({ isAssigned: true }))
  }

  /** The leader may have changed over as soon as it has heard of a server that this one has all of its documents. */
  canBeCanceled(task: Task): boolean {
    const change = this.currentChange(task)
    if (change === undefined) return true
    const { isChanged, state } = this.moveOf(task, change)
    return !isChanged && (isLeading(change) || !state.isAssigned)
  }

  private async step(task: Task, watch: Watch): Promise<'waiting' | TopologyStep> {
    const change = this.changeOf(task)
    if (!this.moveOf(task, change).isChanged) {
      const before = await this.prepare(task, change, watch)
      if (before !== 'prepared') return before
      await this.services.network.apply(change)
      this.keys.clear()
    }
    if (!this.records.of(task.uid).isChangeTold) await this.tellChanged(task, change, watch)
    if (!this.isReady(task)) return 'waiting'
    if (change.before !== null && namesOfOthers(change).length > 0) await this.grace(watch)
    return { kind: 'dropForeign', map: shardVersion(change.after, change.after.self) }
  }

  /** All that is done while the former map counts. */
  private async prepare(
    task: Task,
    change: TopologyChange,
    watch: Watch,
  ): Promise<'prepared' | 'waiting' | TopologyStep> {
    this.throwIfFailed(task, change)
    if (!this.records.of(task.uid).isExported) await this.export(task, change, watch)
    // What others have sent meanwhile is stored first: the queue takes it before it comes back to this.
    if (this.awaitsImports(task) || !this.isReady(task)) return 'waiting'
    const { isTold, isAssigned } = this.records.of(task.uid)
    if (!isAssigned && this.hasImportedAll(task)) return { kind: 'shards', map: mapOfBoth(change) }
    if (!isTold) await this.tellFinished(task, change, watch)
    if (!this.isReady(task)) return 'waiting'
    this.throwIfFailed(task, change)
    return 'prepared'
  }

  /** One server that cannot take part is enough: nobody deletes anything then, and the former map stays. */
  private throwIfFailed(task: Task, change: TopologyChange): void {
    const move = this.moveOf(task, change)
    if (!hasFailed(move)) return
    // Those who have not heard of it wait for the leader.
    if (isLeading(change)) this.abandoned(task)
    throw new FailureError(failure('internal', notImported(failedServers(move.state.finished))))
  }

  private async grace({ isCancelled }: Watch): Promise<void> {
    const end = performance.now() + (this.services.graceMs ?? GRACE_MS)
    while (performance.now() < end) {
      if (isCancelled()) throw new JobCancelled()
      await sleep(GRACE_STEP_MS)
    }
  }

  abandoned(task: Task): void {
    const change = stateOf(task)
    if (change === undefined) return
    const deadline = performance.now() + TELL_ABANDONED_MS
    const watch = { progress: () => {}, isCancelled: () => performance.now() > deadline }
    // Whoever does not hear of it waits until it is canceled there as well, or until the leader changes the network again.
    this.tellAll(change, { body: finishedBody(task, change, false), watch }).catch(() => {})
  }

  private async export(task: Task, change: TopologyChange, watch: Watch): Promise<void> {
    const { tasks, handOver, tell } = this.services
    const origin = originOf(task, change)
    const handover = handoverOf(change, origin)
    const indexes = tasks().catalogue.list()
    const movedDocuments = handover.receivers.length === 0 ? 0 : await handOver(handover, indexes, watch)
    const message = { type: 'exportNoIndexForRemote', remote: origin.remoteName }
    for (const { name, remote } of handover.receivers)
      await tell({ name, remote }, JSON.stringify({ origin, message }), watch)
    await this.records.change(task.uid, () => ({ isExported: true, movedDocuments }))
  }

  private async tellFinished(task: Task, change: TopologyChange, watch: Watch): Promise<void> {
    const successful = this.hasImportedAll(task)
    await this.tellAll(change, { body: finishedBody(task, change, successful), watch })
    const { remoteName } = originOf(task, change)
    await this.records.change(task.uid, ({ finished }) => ({
      isTold: true,
      finished: { ...finished, [remoteName]: successful },
    }))
  }

  private async tellChanged(task: Task, change: TopologyChange, watch: Watch): Promise<void> {
    const origin = originOf(task, change)
    const body = JSON.stringify({ origin, message: { type: 'changedOver', remote: origin.remoteName } })
    await this.tellAll(change, { body, watch })
    await this.records.change(task.uid, () => ({ isChangeTold: true }))
  }

  private async tellAll(
    change: TopologyChange,
    { body, watch }: { readonly body: string; readonly watch: Watch },
  ): Promise<void> {
    await Promise.all(receiversOf(change).map((receiver) => this.services.tell(receiver, body, watch)))
  }

  private awaitsImports(task: Task): boolean {
    return this.imports(task).intersects(this.services.tasks().store.withStatus('enqueued'))
  }

  private hasImportedAll(task: Task): boolean {
    const { store } = this.services.tasks()
    const imports = this.imports(task)
    return !imports.intersects(store.withStatus('failed')) && !imports.intersects(store.withStatus('canceled'))
  }

  /** Another server of the network has something to say about the change. */
  async hear(origin: TaskOrigin, message: MoveMessage): Promise<Result<undefined>> {
    const found = this.changeFor(origin)
    if (!found.ok) return found
    if (found.value === undefined) return ok(undefined)
    const { task, change } = found.value
    const { remote } = message
    if (!namesOfOthers(change).includes(remote)) return unknownRemote(message)
    await this.records.change(task.uid, (state) => heardOf(message, state))
    this.services.tasks().start()
    return ok(undefined)
  }

  /** Documents that another server hands over. Asked inside the transaction that registers them. */
  admitImport({ origin, import: from }: Required<ProxyFacts>): Result<TaskNetwork> {
    const found = this.changeFor(origin)
    if (!found.ok) return found
    if (found.value === undefined) return nothingUnderWay(origin.networkVersion)
    const { before, after } = found.value.change
    if (!namesOfOthers(found.value.change).includes(from.remoteName)) {
      return fail('import_task_unknown_remote', `${shown(from.remoteName)} takes no part in the change of the network.`)
    }
    if (this.isKnown(after.version, from.taskKey)) {
      return fail('import_task_already_received', `The documents of ${shown(from.taskKey)} have been received before.`)
    }
    const ifAbsent = before === null && from.remoteName !== after.leader
    return ok({ kind: 'import', from: ifAbsent ? { ...from, ifAbsent } : from, change: origin })
  }

  /** A key is remembered when it is admitted, which may come to nothing: what counts is that there is a task. */
  private isKnown(version: string, key: string): boolean {
    const { store } = this.services.tasks()
    const known = this.keys.get(version)
    const isNew = known !== undefined && !known.has(key)
    const keys = isNew ? known : new Set<string>()
    if (!isNew) for (const uid of store.importsOf(version)) keys.add(importKeyOf(store.get(uid)))
    const isThere = keys.has(key)
    this.keys.set(version, keys.add(key))
    return isThere
  }

  /** The change that a server speaks of. Undefined when it has been made here: the other one has not heard that yet. */
  private changeFor({ networkVersion }: TaskOrigin): Result<{ task: Task; change: TopologyChange } | undefined> {
    const { network, tasks } = this.services
    const task = tasks().pendingTopologyChange()
    const change = task && stateOf(task)
    if (task === undefined || change === undefined) {
      return network.inForce?.version === networkVersion ? ok(undefined) : nothingUnderWay(networkVersion)
    }
    if (change.after.version === networkVersion) return ok({ task, change })
    const reason = `the network is being changed to version ${change.after.version}, not to ${networkVersion}`
    return fail('network_version_mismatch', `The request is of another change: ${reason}.`)
  }

  /** A dump may hold changes of the network of another server, and a change may have been overtaken by another. */
  private changeOf(task: Task): TopologyChange {
    const change = this.currentChange(task)
    if (change !== undefined) return change
    throw new FailureError(failure('internal', 'the network was changed again, or is not the one of this server'))
  }

  private moveOf(task: Task, change: TopologyChange): Move {
    const isChanged = this.services.network.inForce?.version === change.after.version
    return { change, state: this.records.of(task.uid), isChanged }
  }

  private currentChange(task: Task): TopologyChange | undefined {
    const change = stateOf(task)
    return change?.after.version === this.services.network.current.version ? change : undefined
  }
}

const importKeyOf = (task: Task | undefined): string =>
  task?.network?.kind === 'import' ? task.network.from.taskKey : ''

function finishedBody(task: Task, change: TopologyChange, successful: boolean): string {
  const origin = originOf(task, change)
  const message = { type: 'importFinishedForRemote', remote: origin.remoteName, successful }
  return JSON.stringify({ origin, message })
}

function heardOf(message: MoveMessage, { received, finished, changed }: MoveState): Partial<MoveState> {
  const { type, remote } = message
  switch (type) {
    case 'exportNoIndexForRemote':
      return { received: [...new Set([...received, remote])] }
    case 'importFinishedForRemote':
      return { finished: { ...finished, [remote]: message.successful } }
    case 'changedOver':
      return { changed: [...new Set([...changed, remote])] }
  }
}

const notImported = (names: readonly string[]): string =>
  `documents were not moved, since ${names.map(shown).join(', ')} could not store them or gave up; all servers go by the former shards`

function nothingUnderWay(version: string): Result<never> {
  return fail('import_task_without_network_task', `No change of the network to version ${version} is under way here.`)
}

function unknownRemote({ type, remote }: MoveMessage): Result<never> {
  const code =
    type === 'exportNoIndexForRemote' ? 'import_task_unknown_remote' : 'receive_import_finished_unknown_remote'
  return fail(code, `${shown(remote)} takes no part in the change of the network.`)
}
