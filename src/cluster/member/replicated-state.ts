import type { Database, EntryChanges, Environment, Key, StateListener, StateLog } from '../../store/index.js'
import { LogMoved } from '../log/problems.js'
import type { StatePlace, StateRecord } from '../records/record.js'

/** How a change of state gets into the log. */
export interface StateWriter {
  newId(): string
  /** The last change of state that this server knows of, in all places. */
  lastState(): number
  /** Appends it if it follows that one, and resolves when this server has applied it. Rejects with `LogMoved` otherwise. */
  append(id: string, record: StateRecord, after: number): Promise<void>
  /** Resolves when this server knows of a later change. */
  laterState(than: number): Promise<void>
}

/**
 * Small state of all servers. A change is decided on what this server knows, and counts if it is the next in the log: when
 * another came first, it is decided on again.
 */
export class ReplicatedState implements StateLog {
  private readonly databases = new Map<string, Database>()
  private readonly listeners = new Map<string, StateListener[]>()
  /** One after the other: they would only keep each other from being the next. */
  private turn: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly place: StatePlace,
    private readonly environment: Pick<Environment, 'database'>,
    private readonly writer: StateWriter,
  ) {}

  database(name: string): Database {
    const known = this.databases.get(name)
    if (known !== undefined) return known
    const opened = this.environment.database(name)
    this.databases.set(name, opened)
    return opened
  }

  follow(name: string, listener: StateListener): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
  }

  change<T>(name: string, decide: (changes: EntryChanges) => T): Promise<T> {
    const changed = this.turn.then(() => this.changeInTurn(name, decide))
    this.turn = changed.catch(() => {})
    return changed
  }

  private async changeInTurn<T>(name: string, decide: (changes: EntryChanges) => T): Promise<T> {
    for (;;) {
      const after = this.writer.lastState()
      const collected = new CollectedChanges()
      const answer = decide(collected)
      if (collected.isEmpty) return answer
      const { clears, entries } = collected
      const record: StateRecord = { kind: 'state', place: this.place, database: name, clears, entries }
      try {
        await this.writer.append(this.writer.newId(), record, after)
        return answer
      } catch (error) {
        if (!(error instanceof LogMoved)) throw error
        await this.writer.laterState(after)
      }
    }
  }

  /** Appends a change that changes nothing. */
  async touch(): Promise<void> {
    const after = this.writer.lastState()
    const nothing: StateRecord = { kind: 'state', place: this.place, database: 'cluster', clears: false, entries: [] }
    await this.writer.append(this.writer.newId(), nothing, after)
  }

  /** Inside a transaction. Answers whom to tell when it is on disk. */
  apply({ database: name, clears, entries }: StateRecord): () => void {
    const database = this.database(name)
    const keys: Key[] = clears ? [...database.keys()] : []
    if (clears) database.clear()
    for (const [key, value] of entries) {
      keys.push(key)
      if (value === undefined) database.delete(key)
      else database.put(key, value)
    }
    return () => {
      for (const listener of this.listeners.get(name) ?? []) listener(keys)
    }
  }
}

class CollectedChanges implements EntryChanges {
  clears = false
  private readonly byKey = new Map<string, readonly [Key, Uint8Array | undefined]>()

  get isEmpty(): boolean {
    return !this.clears && this.byKey.size === 0
  }

  get entries(): readonly (readonly [Key, Uint8Array | undefined])[] {
    return [...this.byKey.values()]
  }

  readonly put = (key: Key, value: Uint8Array): void => {
    this.byKey.set(Buffer.from(key).toString('latin1'), [key, value])
  }

  readonly delete = (key: Key): void => {
    this.byKey.set(Buffer.from(key).toString('latin1'), [key, undefined])
  }

  readonly clear = (): void => {
    this.clears = true
    this.byKey.clear()
  }
}
