import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { newUid } from '../../answer/index.js'
import type { Handover, Watch } from '../../backup/index.js'
import { FailureError, fail, failure, ok, type Result } from '../../errors/index.js'
import { type IndexJob, type PayloadSource, readArrivals } from '../../index/index.js'
import { shown } from '../../json/index.js'
import { type ShardMap, shardMap, shardVersion } from '../../sharding/index.js'
import { type ClusterServers, type NetworkStore, readTopologyState, type TopologyChange } from '../../state/index.js'
import type { Database, Environment } from '../../store/index.js'
import type {
  CatalogueEntry,
  Indexing,
  ProgressListener,
  RunningExchange,
  ShardShares,
  Task,
  TaskImport,
  TaskOrigin,
  TaskQueue,
} from '../../tasks/index.js'

export interface ShareServices {
  readonly servers: ClusterServers
  readonly network: NetworkStore
  /** Of the tasks. */
  readonly environment: Environment
  /** Which know this object, and so come later. */
  readonly tasks: () => TaskQueue
  readonly indexing: Indexing
  readonly indexesPath: string
  readonly handOver: (handover: Handover, indexes: readonly CatalogueEntry[], watch: Watch) => Promise<number>
}

const RECEIVING = Buffer.from('receiving')
/** Whose documents are in the folder: it may be a copy of another server's. */
const HOLDER = Buffer.from('holder')
/** They are those of a server that owned other shards than it does now. */
const UNKNOWN_HOLDER = Buffer.from('')

/**
 * The part of one server when documents are divided in another way. All servers prepare that batch at the same place in the
 * log, so what one hands over is what the other would have. They stay where they are until all have said that they have
 * handed over everything, which is when the batch is decided on.
 */
export class ClusterShares implements ShardShares {
  private readonly database: Database

  constructor(private readonly services: ShareServices) {
    this.database = services.environment.database('shardMove')
  }

  exchange(task: Task, batchId: string, onProgress: ProgressListener): RunningExchange {
    let isCancelled = false
    const watch: Watch = { progress: onProgress, isCancelled: () => isCancelled }
    return { done: this.handOver(task, batchId, watch), cancel: () => void (isCancelled = true) }
  }

  private async handOver(task: Task, batchId: string, watch: Watch): Promise<Readonly<Record<string, number>>> {
    const { environment, servers, tasks } = this.services
    const change = changeOf(task)
    if (!this.isComplete && this.mapBefore(task)?.owned.size !== 0) {
      throw new FailureError(failure('internal', `${shown(servers.self)} is getting its documents from others first`))
    }
    // Documents that come for an earlier attempt are of another place in the log.
    await environment.write(() => this.database.put(RECEIVING, this.receiptOf(batchId)))
    if (change.before === null) return { [servers.self]: 0 }
    const moved = await this.services.handOver(this.handoverOf(task, change, batchId), tasks().catalogue.list(), watch)
    return { [servers.self]: moved }
  }

  private handoverOf({ uid: taskUid }: Task, { before, after }: TopologyChange, batchId: string): Handover {
    const { servers } = this.services
    const others = [...servers.urls()].filter(([name]) => name !== servers.self)
    return {
      before: before && [...before.shards],
      after: [...after.shards],
      staying: [...after.remotes.keys()],
      receivers: others.map(([name, url]) => ({
        name,
        remote: { url, searchApiKey: null, writeApiKey: servers.key },
        needsSettings: false,
      })),
      origin: { remoteName: servers.self, taskUid, networkVersion: batchId },
      toMembers: true,
    }
  }

  /** Whether documents that another server hands over are for the batch that is being prepared here. */
  admits({ taskUid, networkVersion }: TaskOrigin): Result<undefined> {
    const isPreparing = this.services.tasks().runningBatch?.tasks[0]?.uid === taskUid
    if (isPreparing && this.isReceiving(networkVersion)) return ok(undefined)
    return fail(
      'network_version_mismatch',
      'This server is not at the change of the network that the documents are for.',
    )
  }

