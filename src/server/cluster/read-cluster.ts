import type { LogHealth, Member } from '../../cluster/index.js'
import type { ServerContext } from '../context.js'
import { type ClusterView, clusterView } from './cluster-view.js'

/** Whoever asks how the cluster is must not wait for a log that has no majority. */
const LOG_ANSWERS_MS = 1_000

/** Undefined for a server of its own. */
export async function readCluster(context: ServerContext): Promise<ClusterView | undefined> {
  const { config, cluster } = context
  if (cluster === undefined || config.cluster === null) return undefined
  const health = await healthInTime(cluster)
  return { ...clusterView(config.cluster.name, cluster.status(), health), ...shardsOf(context) }
}

function shardsOf({ network, tasks }: ServerContext): Pick<ClusterView, 'shards' | 'shardChange'> {
  const { inForce } = network
  const change = tasks.pendingTopologyChange()?.uid ?? null
  if (inForce === undefined && change === null) return {}
  return { shards: Object.fromEntries(inForce?.shards ?? []), shardChange: change }
}

async function healthInTime(member: Member): Promise<LogHealth | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, LOG_ANSWERS_MS, undefined)))
  const health = await Promise.race([member.logHealth(), late])
  clearTimeout(timer)
  return health
}
