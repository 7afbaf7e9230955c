import { hostAndPort } from './kinds.js'
import { CLUSTER_PORT_ABOVE, HIGHEST_NATS_PORT, natsPorts } from './nats-ports.js'
import type { OptionName, OptionValues } from './options.js'
import type { SetOptions } from './set-options.js'

const OF_CHILD = ['cluster-peers', 'cluster-nats-port', 'cluster-nats-bin'] as const
const WAYS_IN = ['cluster-nats-user', 'cluster-nats-token', 'cluster-nats-credentials-path'] as const

/** Why the options of a cluster do not go together, in one sentence; undefined when they do. */
export function clusterProblem(given: SetOptions, values: OptionValues): string | undefined {
  if (values['cluster-name'] === null) return undefined
  const addresses: readonly string[] = values['cluster-nats']
  const isChild = addresses.includes('child')
  return (
    importProblem(given) ??
    replicasProblem(values) ??
    credentialsProblem(given) ??
    (isChild ? childProblem(given, values) : aloneProblem(given))
  )
}

/** The other servers would not have what it brings. */
function importProblem(given: SetOptions): string | undefined {
  const entry = given.get('import-dump') ?? given.get('import-snapshot')
  if (entry === undefined) return undefined
  return `${entry.label} cannot be given to a server of a cluster: import into a server of its own first, then begin the cluster with its data by \`findling cluster recover\`.`
}

function replicasProblem(values: OptionValues): string | undefined {
  const replicas = values['cluster-replicas']
  if (replicas % 2 === 1) return undefined
  return `--cluster-replicas: expected 1, 3 or 5, found ${replicas}: ${replicas} survive no more failures than ${replicas - 1}.`
}

function credentialsProblem(given: SetOptions): string | undefined {
  const ways = WAYS_IN.filter((name) => given.has(name))
  if (ways.length > 1) return `Give one of ${flags(ways)}, not several.`
  return (
    halfProblem(given, ['cluster-nats-user', 'cluster-nats-password']) ??
    halfProblem(given, ['cluster-nats-cert-path', 'cluster-nats-key-path'])
  )
}

function halfProblem(given: SetOptions, pair: readonly [OptionName, OptionName]): string | undefined {
  const missing = pair.filter((name) => !given.has(name))
  return missing.length === 1 ? `${flags(pair)} go together: ${flags(missing)} is missing.` : undefined
}

function childProblem(given: SetOptions, values: OptionValues): string | undefined {
  const foreign = WAYS_IN.slice(1).find((name) => given.has(name))
  if (values['cluster-nats'].length > 1) return '--cluster-nats: `child` stands alone, without addresses.'
  if (foreign !== undefined) return `--cluster-nats child knows --cluster-nats-user, and not --${foreign}.`
  const tls = (['cluster-nats-ca-path', 'cluster-nats-cert-path', 'cluster-nats-key-path'] as const).filter(
    (name) => !given.has(name),
  )
  if (tls.length === 1 || tls.length === 2) return `TLS with --cluster-nats child asks for ${flags(tls)} as well.`
  return peersProblem(values)
}

function peersProblem(values: OptionValues): string | undefined {
  const peers = values['cluster-peers']
  const replicas = values['cluster-replicas']
  const { clusterPort } = natsPorts(values['cluster-nats-port'])
  if (peers.length < replicas && replicas > 1) {
    return `--cluster-nats child with ${replicas} replicas (--cluster-replicas) asks for --cluster-peers: hosts and cluster ports of at least ${replicas} nats-servers, this one included; found ${peers.length}.`
  }
  const wrong = peers.find((peer) => !isClusterAddress(peer))
  if (wrong !== undefined) {
    return `--cluster-peers: expected hosts with cluster ports such as one.example.com:${clusterPort}, found ${JSON.stringify(wrong)}.`
  }
  if (peers.length > 0 && !peers.some((peer) => peer.endsWith(`:${clusterPort}`))) {
    return `--cluster-peers names no nats-server with the cluster port of this one, ${clusterPort} (--cluster-nats-port and ${CLUSTER_PORT_ABOVE}): it has to be among them.`
  }
  return undefined
}

function isClusterAddress(peer: string): boolean {
  const read = hostAndPort.fromText(peer)
  if (!('value' in read)) return false
  const clientPort = read.value.port - CLUSTER_PORT_ABOVE
  return clientPort >= 1 && clientPort <= HIGHEST_NATS_PORT
}

function aloneProblem(given: SetOptions): string | undefined {
  const name = OF_CHILD.find((each) => given.has(each))
  return name === undefined ? undefined : `${given.get(name)!.label} has a meaning only with --cluster-nats child.`
}

function flags(names: readonly string[]): string {
  return names.map((name) => `--${name}`).join(' and ')
}
