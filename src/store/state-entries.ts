import { compareBytes } from '../byte-order/index.js'
import type { Database } from './database.js'
import type { EntryChanges, StateLog } from './state-log.js'

export interface EntryCodec<T> {
  encode(value: T): Uint8Array
  decode(bytes: Buffer): T
}

/** The entries of a database under texts: in memory for asking, on disk for the next start. */
export class StateEntries<T> {
  private readonly database: Database
  private readonly known = new Map<string, T>()
  private sorted: readonly (readonly [key: string, value: T])[] | undefined
  private sortedValues: readonly T[] | undefined

  constructor(
    private readonly log: StateLog,
    private readonly name: string,
    private readonly codec: EntryCodec<T>,
  ) {
    this.database = log.database(name)
    for (const { key, value } of this.database.range()) this.known.set(key.toString(), codec.decode(value))
    log.follow(name, (keys) => {
      this.sorted = undefined
      this.sortedValues = undefined
      for (const key of keys) this.readAgain(Buffer.from(key).toString())
    })
  }

  get(key: string): T | undefined {
    return this.known.get(key)
  }

  /** As it is on disk, or is going to be when asked inside a transaction. */
  latest(key: string): T | undefined {
    const bytes = this.database.get(Buffer.from(key))
    return bytes === undefined ? undefined : this.codec.decode(bytes)
  }

  /** In byte order of their keys. The same list until something changes. */
  list(): readonly (readonly [key: string, value: T])[] {
    this.sorted ??= [...this.known].sort(([a], [b]) => compareBytes(a, b))
    return this.sorted
  }

  /** In the same order, and the same list as long. */
  values(): readonly T[] {
    this.sortedValues ??= this.list().map(([, value]) => value)
    return this.sortedValues
  }

  /** `decide` sees the last state, which may not be on disk yet: see `StateLog`. */
  change<Answer>(decide: (entries: DecidedEntries<T>) => Answer): Promise<Answer> {
    return this.log.change(this.name, (changes) => decide(this.decided(changes)))
  }

  /** Inside a transaction that somebody else began, for what follows from it; `reload` when it is on disk. */
  putWithin(key: string, value: T): void {
    this.database.put(Buffer.from(key), this.codec.encode(value))
  }

  deleteWithin(key: string): void {
    this.database.delete(Buffer.from(key))
  }

  /** Reads one entry again. */
  reload(key: string): void {
    this.sorted = undefined
    this.sortedValues = undefined
    this.readAgain(key)
  }

  private decided(changes: EntryChanges): DecidedEntries<T> {
    const { codec } = this
    return {
      get: (key) => this.latest(key),
      put: (key, value) => changes.put(Buffer.from(key), codec.encode(value)),
      delete: (key) => changes.delete(Buffer.from(key)),
      clear: () => changes.clear(),
    }
  }

  private readAgain(key: string): void {
    const value = this.latest(key)
    if (value === undefined) this.known.delete(key)
    else this.known.set(key, value)
  }
}

/** The entries as whoever decides on a change sees them. */
export interface DecidedEntries<T> {
  get(key: string): T | undefined
  put(key: string, value: T): void
  delete(key: string): void
  clear(): void
}
