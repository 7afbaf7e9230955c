import type { Result } from '../../errors/index.js'
import type { Task } from '../model/task.js'
import type { BatchDecision, DecidedBatch, UnconfirmedBatch } from '../run/batch-decision.js'
import type { EnqueueOptions, NewTask } from './registrar.js'

/**
 * The log that several servers share, as the queue sees it. With it, nothing is registered and no batch is carried out
 * that the log does not hold, and all servers do the same in the same order. Without it the task store is the log.
 */
export interface QueueReplication {
  /** Resolves when the log holds the task and this server has registered it. */
  register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>>
  /** Whether this server decides on batches at present. */
  readonly isCoordinator: boolean
  /** Called between batches of this server's own choice, with how long the last one took: others may have to catch up. */
  makeWay(lastBatchMs: number): Promise<void>
  /** The place in the log of the last batch that this server has carried out. */
  readonly lastBatch: number
  /** The place up to which this server has registered everything. */
  readonly lastRegistered: number
  /** The oldest decision that this server has not carried out. */
  nextBatch(): DecidedBatch | undefined
  /** Makes the payloads of tasks present in the folder of this server. */
  fetchPayloads(tasks: readonly Task[]): Promise<void>
  /** Writes what models answered during a batch to a file. None is made if no model was asked. */
  fetchVectors(decided: DecidedBatch, path: string): Promise<void>
  /**
   * Makes a decision that of all servers; answers its place in the log. Rejects when it may not be one: another was made
   * first, or nobody knows. What was prepared has to be abandoned then. `vectorsPath`: a file with what models answered.
   */
  decide(decision: BatchDecision, vectorsPath: string | undefined): Promise<number>
  /** Inside the transaction that ends the batch, with the tasks that are finished by it. */
  carriedOut(batch: UnconfirmedBatch, finished: readonly Task[]): void
  /** Of before this start. */
  unconfirmed(): readonly UnconfirmedBatch[]
  /** Resolves when every server that answers searches has carried it out. */
  carriedOutEverywhere(sequence: number): Promise<void>
  /** Whether it is for this server to tell webhooks of a batch; resolves when that is known. */
  mustNotify(sequence: number): Promise<boolean>
  /** Webhooks were told of it, by this server, as far as they could be. */
  notified(sequence: number): void
  /** Everybody was told of it who has to be. */
  confirmed(sequence: number): void
  /** A batch could not be carried out for a reason that lies in this server, and is tried again. */
  troubled(error: unknown): void
  /** This server cannot carry out what the others did: it must not answer any longer until it has their data. */
  diverged(problem: Error): void
}
