import type { ClusterServer } from './local-cluster.js'

/** The servers that have each shard, by its name. */
export type ShardsOfServers = Readonly<Record<string, { readonly remotes: readonly string[] }>>

/** Each shard goes to the next servers in a ring. */
export function spread(names: readonly string[], shards: number, owners: number): ShardsOfServers {
  const ofShard = (i: number) => Array.from({ length: owners }, (_, n) => names[(i + n) % names.length]!)
  return Object.fromEntries(Array.from({ length: shards }, (_, i) => [`shard-${i + 1}`, { remotes: ofShard(i) }]))
}

/** Divides documents among the servers of a cluster. Answers the uid of the task that did. */
export async function divideDocuments(servers: readonly ClusterServer[], shards: ShardsOfServers): Promise<number> {
  const server = servers[0]!
  await server.request('PATCH', '/experimental-features', { network: true })
  const { body } = await server.request('PATCH', '/network', { leader: server.name, shards })
  const task = await server.waitTask(body.taskUid)
  if (task.status !== 'succeeded') throw new Error(`documents could not be divided: ${JSON.stringify(task)}`)
  return task.uid
}
