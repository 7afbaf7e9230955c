import type { Failure } from '../../errors/index.js'
import type { Batch } from '../model/batch.js'
import type { Plan } from '../schedule/plan.js'
import type { Ending } from './batch-outcome.js'

/** How a batch ended, decided by one server and carried out by all: what is in it has to be the same everywhere. */
export interface BatchDecision {
  /** Names the batch in indexes, so that carrying it out again is noticed. */
  readonly id: string
  readonly kind: Plan['kind']
  /** Uids, in the order of the plan. */
  readonly tasks: readonly number[]
  /** The record with its times and statistics. */
  readonly batch: Batch
  /** In the order of `tasks`. */
  readonly endings: readonly Ending[]
  /** Everything failed for one reason, and nothing was done but, perhaps, to make the index. */
  readonly failed?: { readonly reason: Failure; readonly makesIndex: boolean }
  /** Of what was written to the index. Absent where no index was worked on. */
  readonly digest?: string
}

/** A decision that this server has yet to carry out. */
export interface DecidedBatch extends BatchDecision {
  /** Where it stands in the log. */
  readonly sequence: number
}

/** A batch that was carried out by this server, and perhaps not by all. */
export interface UnconfirmedBatch {
  readonly sequence: number
  readonly batchUid: number
}

/** The work of this server came to another result than that of the server that decided. */
export class Divergence extends Error {
  constructor(what: string) {
    super(`This server's data differ from those of the others: ${what}.`)
    this.name = 'Divergence'
  }
}
