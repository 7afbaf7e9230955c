import type { Database as LmdbDatabase } from 'lmdb'
import { CorruptBytes } from '../bytes/index.js'
import { EntryHash, type EntrySum } from './entry-sum.js'
import { type Sealer, unseal } from './sealed-value.js'

/** Bytes that sort as bytes. LMDB holds keys of up to 1978 bytes here. */
export type Key = Uint8Array

export interface Entry {
  readonly key: Buffer
  readonly value: Buffer
}

export interface KeyRange {
  /** First key, included. */
  readonly start?: Key
  /** Last key, excluded (included when walking backwards from it as `start`). */
  readonly end?: Key
  readonly reverse?: boolean
  readonly limit?: number
}

/** Goes on to the next entry unless it answers `enough`. */
type Visit = (key: Buffer, borrowed: Buffer) => unknown

const UNLESS_THERE = { noOverwrite: true }

/**
 * What lmdb-js asks of a store that goes through entries. A decoder that says it copies is handed the memory into which
 * every value is read, and not a copy of it.
 */
interface Lending {
  decoder: { decode(memory: Buffer, length: number): Buffer } | undefined
  decoderCopies: boolean | undefined
}

const LENDING: Lending = { decoder: { decode: (memory, length) => memory.subarray(0, length) }, decoderCopies: true }
const COPYING: Lending = { decoder: undefined, decoderCopies: undefined }

function lend(store: Lending, { decoder, decoderCopies }: Lending): void {
  store.decoder = decoder
  store.decoderCopies = decoderCopies
}

/** A sorted map from bytes to bytes. Writes belong inside `Environment.write` or `writeSync`. */
export class Database {
  constructor(protected db: LmdbDatabase<Buffer, Buffer>) {}

  /** What lmdb-js calls it. For `Environment` alone. */
  get store(): LmdbDatabase<Buffer, Buffer> {
    return this.db
  }

  /** The same map in another file, or watched. For `Environment` alone. */
  moveTo(db: LmdbDatabase<Buffer, Buffer>): void {
    this.db = db
  }

  /** A copy of the value. */
  get(key: Key): Buffer | undefined {
    return this.db.getBinary(key as Buffer)
  }

  /** A view that is valid only until the next read or write of this thread: decode or copy at once. */
  getBorrowed(key: Key): Buffer | undefined {
    const lent = this.lent(key)
    return lent?.subarray(0, lent.length)
  }

  /** The memory into which lmdb-js reads every value: it claims to be as long as the value, and is longer. */
  protected lent(key: Key): Buffer | undefined {
    return this.db.getBinaryFast(key as Buffer) as Buffer | undefined
  }

  has(key: Key): boolean {
    return this.db.doesExist(key as Buffer)
  }

  put(key: Key, value: Uint8Array): void {
    this.db.putSync(key as Buffer, value as Buffer)
  }

  /** Puts an entry unless its key is there already; answers whether it did. */
  putNew(key: Key, value: Uint8Array): boolean {
    const isNew: unknown = this.db.putSync(key as Buffer, value as Buffer, UNLESS_THERE)
    return isNew === true
  }

  /**
   * Puts an entry behind all others, and throws when its key is not the last. Pages get full this way; when the next
   * entry has no room, `put` takes the last one along to the new page (a tenth more pages for entries of 250 bytes).
   */
  append(key: Key, value: Uint8Array): void {
    // The types of lmdb-js do not tell that it answers whether it has written.
    const isLast: unknown = this.db.putSync(key as Buffer, value as Buffer, { append: true })
    if (isLast !== true) throw new Error(`the key ${Buffer.from(key).toString('hex')} is not the last`)
  }

  delete(key: Key): boolean {
    return this.db.removeSync(key as Buffer)
  }

  /** Entries in key order. Keys and values are copies. */
  *range(range: KeyRange = {}): IterableIterator<Entry> {
    for (const { key, value } of this.db.getRange(range as never)) yield { key: key as unknown as Buffer, value }
  }

  /**
   * Visits entries in key order. Values are views that are good until `visit` returns, or writes, and until then nobody
   * may go through entries of this database otherwise.
   */
  eachBorrowed(range: KeyRange, visit: Visit): void {
    const store = this.db as unknown as Lending
    lend(store, LENDING)
    try {
      for (const { key, value } of this.db.getRange(range as never)) {
        if (visit(key as unknown as Buffer, value) === 'enough') return
      }
    } finally {
      lend(store, COPYING)
    }
  }

  *keys(range: KeyRange = {}): IterableIterator<Buffer> {
    for (const key of this.db.getKeys(range as never)) yield key as unknown as Buffer
  }

  count(range: KeyRange = {}): number {
    return this.db.getKeysCount(range as never)
  }

  clear(): void {
    this.db.clearSync()
  }

  /** Adds all entries as they are stored, but for those that are left out. */
  addTo(sum: EntrySum, name: string, isLeftOut: (key: Uint8Array) => boolean): void {
    const hash = new EntryHash(name)
    for (const { key, value } of this.db.getRange({})) if (!isLeftOut(key)) sum.add(hash.of(key, value))
  }

  /** Bytes of all pages of this database. */
  sizeBytes(): number {
    const stats = this.db.getStats() as unknown as Record<string, number>
    return (stats.treeBranchPageCount! + stats.treeLeafPageCount! + stats.overflowPages!) * stats.pageSize!
  }
}

/** The same with a checksum behind each value. Reads throw `CorruptBytes` rather than answer a damaged one. */
export class CheckedDatabase extends Database {
  constructor(
    db: LmdbDatabase<Buffer, Buffer>,
    private readonly name: string,
    private readonly environment: { readonly title: string; readonly sealer: Sealer },
  ) {
    super(db)
  }

  override get(key: Key): Buffer | undefined {
    const sealed = super.get(key)
    return sealed === undefined ? undefined : this.checked(sealed)
  }

  override getBorrowed(key: Key): Buffer | undefined {
    const sealed = this.lent(key)
    return sealed === undefined ? undefined : this.checked(sealed)
  }

  override put(key: Key, value: Uint8Array): void {
    super.put(key, this.environment.sealer.seal(value))
  }

  override putNew(key: Key, value: Uint8Array): boolean {
    return super.putNew(key, this.environment.sealer.seal(value))
  }

  override append(key: Key, value: Uint8Array): void {
    super.append(key, this.environment.sealer.seal(value))
  }

  override *range(range: KeyRange = {}): IterableIterator<Entry> {
    // Not by way of the other one, so that entries pass through one generator and not two.
    for (const { key, value } of this.db.getRange(range as never)) {
      yield { key: key as unknown as Buffer, value: this.checked(value) }
    }
  }

  override eachBorrowed(range: KeyRange, visit: Visit): void {
    super.eachBorrowed(range, (key, sealed) => visit(key, this.checked(sealed)))
  }

  private checked(sealed: Buffer): Buffer {
    const value = unseal(sealed)
    if (value !== undefined) return value
    throw new CorruptBytes(`a value of the database "${this.name}" of ${this.environment.title} has a wrong checksum`)
  }
}
