import { ok } from '../../errors/index.js'
import { shardMap } from '../../sharding/index.js'
import { type NetworkStore, readTopologyState } from '../../state/index.js'
import { type LoggedAdmission, NO_TOPOLOGY, type TaskQueue, type Topology } from '../../tasks/index.js'
import { changeUnderWay } from '../network/change-facts.js'

/** How documents are divided among servers with one log. A change of that is one batch: see `ClusterShares`. */
export function clusterTopology(network: NetworkStore): Topology {
  return {
    ...NO_TOPOLOGY,
    shards() {
      const { inForce, former } = network
      return inForce && shardMap(inForce, former, inForce.self)
    },
    progress: () => ({ movedDocuments: 0, message: 'waiting for older tasks, then for all servers' }),
  }
}

/** A change of how documents are divided is known to all servers with the task that makes it, one at a time. */
export function clusterAdmission(network: NetworkStore, tasks: () => TaskQueue): LoggedAdmission {
  return (content) => {
    if (content.type !== 'networkTopologyChange') return ok(undefined)
    const pending = tasks().pendingTopologyChange()
    if (pending !== undefined) return changeUnderWay(pending)
    network.begin(readTopologyState(content.state)!)
    return ok(undefined)
  }
}
