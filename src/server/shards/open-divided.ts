import type { MemberQueue } from '../../cluster/index.js'
import { ok } from '../../errors/index.js'
import type { Task, TaskQueue, TaskQueueOptions } from '../../tasks/index.js'
import { type AskingParts, clusterVoters } from './ask-members.js'
import { ClusterShares, type ShareServices } from './cluster-shares.js'
import { clusterAdmission, clusterTopology } from './cluster-topology.js'
import { FormerShards, type FormerShardsParts } from './former-shards.js'
import { Refill, type RefillParts } from './refill.js'

export interface Divided {
  readonly shares: ClusterShares
  /** What the queue has to know. */
  readonly queue: Pick<TaskQueueOptions, 'topology' | 'admission' | 'loggedAdmission' | 'divided'>
  /** The queue as the log of the cluster feeds it. */
  followed(tasks: TaskQueue): MemberQueue
  /** Gets documents that this server should have and lacks, and deletes those that others own, now and whenever there are. */
  start(): void
  close(): void
}

/** What servers with one log need in order to divide documents among them. */
export function openDivided(parts: ShareServices & AskingParts & RefillParts & FormerShardsParts): Divided {
  const { network, tasks } = parts
  const shares = new ClusterShares(parts)
  const chores = [new Refill(shares, parts), new FormerShards(parts)]
  return {
    shares,
    queue: {
      topology: clusterTopology(network),
      // Any server takes writes.
      admission: () => ok(undefined),
      loggedAdmission: clusterAdmission(network, tasks),
      divided: { shares, voters: clusterVoters(parts) },
    },
    start() {
      for (const chore of chores) chore.start()
    },
    close() {
      for (const chore of chores) chore.close()
    },
    followed: (queue) => ({
      isComplete: () => shares.isComplete,
      store: queue.store,
      registrar: queue.registrar,
      start: () => queue.start(),
      registered(registered: Iterable<Task>) {
        const all = [...registered]
        if (all.some(({ content }) => content.type === 'networkTopologyChange')) network.reload()
        queue.registered(all)
      },
    }),
  }
}
