import { ByteCache, type Sized } from '../index/index.js'
import type { SearchIndex } from './search-index.js'

interface Kept<T> extends Sized {
  readonly value: T
}

/** Results of one kind that each thread keeps for each index until the index changes, as far as memory goes. */
export class Known<T> {
  private readonly name: symbol

  constructor(
    name: string,
    private readonly maxBytes: number,
  ) {
    this.name = Symbol(name)
  }

  get(index: SearchIndex, key: string): T | undefined {
    return this.of(index).get(key)?.value
  }

  /** `valueBytes`: what it takes beside its key. */
  keep(index: SearchIndex, key: string, value: T, valueBytes: number): void {
    this.of(index).set(key, { value, sizeBytes: 2 * key.length + valueBytes })
  }

  private of(index: SearchIndex): ByteCache<Kept<T>> {
    return index.derive(this.name, () => new ByteCache<Kept<T>>(this.maxBytes))
  }
}
