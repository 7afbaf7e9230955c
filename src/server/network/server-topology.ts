import { Bitmap } from '../../bitmap/index.js'
import { FailureError, failure } from '../../errors/index.js'
import { type ShardMap, shardMap } from '../../sharding/index.js'
import { type NetworkStore, readTopologyState, type TopologyChange } from '../../state/index.js'
import type { RunningStep, Task, TaskResults, Topology } from '../../tasks/index.js'

/** How documents are spread over the servers of the network, and how that changes. */
export class ServerTopology implements Topology {
  constructor(private readonly network: NetworkStore) {}

  shards(): ShardMap | undefined {
    const { inForce } = this.network
    return inForce && shardMap(inForce.shards, inForce.self)
  }

  isReady(): boolean {
    return true
  }

  imports(): Bitmap {
    return Bitmap.empty()
  }

  progress(): TaskResults {
    return { movedDocuments: 0, message: 'waiting for older tasks' }
  }

  advance(task: Task): RunningStep {
    return { done: this.mapAfter(task), cancel: () => {} }
  }

  async apply(task: Task): Promise<void> {
    await this.network.apply(this.changeOf(task))
  }

  private async mapAfter(task: Task): Promise<ShardMap> {
    const { after } = this.changeOf(task)
    return shardMap(after.shards, after.self)
  }

  /** A dump may hold changes of the network of another server, or of one that nobody leads any more. */
  private changeOf({ content }: Task): TopologyChange {
    const change = content.type === 'networkTopologyChange' ? readTopologyState(content.state) : undefined
    if (change !== undefined && change.after.version === this.network.current.version) return change
    throw new FailureError(failure('internal', 'the network that was to be changed is not the one of this server'))
  }
}
