import type { Failure } from '../../errors/index.js'
import type { ShardMap } from '../../sharding/index.js'
import type { VectorRecording } from '../../vectors/index.js'
import type { IndexStats } from '../index-stats.js'
import type { ShardCounts } from '../shards/shard-tally.js'
import type { PayloadSource } from './payload-source.js'

/** One document task inside a batch. */
export type DocumentOperation =
  | {
      readonly kind: 'import'
      readonly method: 'replace' | 'update'
      readonly payload: PayloadSource
      /** The key named by the request, if any. */
      readonly primaryKey: string | null
      readonly skipCreation: boolean
      /** Another server hands the documents over: all are kept, or those that are not here already. */
      readonly handedOver?: 'all' | 'ifAbsent'
      /** When they came to the server that hands them over, one after the other: see `arrivals.ts`. */
      readonly arrivals?: readonly number[]
      /** The number of its task, the same on all servers of a network; absent where nobody else has it. */
      readonly task?: number
    }
  /** Many ids come as a payload: JSON text of their list. */
  | { readonly kind: 'deleteIds'; readonly ids: readonly string[] | PayloadSource }
  | { readonly kind: 'deleteFilter'; readonly filter: string }

/** What a batch does to one index, as decided by the scheduler. Filters, contexts and patches of settings are JSON text. */
export type IndexWork =
  | { readonly kind: 'documents'; readonly operations: readonly DocumentOperation[] }
  | { readonly kind: 'deletions'; readonly operations: readonly DocumentOperation[] }
  /** A clear for each task that is one, in task order; settings tasks of the same batch follow. */
  | { readonly kind: 'clear'; readonly patches: readonly string[] }
  | { readonly kind: 'settings'; readonly patches: readonly string[] }
  | {
      readonly kind: 'edit'
      readonly filter: string | null
      readonly context: string | null
      readonly function: string
    }
  /** `touch`: the index counts as updated even when its key stays (a rename). */
  | { readonly kind: 'primaryKey'; readonly primaryKey: string | null; readonly touch: boolean }
  | { readonly kind: 'create' }
  /** Nothing but what `shards` and `countsShards` ask of every job. */
  | { readonly kind: 'shards' }
  /** Deletes the documents of shards that others own. */
  | { readonly kind: 'dropForeign' }

export interface IndexJob {
  /** The folder of the index. */
  readonly path: string
  readonly indexUid: string
  /** RFC 3339; becomes `updatedAt` where the work changes something. */
  readonly now: string
  /** Names this batch, so that doing it again after a crash is noticed. */
  readonly batchKey: string
  /** When given, a missing index is made first, with this primary key. */
  readonly create: { readonly primaryKey: string | null } | null
  readonly work: IndexWork
  /**
   * Under the leader of a network: which documents are kept. Others are left out, but counted as received. Where documents
   * are known by the shards of another map, all are assigned anew first; without a map none are.
   */
  readonly shards?: ShardMap
  /** Asks for `byShard` in what comes out: several servers do this job, each for the shards it owns. */
  readonly countsShards?: true
  /** Asks for the digest of what it changes. */
  readonly digest?: true
  /**
   * Memory for words that are not written yet, instead of what the server has for them. Where blocks of words are cut
   * depends on it: who wants the same bytes in several folders gives the same number.
   */
  readonly wordBytes?: number
  /**
   * What embedders answer is written to a file, which is complete and on disk when the job is prepared (none where nothing
   * was asked, or the job failed); or taken from one, and no model is asked. A replay that lacks something throws: the
   * folders differ then. The file belongs to whoever asked for the job.
   */
  readonly vectors?: VectorRecording
}

/** What became of one task: its counters, or its own failure while the others went on. */
export type TaskOutcome =
  | {
      readonly ok: true
      readonly indexed?: number
      readonly deleted?: number
      readonly edited?: number
      /** Where it was asked for: what every counter of the task comes to for each shard. Absent where all servers count the same. */
      readonly byShard?: ShardCounts
    }
  | { readonly ok: false; readonly failure: Failure }

/** `outcomes` stand in the order of the operations (one for all other kinds of work). */
export interface JobOutcome {
  readonly outcomes: readonly TaskOutcome[]
  readonly stats: IndexStats
  /** Where documents were worked on. */
  readonly handed?: HandedCounts
  /**
   * Where it was asked for, unless the batch had been done already: what the transaction changed comes to. The same for all
   * folders with the same content to which the same is done, another one if the result differs: see `leaveLocalOut`. By so
   * much the digest of the folder grows.
   */
  readonly digest?: string
  /** Embedders were asked, and their answers recorded. */
  readonly recordedVectors?: true
}

/** A job whose work is done, in a transaction that is still open: nobody sees any of it, and nobody else can write. */
export interface PreparedJob {
  readonly outcome: JobOutcome
  /** Answers the outcome with the statistics as they are then. Rejects when it failed: the index is as before. */
  commit(): Promise<JobOutcome>
  /**
   * The index is as before. Does nothing after `commit`, nor for a job that had been done already when it was asked for:
   * what is committed stays.
   */
  abort(): Promise<void>
}

/** How often a part of the documents was handed to the word thread, and how often it had no room for it at first. */
export interface HandedCounts {
  readonly attempts: number
  readonly waits: number
}

/** How the running job is watched and stopped from outside. */
export interface JobHooks {
  /** Called often; must be cheap. */
  progress(step: string, finished: number, total: number): void
  /** Whether a cancelation asked this batch to stop. */
  isCancelled(): boolean
  /** Told of what went wrong without harm, for whoever looks after the server. */
  warn?(problem: Error): void
}
