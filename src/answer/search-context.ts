import type { EngineContext } from '../engine/index.js'
import type { Outbound } from '../outbound/index.js'
import type { AnswerOverflow } from './answer-writer.js'
import type { AnswerWriters } from './answer-writers.js'
import type { SearchNetwork } from './network.js'
import type { Personalizer } from './personalize/personalizer.js'

/** What an answer needs to know beside what the searches do. */
export interface SearchContext extends EngineContext {
  /** Results carry `metadata` (spec 8 §2). */
  readonly includesMetadata: boolean
  /** Absent where no service for `personalize` is configured. */
  readonly personalizer?: Personalizer
  /** The servers that may be asked; null while the feature is off. */
  readonly network: SearchNetwork | null
  /** Another server asks: it needs more than people do (spec 8 §3.7). */
  readonly isProxied: boolean
  /** It is one that asks for its part of an index: what it is told must add up to the answer of the whole. */
  readonly isForShards: boolean
  /** When another server knows the shards no longer by which it is asked, `UnknownShardMap` is thrown: there are newer ones. */
  readonly canPlanAgain?: boolean
  /** Hits are for a language model: each is rendered where its document is. */
  readonly isForChat?: boolean
  readonly remotes: RemoteClient
  /** Where the links of errors lead. */
  readonly errorsUrl: string
  /** Where answers go that are too large to be held. Absent where all are. */
  readonly openOverflow?: () => AnswerOverflow
  /** Of whoever answers request after request. Absent where each answer gets a writer of its own. */
  readonly writers?: AnswerWriters
  /** How long the request waited for its turn. */
  readonly queuedMs: number
}

/** The way to other servers. */
export interface RemoteClient extends Pick<Outbound, 'request'> {
  /** For all that is asked of one server for one search. */
  readonly timeoutMs: number
  /** How long each of them is waited for before another one is asked. */
  readonly patience: Patience
}

/** What is known of how fast other servers answer. */
export interface Patience {
  answered(server: string, elapsedMs: number): void
  /** Nobody waits for its answer any more: another server had one. */
  gaveUp(server: string, elapsedMs: number): void
  /** In which time it usually answers. */
  usualMs(server: string): number
  /** After which time another server is asked in any case. */
  longestMs(server: string): number
  /** Takes a second request out of the reserve. False when too many were sent lately. */
  mayAskTwice(): boolean
  /** It let others wait in vain a moment ago: others are better asked first. */
  isSlow(server: string): boolean
}
