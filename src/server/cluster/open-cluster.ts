import { join } from 'node:path'
import type { LossListener, Member, ReplicatedLog } from '../../cluster/index.js'
import { type ClusterConfig, type Config, INTERFACE_VERSION } from '../../config/index.js'
import type { Log } from '../../log/index.js'
import type { Environment } from '../../store/index.js'
import type { Clock } from '../../time/index.js'
import { natsAddresses } from './nats-addresses.js'

export interface ClusterParts {
  readonly config: Config
  readonly systemEnvironment: Environment
  readonly authEnvironment: Environment
  readonly log: Log
  readonly clock: Clock
  readonly onLost: LossListener
}

/** Makes this server a member of its cluster, if it belongs to one: nobody else loads what that takes. */
export async function openCluster(parts: ClusterParts): Promise<Member | undefined> {
  const { config, systemEnvironment: system, authEnvironment: auth, clock, onLost } = parts
  const { cluster } = config
  if (cluster === null) return undefined
  const { loadLog, Member } = await import('../../cluster/index.js')
  // Now, before the server listens: loading holds up whoever asks meanwhile.
  await loadLog()
  return new Member({
    name: cluster.nodeName,
    url: cluster.advertiseUrl,
    version: INTERFACE_VERSION,
    openLog: (how) => openLogOf(cluster, how),
    system,
    auth,
    updatesPath: join(config.dbPath, 'updates'),
    clock,
    log: parts.log.child('cluster'),
    onLost,
  })
}

export interface OpenHow {
  readonly mustExist?: boolean
  readonly firstSequence?: number
  readonly timeoutMs?: number
}

/** Connects to the log of a cluster. */
export async function openLogOf(cluster: ClusterConfig, how: OpenHow): Promise<ReplicatedLog> {
  const { openLog } = await import('../../cluster/index.js')
  const { name, replicas, credentials, tls, allowLazySync } = cluster
  return openLog({
    name,
    ...natsAddresses(cluster),
    replicas,
    ...(credentials && { credentials }),
    ...(tls && { tls }),
    allowLazySync,
    ...how,
  })
}
