import { fail, ok, type Result } from '../../errors/index.js'
import { type NetworkPatch, type NetworkStore, type TopologyChange, topologyState } from '../../state/index.js'
import type { EnqueueNow, ProxyFacts, Task, TaskQueue } from '../../tasks/index.js'
import { versionTooOld } from './admission.js'
import { changeUnderWay } from './change-facts.js'

interface Changing {
  readonly network: NetworkStore
  readonly tasks: TaskQueue
  /** Undefined for a server of its own. */
  readonly cluster: object | undefined
}

/** A change that the leader sends. */
interface SentChange {
  readonly proxy: ProxyFacts
  /** The version that is in force until then. */
  readonly formerVersion: string
}

/**
 * Changes the network. Where it is led afterwards, documents may have to move: the task that sees to it is registered in the
 * same transaction, and answered; undefined where nobody leads (spec 8 §3.2-3.3). `sent`: by its leader.
 */
export async function changeNetwork(
  context: Changing,
  patch: NetworkPatch,
  sent?: SentChange,
): Promise<Result<Task | undefined>> {
  const { network, tasks, cluster } = context
  if (cluster !== undefined && (patch.leader ?? network.current.leader) !== null) return divideAnew(context, patch)
  if (sent !== undefined) return followLeader(context, patch, sent)
  return tasks.enqueueWithin((enqueue) =>
    network.change({ patch, led: undefined, begin: (change) => unlessPending(context, () => begin(enqueue, change)) }),
  )
}

/** Servers with one log divide documents among them: any of them takes the change, and all make it. */
async function divideAnew({ network, tasks }: Changing, patch: NetworkPatch): Promise<Result<Task>> {
  if (patch.leader === null) {
    return fail(
      'invalid_network_leader',
      '`.leader`: documents of this cluster are divided among its servers; to have all of them on each server, make all servers owners of every shard.',
    )
  }
  const change = network.planned(patch)
  return change.ok ? tasks.enqueue({ type: 'networkTopologyChange', state: topologyState(change.value) }) : change
}

/** A change of the leader takes the place of one that is under way here: the leader has given that up. */
async function followLeader({ network, tasks }: Changing, patch: NetworkPatch, { proxy, formerVersion }: SentChange) {
  const { origin } = proxy
  const known = tasks.repeated(proxy)
  if (known !== undefined) return ok(known)
  if (patch.leader == null)
    return fail('invalid_network_leader', '`.leader`: a leader that sends a change names itself.')
  return tasks.enqueueWithin((enqueue) =>
    network.change({
      patch,
      led: { networkVersion: origin.networkVersion, formerVersion },
      begin(change) {
        const { version } = network.latest()
        if (origin.networkVersion < version) return versionTooOld(origin.networkVersion, version)
        return begin(enqueue, change, proxy)
      },
    }),
  )
}

function begin(enqueue: EnqueueNow, change: TopologyChange, proxy?: ProxyFacts): Result<Task> {
  return enqueue({ type: 'networkTopologyChange', state: topologyState(change) }, proxy && { proxy })
}

function unlessPending({ tasks }: Changing, work: () => Result<Task>): Result<Task> {
  const pending = tasks.pendingTopologyChange()
  return pending === undefined ? work() : changeUnderWay(pending)
}
