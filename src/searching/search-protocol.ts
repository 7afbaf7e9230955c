import type { Answered, RequestKind } from '../answer/index.js'
import type { Result } from '../errors/index.js'
import type { FilterGates } from '../match/index.js'
import type { Problem } from '../tasks/index.js'
import type { DeskOptions } from './search-desk.js'
import type { Inspected, SearchOrder } from './search-order.js'

/** What a search thread begins with. */
export interface ThreadSetup {
  readonly options: DeskOptions
  /** The memory of its `ThreadSignals`. */
  readonly signals: SharedArrayBuffer
}

/** From the server thread to a search thread. Each is answered with one reply of the same number. */
export interface ThreadRequest {
  readonly id: number
  readonly question: ThreadQuestion
}

export type ThreadQuestion =
  | { readonly ask: 'run'; readonly order: SearchOrder }
  | { readonly ask: 'inspect'; readonly kind: RequestKind; readonly bytes: Uint8Array }
  | { readonly ask: 'checkFilter'; readonly filter: string; readonly gates: FilterGates }
  | { readonly ask: 'release'; readonly path: string }
  | { readonly ask: 'start' | 'close' }

export type ThreadReply =
  | { readonly id: number; readonly is: 'outcome'; readonly outcome: ThreadOutcome }
  | { readonly id: number; readonly is: 'problem'; readonly problem: Problem }
  /** Nobody waits for it any more. */
  | { readonly id: number; readonly is: 'dropped' }
  /** Not a reply: searches that take so long are going to be run. */
  | { readonly is: 'cutoff'; readonly cutoffMs: number }

export type ThreadOutcome = Result<Answered> | Result<Inspected> | Result<undefined> | undefined
