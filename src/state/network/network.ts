import { sortedByName } from '../../byte-order/index.js'
import { type JsonObject, type JsonValue, print } from '../../json/index.js'

/** A server of the network. */
export interface Remote {
  readonly url: string
  /** Bearer tokens for searches and for writes there; null where none is needed. */
  readonly searchApiKey: string | null
  readonly writeApiKey: string | null
}

/** The servers that know each other (spec 8 §3.1). */
export interface Network {
  /** The name of this server. It need not be one of the remotes. */
  readonly self: string | null
  /** By name, in byte order. */
  readonly remotes: ReadonlyMap<string, Remote>
  /** The sorted owners of each shard, by its name, in byte order. */
  readonly shards: ReadonlyMap<string, readonly string[]>
  readonly leader: string | null
  /** A UUID, new with every change. */
  readonly version: string
}

/** Of a network that nobody has changed. */
export const NIL_VERSION = '00000000-0000-0000-0000-000000000000'

export const EMPTY_NETWORK: Network = {
  self: null,
  remotes: new Map(),
  shards: new Map(),
  leader: null,
  version: NIL_VERSION,
}

/** The network as JSON. `more` adds members to the object of a remote. */
export function networkView(network: Network, more: (name: string) => [string, string][] = () => []): JsonObject {
  const remotes = Array.from(network.remotes, ([name, remote]): [string, JsonValue] => [
    name,
    new Map<string, JsonValue>([...Object.entries(remote), ...more(name)]),
  ])
  const shards = Array.from(network.shards, ([name, owners]): [string, JsonValue] => [
    name,
    new Map([['remotes', [...owners]]]),
  ])
  return new Map<string, JsonValue>([
    ['self', network.self],
    ['remotes', new Map(remotes)],
    ['shards', new Map(shards)],
    ['leader', network.leader],
    ['version', network.version],
  ])
}

/** What `networkView` makes of a network without additions. */
interface StoredNetwork {
  readonly self: string | null
  readonly remotes: Readonly<Record<string, Remote>>
  readonly shards: Readonly<Record<string, { readonly remotes: readonly string[] }>>
  readonly leader: string | null
  readonly version: string
}

const VERSION = 1

/** Layout: version byte, then the JSON text of the whole object. */
export function encodeNetwork(network: Network): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(print(networkView(network)))])
}

export function decodeNetwork(bytes: Buffer): Network {
  if (bytes[0] !== VERSION) throw new Error(`The network is stored in an unknown version: ${bytes[0]}`)
  return readNetworkView(bytes.toString('utf8', 1))
}

/** What `networkView` made the text of. */
export function readNetworkView(text: string): Network {
  const { self, remotes, shards, leader, version } = JSON.parse(text) as StoredNetwork
  const owners = Object.entries(shards).map(([name, shard]) => [name, shard.remotes] as const)
  return { self, remotes: sortedByName(Object.entries(remotes)), shards: sortedByName(owners), leader, version }
}
