import { hash } from 'node:crypto'

/** The shards of a network as one of its servers sees them. Plain data: it travels between threads. */
export interface ShardMap {
  /** In byte order, without repeats. */
  readonly names: readonly string[]
  /** Those of which this server keeps the documents. */
  readonly owned: ReadonlySet<string>
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

/** `owners` by shard, in byte order of the names. */
export function shardMap(owners: ReadonlyMap<string, readonly string[]>, self: string | null): ShardMap {
  const owned = [...owners].filter(([, servers]) => self !== null && servers.includes(self)).map(([name]) => name)
  return { names: [...owners.keys()], owned: new Set(owned) }
}
