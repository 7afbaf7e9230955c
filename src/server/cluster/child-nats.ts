import { join } from 'node:path'
import type { NatsServerOptions, NatsSupervisor } from '../../cluster/index.js'
import { type ClusterConfig, type Config, LaunchError, natsPorts } from '../../config/index.js'
import type { Log } from '../../log/index.js'
import { NATS_FOLDER } from '../data-folder.js'
import { isLoopback } from './nats-addresses.js'

/** Starts the nats-server that is to live beside this server, if one is. */
export async function startChildNats({ cluster, dbPath }: Config, log: Log): Promise<NatsSupervisor | undefined> {
  if (cluster === null || !('port' in cluster.nats)) return undefined
  const { findNatsServer, NatsServer, NatsServerMissing, NatsSupervisor } = await import('../../cluster/index.js')
  try {
    const binary = await findNatsServer(process.env, cluster.nats.binPath)
    const server = new NatsServer(binary, childNatsOptions(cluster, cluster.nats, dbPath))
    const supervisor = new NatsSupervisor(server, log.child('cluster'))
    await supervisor.start()
    return supervisor
  } catch (error) {
    if (error instanceof NatsServerMissing) throw new LaunchError(error.message, { cause: error })
    throw error
  }
}

/** What the options have been checked for (`checkCluster`): TLS has all three files, credentials are a user's. */
export function childNatsOptions(
  { name, nodeName, credentials, tls }: ClusterConfig,
  { port, peers }: { readonly port: number; readonly peers: readonly string[] },
  dbPath: string,
): NatsServerOptions {
  const { caFile, certFile, keyFile } = tls ?? {}
  return {
    name: nodeName,
    clusterName: name,
    host: peers.every(isLoopback) ? '127.0.0.1' : '0.0.0.0',
    ...natsPorts(port),
    routes: peers,
    folder: join(dbPath, NATS_FOLDER),
    ...(credentials && 'user' in credentials && { authorization: credentials }),
    ...(caFile && certFile && keyFile && { tls: { caFile, certFile, keyFile } }),
  }
}
