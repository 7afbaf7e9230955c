import { ByteCache, type Sized } from './byte-cache.js'
import type { Derived } from './derived-values.js'

interface CachedValue<T> extends Sized {
  readonly value: T
}

/** Results of one kind that each thread keeps for each index until the index changes, as far as memory goes. */
export class VersionCache<T> {
  private readonly name: symbol

  constructor(
    name: string,
    private readonly maxBytes: number,
  ) {
    this.name = Symbol(name)
  }

  get(index: Pick<Derived, 'derive'>, key: string): T | undefined {
    return this.of(index).get(key)?.value
  }

  /** `valueBytes`: what it takes beside its key. */
  keep(index: Pick<Derived, 'derive'>, key: string, value: T, valueBytes: number): void {
    this.of(index).set(key, { value, sizeBytes: 2 * key.length + valueBytes })
  }

  private of(index: Pick<Derived, 'derive'>): ByteCache<CachedValue<T>> {
    return index.derive(this.name, () => new ByteCache<CachedValue<T>>(this.maxBytes))
  }
}
