import { compareBytes, sortedByName, sortedUnique } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { arrayOf, type Checked, mapOf, nullable, object, optional, text } from '../../shape/index.js'
import { EMPTY_NETWORK, type Network, type Remote } from './network.js'
import type { FormerNetwork } from './topology-change.js'

const remotePatch = object(
  {
    url: optional(nullable(text), 'invalid_network_url'),
    searchApiKey: optional(nullable(text), 'invalid_network_search_api_key'),
    writeApiKey: optional(nullable(text), 'invalid_network_write_api_key'),
  },
  { code: 'invalid_network_remotes' },
)

const names = optional(nullable(arrayOf(text)), 'invalid_network_remotes')

const shardPatch = object(
  { remotes: names, addRemotes: names, removeRemotes: names },
  { code: 'invalid_network_shards' },
)

/** The body of PATCH /network: absent members stay, null resets them (spec 8 §3.2). */
export const networkPatch = object({
  self: optional(nullable(text), 'invalid_network_self'),
  leader: optional(nullable(text), 'invalid_network_leader'),
  remotes: optional(nullable(mapOf(nullable(remotePatch))), 'invalid_network_remotes'),
  shards: optional(nullable(mapOf(nullable(shardPatch))), 'invalid_network_shards'),
  // Servers under a leader tell each other what was before; people do not.
  previousRemotes: optional(nullable(mapOf(remotePatch)), 'invalid_network_remotes'),
  previousShards: optional(nullable(mapOf(shardPatch)), 'invalid_network_shards'),
})

export type NetworkPatch = Checked<typeof networkPatch>
type RemotePatch = Checked<typeof remotePatch>
type ShardPatch = Checked<typeof shardPatch>

/** The network after a change, in a new version, or the first thing that is wrong with it. */
export function changeNetwork(before: Network, patch: NetworkPatch, version: string): Result<Network> {
  if (patch.previousRemotes !== undefined) {
    return fail('unexpected_network_previous_remotes', '`.previousRemotes`: only a leader may send it.')
  }
  const { self, leader } = namesAfter(before, patch)
  const led = leader === null ? ok(undefined) : checkLeader({ before, self, leader })
  return led.ok ? merged(before, patch, version) : led
}

/** The same where servers share a log: any of them takes changes, and `leader` only says whether documents are divided. */
export function changeClusterNetwork(before: Network, patch: NetworkPatch, version: string): Result<Network> {
  const { self, leader } = patch
  if (self !== undefined && self !== before.self) {
    return fail('invalid_network_self', `\`.self\`: this server is called ${shown(before.self)} by its cluster.`)
  }
  if (leader != null && !before.remotes.has(leader)) {
    return fail('invalid_network_leader', `\`.leader\`: ${shown(leader)} is no server of the cluster.`)
  }
  const named = leader == null ? patch : { ...patch, leader: before.self }
  return changeNetwork(before, named, version)
}

/** The network as its leader says it is, whole; `version` is the leader's as well. */
export function followNetwork(before: Network, patch: NetworkPatch, version: string): Result<Network> {
  return merged({ ...EMPTY_NETWORK, self: before.self }, patch, version)
}

const namesAfter = (before: Network, { self = before.self, leader = before.leader }: NetworkPatch) => ({ self, leader })

function merged(before: Network, patch: NetworkPatch, version: string): Result<Network> {
  const remotes = changeRemotes(before.remotes, patch.remotes)
  if (!remotes.ok) return remotes
  const shards = changeShards(before.shards, patch)
  const network = { ...namesAfter(before, patch), remotes: remotes.value, shards, version }
  const problem = network.leader === null ? undefined : shardProblem(network.leader, network)
  return problem ?? ok(network)
}

interface Led {
  readonly before: Network
  readonly self: string | null
  readonly leader: string
}

/** Under a leader only the leader itself takes changes, and it keeps its name. */
function checkLeader({ before, self, leader }: Led): Result<undefined> {
  if (self !== leader) {
    return fail('not_leader', `This server is not the leader of the network: ${shown(leader)} is.`)
  }
  if (before.self === null || before.self === self) return ok(undefined)
  return fail(
    'invalid_network_self',
    `\`.self\`: the leader cannot be renamed from ${shown(before.self)} to ${shown(leader)}.`,
  )
}

