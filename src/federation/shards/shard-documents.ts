import { Bitmap } from '../../bitmap/index.js'
import { StoredShards } from '../../index/index.js'
import type { SearchIndex } from '../../match/index.js'

/** There are few ways to divide shards among servers; whoever makes up others shall not fill the memory. */
const MAX_KNOWN = 16
const DOCUMENTS = Symbol('documents of asked shards')

/**
 * The documents of some shards of a version of the network, where this server has others too, for which another one is
 * asked; null for all.
 */
export function shardDocuments(
  index: SearchIndex,
  shards: readonly string[] | undefined,
  version: string | undefined,
): Bitmap | null {
  if (shards === undefined) return null
  const known = index.derive(DOCUMENTS, () => new Map<string, Bitmap | null>())
  const key = JSON.stringify([version, shards])
  const kept = known.get(key)
  if (kept !== undefined) return kept
  const stored = new StoredShards(index.folder.databases.shards).of(version)
  const docIds = Bitmap.orMany(shards.map((name) => stored.docIds(name)))
  if (known.size === MAX_KNOWN) known.clear()
  const documents = docIds.size === index.docIds.size ? null : docIds
  known.set(key, documents)
  return documents
}
