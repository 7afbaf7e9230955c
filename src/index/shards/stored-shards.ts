import { Bitmap } from '../../bitmap/index.js'
import { chunkRange, decodeJson, encodeJson, readChunkedDocSet } from '../../folder/index.js'
import { UnknownShardMap } from '../../sharding/index.js'
import type { Database } from '../../store/index.js'

/**
 * Which documents of an index belong to which shard of the network. The database `shards` is empty as long as nobody leads
 * the network; then it maps
 *
 * ```
 * 'v'                                                                     to  versions of the network, as JSON
 * 's' generation(1 byte) place of the name(2 bytes, big-endian) part(2 bytes)  to  bitmap, see `ChunkedDocSet`
 * 'a' ...                                                                 to  when documents came, see `arrivals.ts`
 * ```
 *
 * There is one version, or two while a change of the network ends: the one that is to stay first. Sets of a version are
 * those of its generation; versions with the same shards have them in common. All documents of the index are in one set of
 * each generation, also those that this server is about to hand to another.
 */
const VERSIONS = Buffer.from('v')
const SET = 0x73

/** A version of the network by which documents can be looked for. */
export interface StoredVersion {
  readonly version: string
  /** In byte order. */
  readonly names: readonly string[]
  readonly generation: number
}

export function readVersions(database: Database): readonly StoredVersion[] {
  const bytes = database.get(VERSIONS)
  return bytes === undefined ? [] : decodeJson<StoredVersion[]>(bytes, 'the list of shards')
}

export function putVersions(database: Database, versions: readonly StoredVersion[]): void {
  database.put(VERSIONS, encodeJson(versions))
}

/** No network is led any more. */
export function forgetShards(database: Database): void {
  if (database.has(VERSIONS)) database.clear()
}

/** What else is known of documents stays. */
export function forgetSets(database: Database, { generation, names }: StoredVersion): void {
  for (const place of names.keys()) {
    const range = chunkRange(shardPrefix(generation, place))
    const keys = Array.from(database.range(range), ({ key }) => Buffer.from(key))
    for (const key of keys) database.delete(key)
  }
}

export const shardPrefix = (generation: number, place: number): Buffer =>
  Buffer.of(SET, generation, place >>> 8, place & 0xff)

/** The shards as filters see them, as of the last commit. Read when they are asked for: most filters do not. */
export class StoredShards {
  private known: readonly StoredVersion[] | undefined

  constructor(private readonly database: Database) {}

  /** Those of a version of the network, or of the one that writes go by. Asked for anything, throws `UnknownShardMap`. */
  of(version?: string): ShardsOfVersion {
    return new ShardsOfVersion(this.database, () => {
      this.known ??= readVersions(this.database)
      if (version === undefined) return this.known[0]
      const found = this.known.find((each) => each.version === version)
      if (found === undefined) throw new UnknownShardMap(version)
      return found
    })
  }
}

class ShardsOfVersion {
  constructor(
    private readonly database: Database,
    private readonly version: () => StoredVersion | undefined,
  ) {}

  names(): readonly string[] {
    return this.version()?.names ?? []
  }

  docIds(name: string): Bitmap {
    const version = this.version()
    const place = version?.names.indexOf(name) ?? -1
    return place === -1 ? Bitmap.empty() : readChunkedDocSet(this.database, shardPrefix(version!.generation, place))
  }
}
