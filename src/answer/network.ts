/** The servers that searches may ask (spec 8 §3.1). Plain data: it travels between threads. */
export interface SearchNetwork {
  /** The name of this server; null when it has none. */
  readonly self: string | null
  readonly remotes: ReadonlyMap<string, SearchRemote>
  /** The names of those that have to be asked for all documents of the network, each shard once; in byte order. */
  readonly everywhere: readonly string[]
}

export interface SearchRemote {
  readonly url: string
  readonly searchApiKey: string | null
}
