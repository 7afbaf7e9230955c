import type { Database, Environment } from '../../store/index.js'
import type { DecidedBatch, UnconfirmedBatch } from '../../tasks/index.js'
import type { BlobRef } from '../log/model.js'
import type { BatchRecord, ChainLink } from '../records/record.js'

/** So many entries back an id is recognized. Who appends one again does so within minutes. */
const REMEMBERED_IDS = 50_000

/** What a server knows of its place in the log before it is opened. */
export interface LedgerState {
  readonly position: number
  /** Of the log that the position is one of; undefined before the first entry. */
  readonly logIdentity: string | undefined
  /** Why the data of this server cannot be used any longer. */
  readonly lostBecause: string | undefined
}

/** A batch that was decided on, and the blob of what models answered. */
export interface PendingBatch extends DecidedBatch {
  readonly vectors?: BlobRef
}

/**
 * What a server has done of the log, in the same LMDB folder as its tasks, so that a place in the log and what came of it
 * are written in one transaction. Everything that writes has to be called inside of one.
 *
 * ```
 * database cluster
 *   p                  → JSON of the place up to which everything is registered, and the hash of it
 *   k kind             → u48, the last entry of a kind
 *   b u48              → JSON of a batch that is yet to be carried out, by its place
 *   c                  → u48, the last batch that was carried out
 *   d u48              → u48, the uid of a batch that was carried out, by its place, while not everybody may be told of it
 *   i id               → u48, and n u48 → id: entries that are recognized when they come again
 *   l                  → text, which log these places are in
 *   x                  → text, why these data are not used any longer
 *   f name             → JSON of the blob of a payload that a task waits for
 *   u u48 name         → JSON of a blob that nobody needs once all have carried out the batch at that place
 * ```
 */
export class Ledger {
  private readonly database: Database

  constructor(environment: Pick<Environment, 'database'>) {
    this.database = environment.database('cluster')
  }

  get link(): ChainLink {
    return this.json<ChainLink>(key('p')) ?? { sequence: 0, hash: '' }
  }

  set link(link: ChainLink) {
    this.database.put(key('p'), Buffer.from(JSON.stringify(link)))
  }

  get state(): LedgerState {
    const text = (at: string): string | undefined => this.database.get(key(at))?.toString()
    return { position: this.link.sequence, logIdentity: text('l'), lostBecause: text('x') }
  }

  /** These data are of no use: the next start takes a copy of another server's. */
  lose(because: string): void {
    this.database.put(key('x'), Buffer.from(because))
  }

  /** These data are what a new log goes on from. */
  begin(identity: string, position: number): void {
    this.link = { ...this.link, sequence: position }
    this.database.delete(key('x'))
    this.follow(identity)
  }

  /** The log that places are in from here on. In another one than before there is no entry of any kind yet. */
  follow(identity: string): void {
    if (this.state.logIdentity === identity) return
    this.database.put(key('l'), Buffer.from(identity))
    for (const kind of [...this.database.keys({ start: key('k'), end: key('l') })]) this.database.delete(kind)
  }

  /** 0 if there was none. */
  lastOf(kind: string): number {
    return this.number(key('k', kind))
  }

  putLastOf(kind: string, sequence: number): void {
    this.database.put(key('k', kind), numberBytes(sequence))
  }

  knows(id: string): boolean {
    return this.database.has(key('i', id))
  }

  remember(id: string, sequence: number): void {
    this.database.put(key('i', id), numberBytes(sequence))
    this.database.put(key('n', numberBytes(sequence)), Buffer.from(id))
    const old = key('n', numberBytes(Math.max(0, sequence - REMEMBERED_IDS)))
    const forgotten = this.database.get(old)
    if (forgotten === undefined) return
    this.database.delete(old)
    this.database.delete(key('i', forgotten))
  }

  addPending(sequence: number, { decision, vectors }: BatchRecord): void {
    const pending = { ...decision, sequence, ...(vectors && { vectors }) } satisfies PendingBatch
    this.database.put(key('b', numberBytes(sequence)), Buffer.from(JSON.stringify(pending)))
  }

  firstPending(): PendingBatch | undefined {
    for (const { value } of this.database.range({ start: key('b'), end: key('c'), limit: 1 }))
      return JSON.parse(value.toString()) as PendingBatch
    return undefined
  }

  /** Its place alone: a batch of many tasks takes a while to be read. */
  firstPendingSequence(): number | undefined {
    for (const stored of this.database.keys({ start: key('b'), end: key('c'), limit: 1 }))
      return stored.readUIntBE(1, 6)
    return undefined
  }

  get carriedOut(): number {
    return this.number(key('c'))
  }

  putCarriedOut(sequence: number, batchUid: number): void {
    this.database.put(key('c'), numberBytes(sequence))
    this.database.put(key('d', numberBytes(sequence)), numberBytes(batchUid))
    this.database.delete(key('b', numberBytes(sequence)))
  }

  /** Batches that were carried out here, and perhaps not yet on all servers, in the order of their places. */
  unconfirmed(): UnconfirmedBatch[] {
    const entries = [...this.database.range({ start: key('d'), end: key('e') })]
    return entries.map(({ key: stored, value }) => ({
      sequence: stored.readUIntBE(1, 6),
      batchUid: value.readUIntBE(0, 6),
    }))
  }

  confirm(sequences: Iterable<number>): void {
    for (const sequence of sequences) this.database.delete(key('d', numberBytes(sequence)))
  }

  // ---- blobs

  putPayload(name: string, ref: BlobRef): void {
    this.database.put(key('f', name), Buffer.from(JSON.stringify(ref)))
  }

  payload(name: string): BlobRef | undefined {
    return this.json<BlobRef>(key('f', name))
  }

  /** The task is done: the blob is of use only to those who have not carried out that batch. */
  retirePayload(name: string, sequence: number): void {
    const ref = this.payload(name)
    if (ref === undefined) return
    this.database.delete(key('f', name))
    this.retire(ref, sequence)
  }

  retire(ref: BlobRef, sequence: number): void {
    this.database.put(key('u', numberBytes(sequence), ref.id), Buffer.from(JSON.stringify(ref)))
  }

  /** Blobs that nobody needs if all have carried out everything below a place. */
  *retiredBelow(sequence: number): IterableIterator<{ readonly key: Buffer; readonly ref: BlobRef }> {
    for (const { key: stored, value } of this.database.range({ start: key('u'), end: key('u', numberBytes(sequence)) }))
      yield { key: stored, ref: JSON.parse(value.toString()) as BlobRef }
  }

  forget(stored: Uint8Array): void {
    this.database.delete(stored)
  }

  private number(at: Buffer): number {
    return this.database.get(at)?.readUIntBE(0, 6) ?? 0
  }

  private json<T>(at: Buffer): T | undefined {
    const bytes = this.database.get(at)
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as T)
  }
}

function key(kind: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat([
    Buffer.from(kind),
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  ])
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(6)
  bytes.writeUIntBE(value, 0, 6)
  return bytes
}
