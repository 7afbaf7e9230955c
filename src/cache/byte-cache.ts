export interface Sized {
  /** How many bytes it takes. May grow; the cache notices when it is asked for the next time. */
  readonly sizeBytes: number
  /** It stays longer than others that came with it. */
  settle?(): void
}

interface CacheEntry<V> {
  readonly value: V
  counted: number
  /** It was asked for since the cache last looked for something to drop. */
  wasUsed: boolean
}

/**
 * Keeps values as long as they take at most `maxBytes` together. What goes is the oldest one that was not asked for
 * lately (second chance), so that asking, which happens hundreds of times in a search, changes no order.
 */
export class ByteCache<V extends Sized> implements Sized {
  private readonly kept = new Map<string, CacheEntry<V>>()
  /**
   * Stands before the oldest entry: what it has passed is gone, or behind all others. Another one would have to pass over
   * the traces of all that was deleted, which takes longer than to read what is to be kept.
   */
  private oldest = this.kept.entries()
  private totalBytes = 0

  constructor(private readonly maxBytes: number) {}

  get sizeBytes(): number {
    return this.totalBytes
  }

  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (found === undefined) return undefined
    found.wasUsed = true
    this.totalBytes += found.value.sizeBytes - found.counted
    found.counted = found.value.sizeBytes
    return found.value
  }

  set(key: string, value: V): void {
    this.delete(key)
    this.kept.set(key, { value, counted: value.sizeBytes, wasUsed: false })
    this.totalBytes += value.sizeBytes
    this.shrink()
  }

  /** Looks at each entry at most twice. */
  private shrink(): void {
    while (this.totalBytes > this.maxBytes && this.kept.size > 0) {
      const { value, done } = this.oldest.next()
      if (done) this.oldest = this.kept.entries()
      else if (value[1].wasUsed) this.spare(...value)
      else this.delete(value[0])
    }
  }

  /** The map remembers the order of insertion: to its end. */
  private spare(key: string, entry: CacheEntry<V>): void {
    entry.wasUsed = false
    entry.value.settle?.()
    this.kept.delete(key)
    this.kept.set(key, entry)
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
