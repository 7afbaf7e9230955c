import type { Answered, NamedIndexes, RequestKind, SearchNetwork } from '../answer/index.js'
import type { SearchGates } from '../engine/index.js'
import type { Result } from '../errors/index.js'
import type { FilterGates } from '../match/index.js'
import type { SearchRule } from '../rank/index.js'
import type { Asker } from './search-queue.js'

/** A search as it is handed to whoever runs it: bytes of the request, and what only the server knows. Plain data. */
export interface SearchOrder {
  readonly kind: RequestKind
  /** A body, or a query string without its question mark. Memory of its own: it may be given away. */
  readonly bytes: Uint8Array
  /** The index of the path; empty where the request names indexes itself. */
  readonly uid: string
  /** Uid and folder of each index that may be opened. One that is not here does not exist. */
  readonly folders: readonly (readonly [uid: string, path: string])[]
  /** Uid and JSON text of the filters of a tenant token. */
  readonly tenantFilters: readonly (readonly [uid: string, filter: string])[]
  readonly gates: SearchGates
  readonly includesMetadata: boolean
  /** Null while the feature is off. */
  readonly network: SearchNetwork | null
  /** Another server asks. */
  readonly isProxied: boolean
  /** It is one that asks for its part of an index. */
  readonly isForShards: boolean
  /** The version of the network whose shards are meant; absent without one. */
  readonly shardVersion?: string
  /** It fails with `shard_map_outdated` where another server goes by a later version; otherwise the part is missing. */
  readonly canPlanAgain?: boolean
  /** Of whom a language model asked. */
  readonly isForChat?: boolean
  /** How long whoever asks is going to wait. Absent where it did not say. */
  readonly timeLeftMs?: number
  /** Those that may have something to say, in the order of their uids. */
  readonly rules: readonly SearchRule[]
  readonly queuedMs: number
}

/** What a request says of itself. */
export interface Inspected {
  readonly named: NamedIndexes
  /** The request, given back. */
  readonly bytes: Uint8Array
}

/** Where searches run: on threads of their own in the server, on the thread that asks in tests. */
export interface Searching {
  /** Rejects with a `ClientGoneError` when `asker` goes away before there is an answer. */
  run(order: SearchOrder, asker?: Asker): Promise<Result<Answered>>
  /** Looks at a request before it is run; fails on parameters that are not what they must be. Takes the bytes over. */
  inspect(kind: RequestKind, bytes: Uint8Array, asker?: Asker): Promise<Result<Inspected>>
  /** Whether the filter of a deletion or edition, in JSON, is one. */
  checkFilter(filter: string, gates: FilterGates, asker?: Asker): Promise<Result<undefined>>
  /** Closes the folder, so that it can be deleted. */
  release(path: string): Promise<void>
  /** Makes ready for the first search, which need not wait for it. */
  start(): Promise<void>
  close(): Promise<void>
}
