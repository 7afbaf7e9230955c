import { CLUSTER_PORT_ABOVE, type ClusterConfig, natsPorts } from '../../config/index.js'

/** Where nats-servers are monitored unless somebody says otherwise. */
const MONITORING_PORT = 8222

export interface NatsAddresses {
  readonly servers: readonly string[]
  readonly monitors: readonly string[]
}

/** Where the nats-servers of a cluster are. Those that its servers start are known by the ports of all of them. */
export function natsAddresses({ nats, monitors, tls }: ClusterConfig): NatsAddresses {
  const scheme = tls === null ? 'http' : 'https'
  if (!('port' in nats)) {
    const usual = nats.map((server) => `${scheme}://${urlOf(server).hostname}:${MONITORING_PORT}`)
    return { servers: nats, monitors: monitors ?? usual }
  }
  const alone = `127.0.0.1:${natsPorts(nats.port).clusterPort}`
  const members = (nats.peers.length === 0 ? [alone] : nats.peers).map((peer) => {
    const { hostname, port } = urlOf(peer)
    return { hostname, ...natsPorts(Number(port) - CLUSTER_PORT_ABOVE) }
  })
  return {
    servers: members.map(({ hostname, clientPort }) => `${hostname}:${clientPort}`),
    monitors: monitors ?? members.map(({ hostname, monitorPort }) => `${scheme}://${hostname}:${monitorPort}`),
  }
}

export function isLoopback(address: string): boolean {
  const { hostname } = urlOf(address)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

const urlOf = (address: string): URL => new URL(address.includes('://') ? address : `nats://${address}`)
