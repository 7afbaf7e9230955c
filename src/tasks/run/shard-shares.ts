import type { ShardMap } from '../../sharding/index.js'
import type { Task } from '../model/task.js'
import type { ProgressListener } from './indexing.js'

/**
 * Which documents each of several servers with one log keeps, and how that changes: known to a room above this one, handed
 * in. A change is a batch like others. While servers prepare it nothing else is carried out anywhere, so that documents can
 * go from one to another without being changed meanwhile.
 */
export interface ShardShares {
  /** Hands documents to the servers that are to own them, and takes those that come; they stay even if nothing comes of it. */
  exchange(change: Task, batchId: string, onProgress: ProgressListener): RunningExchange
  /** Whether this server has got, while that batch was prepared, what it is to own. */
  hasReceived(change: Task, batchId: string): boolean
  /** What this server had before the change; undefined: everything. */
  mapBefore(change: Task): ShardMap | undefined
  /** By which documents are assigned while it is prepared: searches go by the former shards, and soon by the others. */
  mapDuring(change: Task): ShardMap
  /** What this server keeps after the change, as long as others may search by the former shards. */
  mapAfter(change: Task): ShardMap
  /** Inside the transaction that ends the change. `isMade`: it failed otherwise, and all is as before. */
  end(change: Task, batchId: string, isMade: boolean): void
  /** That transaction is on disk. */
  ended(): void
}

export interface RunningExchange {
  /** Documents that this server handed over, under its name. */
  readonly done: Promise<Readonly<Record<string, number>>>
  cancel(): void
}
