import type { Database, Key } from './database.js'
import type { Environment } from './environment.js'

/** What a change does to the entries of a database. */
export interface EntryChanges {
  put(key: Key, value: Uint8Array): void
  delete(key: Key): void
  /** Deletes all. */
  clear(): void
}

/** Hears which entries of a database were changed, when the change is on disk. */
export type StateListener = (keys: readonly Key[]) => void

/**
 * Where small state is changed: keys, webhooks, features, workspaces, rules, the network. To decide on a change and to
 * write it are one step here, so that no change is lost under another that was decided on at the same time.
 */
export interface StateLog {
  /** To read from. */
  database(name: string): Database
  /**
   * `decide` looks at the database and says what changes. On disk when it resolves, with what `decide` answered, and those
   * who follow the database know of it. A throwing `decide` changes nothing and rejects; it may be called again.
   */
  change<T>(name: string, decide: (changes: EntryChanges) => T): Promise<T>
  /** `listener` is called behind every change, whoever made it. */
  follow(name: string, listener: StateListener): void
}

/** The state of this server alone. */
export class LocalStateLog implements StateLog {
  private readonly databases = new Map<string, Database>()
  private readonly listeners = new Map<string, StateListener[]>()

  constructor(private readonly environment: Environment) {}

  database(name: string): Database {
    const known = this.databases.get(name)
    if (known !== undefined) return known
    const opened = this.environment.database(name)
    this.databases.set(name, opened)
    return opened
  }

  async change<T>(name: string, decide: (changes: EntryChanges) => T): Promise<T> {
    const database = this.database(name)
    const keys: Key[] = []
    const answer = await this.environment.write(() =>
      decide({
        put(key, value) {
          keys.push(key)
          database.put(key, value)
        },
        delete(key) {
          keys.push(key)
          database.delete(key)
        },
        clear() {
          for (const key of database.keys()) keys.push(key)
          database.clear()
        },
      }),
    )
    for (const listener of this.listeners.get(name) ?? []) listener(keys)
    return answer
  }

  follow(name: string, listener: StateListener): void {
    const known = this.listeners.get(name) ?? []
    this.listeners.set(name, [...known, listener])
  }
}