/** Documents are only spread over servers that are known. */
function shardProblem(
  leader: string,
  { remotes, shards }: Pick<Network, 'remotes' | 'shards'>,
): Result<never> | undefined {
  if (!remotes.has(leader)) {
    return fail('invalid_network_remotes', `\`.leader\`: the leader ${shown(leader)} is none of the remotes.`)
  }
  if (shards.size === 0) {
    return fail('invalid_network_shards', '`.shards`: under a leader there must be a shard with an owner.')
  }
  for (const [name, owners] of shards) {
    const unknown = owners.find((owner) => !remotes.has(owner))
    if (unknown !== undefined) {
      const reason = `the shard ${shown(name)} is owned by ${shown(unknown)}, which is none of the remotes`
      return fail('invalid_network_shards', `\`.shards\`: ${reason}.`)
    }
  }
  return undefined
}

/** How documents were spread before a change, as the leader says; null where they were not. */
export function previousTopology(patch: NetworkPatch, version: string): FormerNetwork | null {
  const { previousRemotes, previousShards } = patch
  if (previousRemotes == null || previousShards == null) return null
  const remotes = Array.from(previousRemotes, ([name, { url, searchApiKey, writeApiKey }]) => {
    return [name, { url: url ?? '', searchApiKey: searchApiKey ?? null, writeApiKey: writeApiKey ?? null }] as const
  })
  const shards = Array.from(
    previousShards,
    ([name, { remotes: owners }]) => [name, sortedUnique(owners ?? [])] as const,
  )
  return { remotes: sortedByName(remotes), shards: sortedByName(shards), version }
}

function changeRemotes(before: Network['remotes'], patch: NetworkPatch['remotes']): Result<Network['remotes']> {
  if (patch === undefined) return ok(before)
  if (patch === null) return ok(new Map())
  const remotes = new Map(before)
  for (const [name, change] of [...patch].sort(([a], [b]) => compareBytes(a, b))) {
    if (change === null) {
      remotes.delete(name)
      continue
    }
    const remote = changeRemote(name, before.get(name), change)
    if (!remote.ok) return remote
    remotes.set(name, remote.value)
  }
  return ok(sortedByName(remotes))
}

function changeRemote(name: string, before: Remote | undefined, change: RemotePatch): Result<Remote> {
  const path = `\`.remotes.${name}\``
  if (before === undefined && (change.url ?? null) === null) {
    return fail('missing_network_url', `${path}: a new remote needs \`url\`.`)
  }
  if (change.url === null) return fail('invalid_network_url', `${path}: \`url\` cannot be null.`)
  const url = change.url ?? before!.url
  if (!URL.canParse(url)) return fail('invalid_network_url', `${path}: ${shown(url)} is not an absolute URL.`)
  return ok({
    url,
    searchApiKey: change.searchApiKey === undefined ? (before?.searchApiKey ?? null) : change.searchApiKey,
    writeApiKey: change.writeApiKey === undefined ? (before?.writeApiKey ?? null) : change.writeApiKey,
  })
}

/** Remotes that are removed own nothing any more, and a shard without owners is none. */
function changeShards(before: Network['shards'], { remotes, shards: patch }: NetworkPatch): Network['shards'] {
  const removed = new Set([...(remotes ?? [])].flatMap(([name, change]) => (change === null ? [name] : [])))
  const shards = new Map(patch === null ? [] : before)
  for (const [name, change] of patch ?? []) {
    if (change === null) shards.delete(name)
    else shards.set(name, changeOwners(shards.get(name) ?? [], change))
  }
  const left = Array.from(shards, ([name, owners]) => [name, owners.filter((owner) => !removed.has(owner))] as const)
  return sortedByName(left.filter(([, owners]) => owners.length > 0))
}

function changeOwners(before: readonly string[], { remotes, addRemotes, removeRemotes }: ShardPatch): string[] {
  const owners = [...(remotes === undefined ? before : (remotes ?? [])), ...(addRemotes ?? [])]
  return sortedUnique(owners).filter((owner) => !removeRemotes?.includes(owner))
}
