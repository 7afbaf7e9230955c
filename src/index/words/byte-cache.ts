/** Says how many bytes it takes. May grow; the cache notices when it is asked for the next time. */
export interface Sized {
  readonly sizeBytes: number
}

interface Kept<V> {
  readonly value: V
  counted: number
}

/** Keeps the values used last, as long as they take at most `maxBytes` together. */
export class ByteCache<V extends Sized> {
  private readonly kept = new Map<string, Kept<V>>()
  private totalBytes = 0

  constructor(private readonly maxBytes: number) {}

  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (found === undefined) return undefined
    // The map remembers the order of insertion: the least recently used one stands first.
    this.kept.delete(key)
    this.kept.set(key, found)
    this.totalBytes += found.value.sizeBytes - found.counted
    found.counted = found.value.sizeBytes
    return found.value
  }

  set(key: string, value: V): void {
    this.delete(key)
    this.kept.set(key, { value, counted: value.sizeBytes })
    this.totalBytes += value.sizeBytes
    for (const oldest of this.kept.keys()) {
      if (this.totalBytes <= this.maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const found = this.kept.get(key)
    if (found === undefined) return
    this.kept.delete(key)
    this.totalBytes -= found.counted
  }

  clear(): void {
    this.kept.clear()
    this.totalBytes = 0
  }

  keys(): Iterable<string> {
    return this.kept.keys()
  }
}
