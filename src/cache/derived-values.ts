import { ByteCache } from './byte-cache.js'

/** Whatever has versions, and keeps what was made of them: see `index.ts`. */
export interface Derived {
  /** A value made once for each version. */
  derive<T>(key: symbol, make: () => T): T
  /** The same of a value that is brought up to date: `make` gets what it made for an earlier version, if it is still there. */
  carry<T>(key: symbol, make: (before: T | undefined) => T): T
}

/** What is carried from one version to the next. It outlives what is derived from a single one. */
export type Carried = Map<symbol, unknown>

/** The values that were made of the version at hand. */
export class DerivedValues implements Derived {
  private readonly values = new Map<symbol, unknown>()

  constructor(private readonly carried: Carried) {}

  derive<T>(key: symbol, make: () => T): T {
    const known = this.values.get(key)
    if (known !== undefined) return known as T
    const made = make()
    this.values.set(key, made)
    return made
  }

  carry<T>(key: symbol, make: (before: T | undefined) => T): T {
    return this.derive(key, () => {
      const made = make(this.carried.get(key) as T | undefined)
      this.carried.set(key, made)
      return made
    })
  }

  /** There is another version. */
  clear(): void {
    this.values.clear()
  }

  /** What grows with what is asked, as far as it is counted. */
  get sizeBytes(): number {
    let bytes = 0
    for (const value of this.values.values()) if (value instanceof ByteCache) bytes += value.sizeBytes
    return bytes
  }
}
