import { Bitmap } from '../../bitmap/index.js'
import { chunkRange, decodeJson, encodeJson, readChunkedDocSet } from '../../folder/index.js'
import type { Database } from '../../store/index.js'

/**
 * Which documents of an index belong to which shard of the network. The database `shards` is empty as long as nobody leads
 * the network; then it maps
 *
 * ```
 * 'n'                                                       to  the names of the shards, as JSON, in byte order
 * 's' place of the name(2 bytes, big-endian) part(2 bytes)  to  bitmap, see `ChunkedDocSet`
 * 'a' ...                                                   to  when documents came, see `arrivals.ts`
 * ```
 *
 * All documents of the index are in one of the sets, also those that this server is about to hand to another.
 */
const NAMES = Buffer.from('n')
const SET = 0x73

export function readShardNames(database: Database): readonly string[] {
  const bytes = database.get(NAMES)
  return bytes === undefined ? [] : decodeJson<string[]>(bytes, 'the list of shards')
}

export function putShardNames(database: Database, names: readonly string[]): void {
  database.put(NAMES, encodeJson(names))
}

/** No network is led any more. */
export function forgetShards(database: Database): void {
  if (database.has(NAMES)) database.clear()
}

/** There will be others. What else is known of documents stays. */
export function forgetSets(database: Database, count: number): void {
  for (let place = 0; place < count; place++) {
    const keys = Array.from(database.range(chunkRange(shardPrefix(place))), ({ key }) => Buffer.from(key))
    for (const key of keys) database.delete(key)
  }
}

export const shardPrefix = (place: number): Buffer => Buffer.of(SET, place >>> 8, place & 0xff)

/** The shards as filters see them, as of the last commit. Read when they are asked for: most filters do not. */
export class StoredShards {
  private known: readonly string[] | undefined

  constructor(private readonly database: Database) {}

  names(): readonly string[] {
    this.known ??= readShardNames(this.database)
    return this.known
  }

  docIds(name: string): Bitmap {
    const place = this.names().indexOf(name)
    return place === -1 ? Bitmap.empty() : readChunkedDocSet(this.database, shardPrefix(place))
  }
}
