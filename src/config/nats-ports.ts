/** The ports of a nats-server that is started beside a server, above the one for clients. */
export const CLUSTER_PORT_ABOVE = 2_000
const MONITOR_PORT_ABOVE = 4_000
export const HIGHEST_NATS_PORT = 65_535 - MONITOR_PORT_ABOVE

export function natsPorts(clientPort: number) {
  return {
    clientPort,
    clusterPort: clientPort + CLUSTER_PORT_ABOVE,
    monitorPort: clientPort + MONITOR_PORT_ABOVE,
  }
}