  /** Stores them. Searches do not see them before the change is made, since nobody asks this server for their shard. */
  async take(indexUid: string, payload: PayloadSource, handed: TaskImport): Promise<Result<undefined>> {
    const { tasks, indexing, indexesPath } = this.services
    const entry = tasks().catalogue.get(indexUid)
    const change = tasks().pendingTopologyChange()
    if (entry === undefined || change === undefined) return fail('index_not_found', indexUid)
    const operation = { kind: 'import', method: 'replace', primaryKey: null, skipCreation: false } as const
    const arrivals = readArrivals(handed.arrivals ?? '', handed.documentCount)
    const job: IndexJob = {
      path: join(indexesPath, entry.folder),
      indexUid,
      now: entry.stats.updatedAt,
      batchKey: randomUUID(),
      create: null,
      work: {
        kind: 'documents',
        operations: [{ ...operation, payload, handedOver: 'all', ...(arrivals && { arrivals }) }],
      },
      shards: this.mapDuring(change),
    }
    await indexing.run(job, () => {}).done
    return ok(undefined)
  }

  /** With the name of the server: a folder may be a copy of one that was receiving. */
  private receiptOf(batchId: string): Buffer {
    return Buffer.from(`${this.services.servers.self}\n${batchId}`)
  }

  private isReceiving(batchId: string): boolean {
    return this.database.get(RECEIVING)?.equals(this.receiptOf(batchId)) ?? false
  }

  hasReceived(task: Task, batchId: string): boolean {
    return this.isReceiving(batchId) || !gainsDocuments(changeOf(task), this.services.servers.self)
  }

  /**
   * Whether this server has the documents of all shards that it owns. Else it answers nobody, and asks for them by a change
   * of the network that leaves the shards as they are.
   */
  get isComplete(): boolean {
    const { inForce } = this.services.network
    const { self } = this.services.servers
    const holder = this.database.get(HOLDER)?.toString()
    if (inForce === undefined || holder === undefined || holder === self) return true
    const has = shardVersion(inForce, holder).owned
    return [...shardVersion(inForce, self).owned].every((name) => has.has(name))
  }

  /** The change by which this server gets its documents: nobody takes it for an owner of any before. */
  refilling(): TopologyChange | undefined {
    const { network, servers } = this.services
    const { inForce } = network
    if (this.isComplete || inForce === undefined) return undefined
    const shards = new Map(
      Array.from(inForce.shards, ([name, owners]) => [name, owners.filter((owner) => owner !== servers.self)]),
    )
    return { before: { ...inForce, shards }, after: { ...network.withoutGone(inForce), version: newUid() } }
  }

  mapBefore(task: Task): ShardMap | undefined {
    const { before } = changeOf(task)
    return before === null ? undefined : shardVersion(before, this.services.servers.self)
  }

  mapDuring(task: Task): ShardMap {
    const { before, after } = changeOf(task)
    const { self } = this.services.servers
    return before === null ? shardMap(after, null, self) : shardMap(before, after, self)
  }

  mapAfter(task: Task): ShardMap {
    const { before, after } = changeOf(task)
    return shardMap(after, before, this.services.servers.self)
  }

  end(task: Task, batchId: string, isMade: boolean): void {
    const { network, servers } = this.services
    const hasAll = this.isReceiving(batchId) || this.isComplete
    network.end(changeOf(task), isMade)
    this.database.delete(RECEIVING)
    if (isMade) this.database.put(HOLDER, hasAll ? Buffer.from(servers.self) : UNKNOWN_HOLDER)
  }

  ended(): void {
    this.services.network.reload()
  }
}

/** Documents of a shard that is gone may belong to any of the others. */
function gainsDocuments({ before, after }: TopologyChange, self: string): boolean {
  if (before === null) return false
  const [had, has] = [shardVersion(before, self), shardVersion(after, self)]
  const isNew = [...has.owned].some((name) => !had.owned.has(name))
  return isNew || (has.owned.size > 0 && had.names.some((name) => !has.names.includes(name)))
}

function changeOf({ content }: Task): TopologyChange {
  const change = content.type === 'networkTopologyChange' ? readTopologyState(content.state) : undefined
  if (change === undefined) throw new Error('the state of a change of the network cannot be read')
  return change
}
