import { join } from 'node:path'
import {
  type BatchDecision,
  type DecidedBatch,
  payloadRefOf,
  type Task,
  type UnconfirmedBatch,
} from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { Ledger, PendingBatch } from '../ledger/ledger.js'
import type { BlobRef, ReplicatedLog } from '../log/model.js'
import { LogMoved } from '../log/problems.js'
import type { BatchRecord } from '../records/record.js'
import { appendRecord } from '../records/record-log.js'
import type { PayloadExchange } from './payload-exchange.js'
import type { Position } from './positions.js'

export interface BatchAgreementOptions {
  readonly ledger: Ledger
  readonly payloads: PayloadExchange
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly registered: Position
  readonly log: () => Promise<ReplicatedLog>
  readonly timeoutMs: number
}

/** Batches that all servers carry out: how one is decided on, what carrying it out needs, and what is noted of it. */
export class BatchAgreement {
  /** The last batch that this process carried out: it may not have read it yet. */
  private lastCarriedOut = 0
  /** What models answered for the batch that this server decided on last. */
  private ownVectors: { readonly sequence: number; readonly ref: BlobRef } | undefined
  /** All servers have carried them out, which is not written down yet. */
  private readonly confirmedLately = new Set<number>()

  constructor(private readonly options: BatchAgreementOptions) {}

  next(): DecidedBatch | undefined {
    return this.options.ledger.firstPending()
  }

  async fetchPayloads(tasks: readonly Task[]): Promise<void> {
    const { ledger, payloads, updatesPath } = this.options
    for (const { content } of tasks) {
      const payload = payloadRefOf(content)
      const ref = payload?.place === 'file' ? ledger.payload(payload.name) : undefined
      if (payload?.place === 'file' && ref !== undefined) await payloads.fetch(join(updatesPath, payload.name), ref)
    }
  }

  async fetchVectors(decided: DecidedBatch, path: string): Promise<void> {
    const { vectors } = decided as PendingBatch
    if (vectors !== undefined) await this.options.payloads.fetch(path, vectors)
  }

  async decide(decision: BatchDecision, vectorsPath: string | undefined): Promise<number> {
    const { ledger, payloads, registered, timeoutMs } = this.options
    const log = await this.options.log()
    const vectors = vectorsPath === undefined ? undefined : await payloads.put(vectorsPath)
    const record: BatchRecord = { kind: 'batch', decision, chain: ledger.link, ...(vectors && { vectors }) }
    // A batch that was read while this one was prepared comes first, and this one was planned without it.
    if (ledger.firstPendingSequence() !== undefined) throw new JobCancelled()
    // Not one that this server decided on and then could not complete: that is the next one to carry out.
    const after = Math.max(ledger.lastOf('batch'), this.lastCarriedOut)
    try {
      const sequence = await appendRecord(log, decision.id, record, { after, timeoutMs })
      this.ownVectors = vectors && { sequence, ref: vectors }
      return sequence
    } catch (error) {
      if (!(error instanceof LogMoved)) throw error
      // Another server decides by now. Its batch is the next one here as well.
      await registered.reach(await log.last('batch'), timeoutMs)
      throw new JobCancelled()
    }
  }

  /** Inside the transaction that ends the batch. */
  carryOut({ sequence, batchUid }: UnconfirmedBatch, finished: readonly Task[]): void {
    const { ledger } = this.options
    for (const { content } of finished) {
      const payload = payloadRefOf(content)
      if (payload?.place === 'file') ledger.retirePayload(payload.name, sequence)
    }
    const vectors = this.vectorsOf(sequence)
    if (vectors !== undefined) ledger.retire(vectors, sequence)
    ledger.putCarriedOut(sequence, batchUid)
  }

  /** Who decided on a batch may not have read it yet. */
  private vectorsOf(sequence: number): BlobRef | undefined {
    const pending = this.options.ledger.firstPending()
    if (pending?.sequence === sequence) return pending.vectors
    return this.ownVectors?.sequence === sequence ? this.ownVectors.ref : undefined
  }

  /** The transaction is on disk. */
  carriedOut(sequence: number): void {
    this.lastCarriedOut = sequence
  }

  confirmed(sequence: number): void {
    this.confirmedLately.add(sequence)
  }

  /** Written down now and then: who is stopped before waits for the others once more. */
  async noteConfirmed(write: (work: () => void) => Promise<void>): Promise<void> {
    const confirmed = [...this.confirmedLately]
    if (confirmed.length === 0) return
    this.confirmedLately.clear()
    await write(() => this.options.ledger.confirm(confirmed))
  }
}
