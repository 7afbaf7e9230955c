import type { Answered, RequestKind } from '../answer/index.js'
import type { Result } from '../errors/index.js'
import type { FilterGates } from '../match/index.js'
import type { ExecutorOptions } from './search-executor.js'
import type { Inspected, SearchOrder } from './search-order.js'

/** What a search thread begins with. */
export interface ThreadSetup {
  readonly options: ExecutorOptions
  /** The memory of its `ThreadSignals`. */
  readonly signals: SharedArrayBuffer
}

/** From the server thread to a search thread. */
export type ThreadQuestion =
  | { readonly ask: 'run'; readonly order: SearchOrder }
  | { readonly ask: 'inspect'; readonly kind: RequestKind; readonly bytes: Uint8Array }
  | { readonly ask: 'checkFilter'; readonly filter: string; readonly gates: FilterGates }
  | { readonly ask: 'release'; readonly path: string }
  | { readonly ask: 'start' | 'close' }

/** Searches that take so long are going to be run. */
export interface ThreadNotice {
  readonly cutoffMs: number
}

/** `dropped`: nobody waits for it any more. */
export type ThreadOutcome = Answer | 'dropped'

export type Answer = Result<Answered> | Result<Inspected> | Result<undefined> | undefined
