import type { Handover, RemoteWrite, Watch } from '../../backup/index.js'
import type { Bitmap } from '../../bitmap/index.js'
import { FailureError, fail, failure, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { type ShardMap, shardMap } from '../../sharding/index.js'
import {
  type ControlMessage,
  type NetworkStore,
  otherServers,
  type Remote,
  readTopologyState,
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
} from '../../tasks/index.js'
import { MoveRecords } from './move-records.js'

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
}

/** Keeps nothing that comes from now on. */
const NO_SHARDS: ShardMap = { names: [], owned: new Set() }

/** So long others are told that a change was canceled. */
const TELL_ABANDONED_MS = 60_000

type MoveMessage = Exclude<ControlMessage, { readonly type: 'statusChangeForRemote' }>

/**
 * How documents are spread over the servers of the network, and how that changes. Every server takes the same steps, each
 * with a task of its own (spec 8 §3.3-3.6):
 *
 * 1. Documents of shards that got other owners are sent to those. Nothing is deleted.
 * 2. Whoever has got and stored all that it was to get tells all others.
 * 3. Whoever has heard that of all others goes by the new map, and deletes what others own.
 *
 * Until the third step searches and writes go by the map there was. A server that is killed goes on with the step it was at.
 */
export class ServerTopology implements Topology {
  private readonly records: MoveRecords
  /** Keys of the requests that handed documents over, by the version of the network. */
  private readonly keys = new Map<string, Set<string>>()

  constructor(private readonly services: TopologyServices) {
    this.records = new MoveRecords(services.environment)
  }

  shards(): ShardMap | undefined {
    const { current, inForce } = this.services.network
    if (inForce !== undefined) return shardMap(inForce.shards, inForce.self)
    // Documents are not spread yet: whoever follows a leader gets its share with the first change that succeeds.
    return current.leader === null || current.leader === current.self ? undefined : NO_SHARDS
  }

  isReady(task: Task): boolean {
    const change = this.currentChange(task)
    if (change === undefined) return true
    const { isExported, isTold, received, finished } = this.records.of(task.uid)
    const others = namesOfOthers(change)
    if (!isExported || failedServers(finished).length > 0) return true
    if (!isTold) return others.every((name) => received.includes(name))
    return others.every((name) => name in finished)
  }

  imports(task: Task): Bitmap {
    const change = stateOf(task)
    return this.services.tasks().store.importsOf(change?.after.version ?? '')
  }

  progress(task: Task): TaskResults {
    const { isExported, isTold, received, finished, movedDocuments } = this.records.of(task.uid)
    const change = stateOf(task)
    const others = change === undefined ? [] : namesOfOthers(change)
    const missing = (known: (name: string) => boolean) =>
      others
        .filter((name) => !known(name))
        .map(shown)
        .join(', ')
    const message = !isExported
      ? 'waiting for older tasks, then exporting documents'
      : !isTold
        ? `importing documents; awaited: ${missing((name) => received.includes(name))}`
        : `waiting for others to finish importing; awaited: ${missing((name) => name in finished)}`
    return { movedDocuments, message }
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

  async apply(task: Task): Promise<void> {
    await this.services.network.apply(this.changeOf(task))
    this.keys.clear()
  }

  private async step(task: Task, watch: Watch): Promise<'waiting' | ShardMap> {
    const change = this.changeOf(task)
    const { after } = change
    this.throwIfFailed(task)
    if (!this.records.of(task.uid).isExported) await this.export(task, change, watch)
    // What others have sent meanwhile is stored first: the queue takes it before it comes back to this.
    if (this.awaitsImports(task)) return 'waiting'
    if (!this.records.of(task.uid).isTold && this.isReady(task)) await this.tellFinished(task, change, watch)
    if (!this.records.of(task.uid).isTold || !this.isReady(task)) return 'waiting'
    this.throwIfFailed(task)
    return shardMap(after.shards, after.self)
  }

  /** One server that cannot take part is enough: nobody deletes anything then, and the former map stays. */
  private throwIfFailed(task: Task): void {
    const failed = failedServers(this.records.of(task.uid).finished)
    if (failed.length > 0) throw new FailureError(failure('internal', notImported(failed)))
  }

  abandoned(task: Task): void {
    const change = stateOf(task)
    if (change === undefined) return
    const deadline = performance.now() + TELL_ABANDONED_MS
    const watch = { progress: () => {}, isCancelled: () => performance.now() > deadline }
    // Whoever does not hear of it waits until it is canceled there as well, or until the leader changes the network again.
    this.tellAll(task, change, { successful: false, watch }).catch(() => {})
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
    await this.tellAll(task, change, { successful, watch })
    const { remoteName } = originOf(task, change)
    await this.records.change(task.uid, ({ finished }) => ({
      isTold: true,
      finished: { ...finished, [remoteName]: successful },
    }))
  }

  private async tellAll(
    task: Task,
    change: TopologyChange,
    { successful, watch }: { readonly successful: boolean; readonly watch: Watch },
  ): Promise<void> {
    const origin = originOf(task, change)
    const message = { type: 'importFinishedForRemote', remote: origin.remoteName, successful }
    const body = JSON.stringify({ origin, message })
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
    await this.records.change(task.uid, ({ received, finished }) =>
      message.type === 'exportNoIndexForRemote'
        ? { received: [...new Set([...received, remote])] }
        : { finished: { ...finished, [remote]: message.successful } },
    )
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

  private currentChange(task: Task): TopologyChange | undefined {
    const change = stateOf(task)
    return change?.after.version === this.services.network.current.version ? change : undefined
  }
}

function stateOf({ content }: Task): TopologyChange | undefined {
  return content.type === 'networkTopologyChange' ? readTopologyState(content.state) : undefined
}

const namesOfOthers = (change: TopologyChange): string[] => otherServers(change, change.after.self)

const importKeyOf = (task: Task | undefined): string =>
  task?.network?.kind === 'import' ? task.network.from.taskKey : ''

function originOf({ uid: taskUid }: Task, { after }: TopologyChange): TaskOrigin {
  return { remoteName: after.self ?? '', taskUid, networkVersion: after.version }
}

function receiversOf({ before, after }: TopologyChange): { readonly name: string; readonly remote: Remote }[] {
  const known = new Map([...(before?.remotes ?? []), ...after.remotes])
  known.delete(after.self ?? '')
  return Array.from(known, ([name, remote]) => ({ name, remote }))
}

/** Settings come from the leader, for those who have not heard of them by its writes. */
function handoverOf(change: TopologyChange, origin: TaskOrigin): Handover {
  const { before, after } = change
  const isLeader = after.leader === after.self
  return {
    before: before && [...before.shards],
    after: [...after.shards],
    staying: [...after.remotes.keys()],
    receivers: receiversOf(change).map((receiver) => ({
      ...receiver,
      needsSettings: isLeader && !before?.remotes.has(receiver.name),
    })),
    origin,
  }
}

/** The request that tells another server something about a change. */
export const controlWrite = (body: string): RemoteWrite => ({
  method: 'POST',
  path: '/network/control',
  headers: [['Content-Type', 'application/json']],
  body,
})

const failedServers = (finished: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(finished).filter((name) => !finished[name])

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
