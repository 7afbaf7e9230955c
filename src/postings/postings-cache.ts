import type { Sized } from '../cache/index.js'
import { ByteCache } from '../cache/index.js'
import type { WordPostings } from './model.js'

type Kept = WordPostings & Sized

/** The part of the memory that long postings may take. */
const LONG_SHARE = 1 / 4

/**
 * Keeps postings. Long ones have room of their own: to open one takes as long as to open thousands of others, of which
 * each search brings dozens that nobody asks for again.
 */
export class PostingsCache implements Sized {
  private readonly short: ByteCache<Kept>
  private readonly long: ByteCache<Kept>

  constructor(maxBytes: number) {
    this.short = new ByteCache(maxBytes * (1 - LONG_SHARE))
    this.long = new ByteCache(maxBytes * LONG_SHARE)
  }

  get sizeBytes(): number {
    return this.short.sizeBytes + this.long.sizeBytes
  }

  get(key: string): Kept | undefined {
    return this.short.get(key) ?? this.long.get(key)
  }

  set(key: string, postings: Kept): void {
    const cache = postings.isLong ? this.long : this.short
    cache.set(key, postings)
  }

  delete(key: string): void {
    this.short.delete(key)
    this.long.delete(key)
  }

  clear(): void {
    this.short.clear()
    this.long.clear()
  }

  keys(): string[] {
    return [...this.short.keys(), ...this.long.keys()]
  }
}
