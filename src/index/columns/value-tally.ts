import { copyTo } from './copy-to.js'

/**
 * In how many documents each value of a column is, by ordinal. Made once and used again and again: what it holds stands
 * until the next count.
 */
export class ValueTally {
  /** By ordinal. Zero for those that were not found. */
  counts = new Uint32Array(0)
  /** The ordinals that were found, numbers first, each kind in any order. */
  private found = new Uint32Array(0)
  private foundCount = 0
  private numberCount = 0

  get foundNumbers(): Uint32Array {
    return this.found.subarray(0, this.numberCount)
  }

  get foundTexts(): Uint32Array {
    return this.found.subarray(this.numberCount, this.foundCount)
  }

  /** Takes note of a value that was not found before. */
  find(ordinal: number): void {
    this.found[this.foundCount++] = ordinal
  }

  get size(): number {
    return this.foundCount
  }

  /** Forgets the values whose keys are above those of the first `limit`, by ordinal; answers the key of the last one. */
  keepFirst(limit: number, keys: Float64Array): number {
    const { counts, found, foundCount } = this
    const sorted = new Float64Array(foundCount)
    for (let i = 0; i < foundCount; i++) sorted[i] = keys[found[i]!]!
    const bound = sorted.sort()[limit - 1]!
    let kept = 0
    for (let i = 0; i < foundCount; i++) {
      const ordinal = found[i]!
      if (keys[ordinal]! <= bound) found[kept++] = ordinal
      else counts[ordinal] = 0
    }
    this.foundCount = kept
    return bound
  }

  /** All were counted. */
  finish(isText: (ordinal: number) => boolean): void {
    const { found, foundCount } = this
    let numberCount = 0
    for (let i = 0; i < foundCount; i++) {
      const ordinal = found[i]!
      if (isText(ordinal)) continue
      found[i] = found[numberCount]!
      found[numberCount++] = ordinal
    }
    this.numberCount = numberCount
  }

  clear(): void {
    const { counts, found, foundCount } = this
    for (let i = 0; i < foundCount; i++) counts[found[i]!] = 0
    this.foundCount = 0
    this.numberCount = 0
  }

  /** Makes room for ordinals below `size`. */
  reserve(size: number): void {
    if (size <= this.counts.length) return
    const room = Math.max(size, 2 * this.counts.length)
    this.counts = copyTo(new Uint32Array(room), this.counts)
    this.found = copyTo(new Uint32Array(room), this.found)
  }
}
