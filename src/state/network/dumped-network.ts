import { sortedByName, sortedUnique } from '../../byte-order/index.js'
import { isObject, type JsonObject, type JsonValue } from '../../json/index.js'
import { parseUuid } from '../../shape/index.js'
import { EMPTY_NETWORK, type Network, type Remote } from './network.js'

/**
 * The network of a dump (spec 2 §6.3). A copy of a server is not that server: it has no name, and nobody leads it. What
 * is not readable is left out, since nothing else of the dump depends on it.
 */
export function readDumpedNetwork(dumped: JsonObject): Network {
  const remotes = membersOf(dumped.get('remotes')).flatMap(([name, remote]) => readRemote(name, remote))
  const shards = membersOf(dumped.get('shards')).flatMap(([name, shard]) => readShard(name, shard))
  const version = dumped.get('version')
  return {
    self: null,
    remotes: sortedByName(remotes),
    shards: sortedByName(shards),
    leader: null,
    version: (typeof version === 'string' && parseUuid(version)) || EMPTY_NETWORK.version,
  }
}

function readRemote(name: string, dumped: JsonValue): [string, Remote][] {
  const url = isObject(dumped) ? dumped.get('url') : undefined
  if (!isObject(dumped) || typeof url !== 'string') return []
  const keyOf = (member: string) => textOrNull(dumped.get(member))
  return [[name, { url, searchApiKey: keyOf('searchApiKey'), writeApiKey: keyOf('writeApiKey') }]]
}

function readShard(name: string, dumped: JsonValue): [string, string[]][] {
  const owners = isObject(dumped) ? dumped.get('remotes') : undefined
  const names = Array.isArray(owners) ? owners.filter((owner) => typeof owner === 'string') : []
  return names.length === 0 ? [] : [[name, sortedUnique(names)]]
}

const membersOf = (value: JsonValue | undefined): [string, JsonValue][] => (isObject(value) ? [...value] : [])

const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null)
