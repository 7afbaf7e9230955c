import { Bitmap } from '../../bitmap/index.js'
import { fail, ok } from '../../errors/index.js'
import { type ShardMap, shardVersion } from '../../sharding/index.js'
import { type NetworkStore, readTopologyState } from '../../state/index.js'
import type { LoggedAdmission, TaskQueue, Topology } from '../../tasks/index.js'

/** How documents are divided among servers with one log. A change of that is one batch: see `ClusterShares`. */
export function clusterTopology(network: NetworkStore): Topology {
  return {
    shards: () => mapOf(network),
    isReady: () => true,
    imports: () => Bitmap.empty(),
    progress: () => ({ movedDocuments: 0, message: 'waiting for older tasks, then for all servers' }),
    advance: () => ({ done: Promise.reject(new Error('servers with one log change together')), cancel: () => {} }),
    done: async () => {},
    canBeCanceled: () => true,
    abandoned: () => {},
  }
}

function mapOf({ inForce, former }: NetworkStore): ShardMap | undefined {
  if (inForce === undefined) return undefined
  const { self } = inForce
  return { ...shardVersion(inForce, self), ...(former && { former: shardVersion(former, self) }) }
}

/** A change of how documents are divided is known to all servers with the task that makes it, one at a time. */
export function clusterAdmission(network: NetworkStore, tasks: () => TaskQueue): LoggedAdmission {
  return (content) => {
    if (content.type !== 'networkTopologyChange') return ok(undefined)
    const pending = tasks().pendingTopologyChange()
    if (pending !== undefined) {
      return fail(
        'unprocessed_network_task',
        `The network is being changed by task ${pending.uid}: wait for its end, or cancel it.`,
      )
    }
    network.begin(readTopologyState(content.state)!)
    return ok(undefined)
  }
}
