/** The servers that searches may ask (spec 8 §3.1). Plain data: it travels between threads. */
export interface SearchNetwork {
  /** The name of this server; null when it has none. */
  readonly self: string | null
  readonly remotes: ReadonlyMap<string, SearchRemote>
  /**
   * Without a leader: the names of those that have to be asked for all documents of the network, each shard once; in byte
   * order.
   */
  readonly everywhere: readonly string[]
  /**
   * Under a leader: the servers that have the documents of each shard, in the order in which they are to be asked; the
   * shards in byte order. Null without one.
   */
  readonly shards: ReadonlyMap<string, readonly string[]> | null
  /** By which documents are spread under a leader: all parts of one search go by the same. Null without one. */
  readonly version: string | null
  /** Remotes that are not asked for shards for now (spec 8 §3.8). */
  readonly away: readonly string[]
}

export interface SearchRemote {
  readonly url: string
  readonly searchApiKey: string | null
}

/** Headers by which our servers tell each other more than the interface knows; in lower case, as they are read. */
export const SHARDS_HEADER = 'x-findling-shards'
/** Its value where hits are for a language model; `true` otherwise. */
export const SHARDS_OF_CHAT = 'chat'
/** The version of the network whose shards are meant. */
export const SHARD_VERSION_HEADER = 'x-findling-network-version'
/** In milliseconds. */
export const TIME_LEFT_HEADER = 'x-findling-time-left'
