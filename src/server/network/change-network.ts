import { fail, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { type NetworkPatch, otherServers, topologyState } from '../../state/index.js'
import type { Task } from '../../tasks/index.js'
import type { ServerContext } from '../context.js'

type Changing = Pick<ServerContext, 'network' | 'tasks' | 'cluster'>

/**
 * Changes the network. Where it is led afterwards, documents may have to move: the task that sees to it is registered in the
 * same transaction, and answered; undefined where nobody leads (spec 8 §3.2-3.3).
 */
export async function changeNetwork(context: Changing, patch: NetworkPatch): Promise<Result<Task | undefined>> {
  const { network, tasks, cluster } = context
  if (cluster !== undefined && patch.leader != null) {
    return fail(
      'invalid_network_leader',
      '`.leader`: the servers of a cluster have no leader of a network; each of them has all documents.',
    )
  }
  return tasks.enqueueWithin((enqueue) =>
    network.change({
      patch,
      led: undefined,
      begin(change) {
        const pending = tasks.pendingTopologyChange()
        if (pending !== undefined) return unprocessed(pending.uid)
        const others = otherServers(change, change.after.self)
        if (others.length > 0) return cannotMove(others)
        return enqueue({ type: 'networkTopologyChange', state: topologyState(change) })
      },
    }),
  )
}

function unprocessed(uid: number): Result<never> {
  return fail(
    'unprocessed_network_task',
    `The network is being changed by task ${uid}: wait for its end, or cancel it.`,
  )
}

function cannotMove(others: readonly string[]): Result<never> {
  const names = others.map(shown).join(', ')
  return fail('invalid_network_remotes', `\`.remotes\`: documents cannot be moved to other servers yet (${names}).`)
}
