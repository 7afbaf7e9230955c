import { hash } from 'node:crypto'

/** The shards of one version of a network as one of its servers sees them. */
export interface ShardVersion {
  /** The version of the network, a UUID of version 7: later ones are greater. */
  readonly version: string
  /** In byte order, without repeats. */
  readonly names: readonly string[]
  /** Those of which this server keeps the documents. */
  readonly owned: ReadonlySet<string>
}

/** By which documents are kept. Plain data: it travels between threads. */
export interface ShardMap extends ShardVersion {
  /** While a change of the network ends, servers that have not heard of it search by the version before. */
  readonly former?: ShardVersion
}

/** Documents are looked for by shards of a version that are not known here, not yet or no longer. */
export class UnknownShardMap extends Error {
  constructor(readonly version: string) {
    super(`the shards of version ${version} of the network are not known`)
  }
}

/** Hex digits of the first eight bytes of a hash: texts of one length are in the order of the numbers they say. */
const COMPARED_DIGITS = 16

/**
 * The shard of a document: the one whose hash with the document id is the highest, of equals the first. A new shard takes
 * documents from all others and moves none between them (Thaler, Ravishankar, "A name-based mapping scheme for rendezvous",
 * 1996). The hash is fixed by spec 8 §3.4, since all servers must agree. Half a microsecond for each shard.
 *
 * `names` are in byte order, and there is at least one.
 */
export function shardOf(names: readonly string[], documentId: string): string {
  if (names.length === 1) return names[0]!
  let winner = ''
  let highest = ''
  for (const name of names) {
    const digits = hash('sha256', `${name}\0${documentId}`, 'hex').slice(0, COMPARED_DIGITS)
    if (digits <= highest) continue
    winner = name
    highest = digits
  }
  return winner
}

/** What `shardVersion` needs to know of a network. */
export interface ShardOwners {
  readonly version: string
  /** By shard, in byte order of the names. */
  readonly shards: ReadonlyMap<string, readonly string[]>
}

export function shardVersion({ version, shards }: ShardOwners, self: string | null): ShardVersion {
  const owned = [...shards].filter(([, servers]) => self !== null && servers.includes(self)).map(([name]) => name)
  return { version, names: [...shards.keys()], owned: new Set(owned) }
}

/** By which documents are kept, while some search by one version and some by the other; the one that is to stay first. */
export function shardMap(current: ShardOwners, former: ShardOwners | null | undefined, self: string | null): ShardMap {
  return { ...shardVersion(current, self), ...(former && { former: shardVersion(former, self) }) }
}
