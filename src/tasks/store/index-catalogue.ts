import { randomUUID } from 'node:crypto'
import { compareBytes } from '../../byte-order/index.js'
import type { IndexStats } from '../../index/index.js'
import type { Database, Environment } from '../../store/index.js'
import { decodeRecord, encodeRecord } from './record.js'

/** An index by its name: the folder it lives in and what was known of it after its last batch. */
export interface CatalogueEntry {
  readonly uid: string
  /** Name of the folder under `indexes/`. */
  readonly folder: string
  readonly stats: IndexStats
}

type StoredEntry = Omit<CatalogueEntry, 'uid'>

/**
 * Which indexes exist. Names move between folders here (swap, rename), so that no data does. Held in memory, written
 * through inside transactions.
 */
export class IndexCatalogue {
  private readonly database: Database
  private readonly entries = new Map<string, CatalogueEntry>()

  constructor(environment: Environment) {
    this.database = environment.database('indexes')
    this.reload()
  }

  get(uid: string): CatalogueEntry | undefined {
    return this.entries.get(uid)
  }

  get isEmpty(): boolean {
    return this.entries.size === 0
  }

  /** Sorted by uid, byte order. */
  list(): CatalogueEntry[] {
    return [...this.entries.values()].sort((a, b) => compareBytes(a.uid, b.uid))
  }

  /** Inside a transaction. */
  put(entry: CatalogueEntry): void {
    const { uid, ...stored } = entry
    this.entries.set(uid, entry)
    this.database.put(Buffer.from(uid), encodeRecord(stored))
  }

  /** Inside a transaction. */
  delete(uid: string): void {
    this.entries.delete(uid)
    this.database.delete(Buffer.from(uid))
  }

  /** Inside a transaction: each of the two names gets the other's index; a name without one loses its own. */
  exchange(a: string, b: string): void {
    const [first, second] = [this.get(a), this.get(b)]
    if (second === undefined) this.delete(a)
    else this.put({ ...second, uid: a })
    if (first === undefined) this.delete(b)
    else this.put({ ...first, uid: b })
  }

  /** Reads everything again, after a transaction that did not reach the disk. */
  reload(): void {
    this.entries.clear()
    for (const { key, value } of this.database.range()) {
      const uid = key.toString('utf8')
      const { folder, stats } = decodeRecord<StoredEntry>(value)
      // Older versions did not tell what is free, nor where the rest is, nor had they sets.
      const { usedBytes = stats.sizeBytes, databaseBytes = {}, areSetsDue = true } = stats
      this.entries.set(uid, { uid, folder, stats: { ...stats, usedBytes, databaseBytes, areSetsDue } })
    }
  }
}

export const newFolderName = (): string => randomUUID()
