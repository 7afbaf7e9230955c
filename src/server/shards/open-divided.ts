import { ok } from '../../errors/index.js'
import type { Task, TaskQueue, TaskQueueOptions } from '../../tasks/index.js'
import { type AskingParts, clusterVoters } from './ask-members.js'
import { ClusterShares, type ShareServices } from './cluster-shares.js'
import { clusterAdmission, clusterTopology } from './cluster-topology.js'

export interface Divided {
  readonly shares: ClusterShares
  /** What the queue has to know. */
  readonly queue: Pick<TaskQueueOptions, 'topology' | 'admission' | 'loggedAdmission' | 'divided'>
  /** The queue as the log of the cluster feeds it. */
  followed(tasks: TaskQueue): Pick<TaskQueue, 'registered' | 'start' | 'store' | 'registrar'>
}

/** What servers with one log need in order to divide documents among them. */
export function openDivided(parts: ShareServices & AskingParts): Divided {
  const { network, tasks } = parts
  const shares = new ClusterShares(parts)
  return {
    shares,
    queue: {
      topology: clusterTopology(network),
      // Any server takes writes.
      admission: () => ok(undefined),
      loggedAdmission: clusterAdmission(network, tasks),
      divided: { shares, voters: clusterVoters(parts) },
    },
    followed: (queue) => ({
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
