import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { type Network, type NetworkStore, otherServers, readTopologyState } from '../../state/index.js'
import { type Admission, isLed, type ProxyFacts, type TaskNetwork } from '../../tasks/index.js'
import type { ServerTopology } from './server-topology.js'

/** Who takes a write in a network, and who has to hear of it (spec 8 §3.5). */
export function networkAdmission(network: NetworkStore, topology: ServerTopology): Admission {
  return (content, { proxy }) => {
    if (content.type === 'networkTopologyChange') return changeAdmission(content.state, proxy)
    if (!isLed(content)) return ok(undefined)
    // As it is in this very transaction: a change of the network may have been written in it.
    const current = network.latest()
    if (proxy === undefined) return ownAdmission(current)
    const { origin, import: from } = proxy
    return from === undefined ? sentAdmission(current, proxy) : topology.admitImport({ origin, import: from })
  }
}

function changeAdmission(state: string, proxy: ProxyFacts | undefined): Result<TaskNetwork> {
  if (proxy !== undefined) return ok({ kind: 'origin', origin: proxy.origin })
  const change = readTopologyState(state)!
  const { self, version: networkVersion } = change.after
  return ok({ kind: 'leader', remotes: otherServers(change, self), networkVersion })
}

function ownAdmission({ leader, self, remotes, version }: Network): Result<TaskNetwork | undefined> {
  if (leader === null) return ok(undefined)
  if (self !== leader) {
    return fail(
      'not_leader',
      `Writes go to the leader of the network, ${shown(leader)}: this server is not the leader.`,
    )
  }
  const others = [...remotes.keys()].filter((name) => name !== self)
  return ok({ kind: 'leader', remotes: others, networkVersion: version })
}

function sentAdmission({ version }: Network, { origin }: ProxyFacts): Result<TaskNetwork> {
  const { networkVersion } = origin
  if (networkVersion < version) return versionTooOld(networkVersion, version)
  return ok({ kind: 'origin', origin })
}

/** UUIDs of version 7 are in the order of their times. */
export function versionTooOld(received: string, minimum: string): Result<never> {
  const reason = `version ${received} of the network is older than ${minimum}, which is the least that is accepted here`
  return fail('network_version_too_old', `The request is of another network: ${reason}.`)
}
