import { copyTo } from './copy-to.js'

/**
 * In how many documents each value of a column is, by ordinal. Made once and used again and again: what it holds stands
 * until the next count.
 */
export class ValueTally {
  /** By ordinal. Zero for those that were not found. */
  counts = new Uint32Array(0)
  /** The ordinals that were found, numbers first, each kind in any order. */
  private foundList = new Uint32Array(0)
  private foundCount = 0
  private numberCount = 0

  get found(): Uint32Array {
    return this.foundList.subarray(0, this.foundCount)
  }

  get foundNumbers(): Uint32Array {
    return this.foundList.subarray(0, this.numberCount)
  }

  get foundTexts(): Uint32Array {
    return this.foundList.subarray(this.numberCount, this.foundCount)
  }

  /** Takes note of a value that was not found before. */
  find(ordinal: number): void {
    this.foundList[this.foundCount++] = ordinal
  }

  get size(): number {
    return this.foundCount
  }

  /** Forgets the values whose keys are above those of the first `limit`, by ordinal; answers the key of the last one. */
  keepFirst(limit: number, keys: Float64Array): number {
    const { counts, foundList: found, foundCount } = this
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

  /** Takes what was counted from larger counts, which are given for all values that were found, and maybe for others. */
  subtractFrom(ordinals: Uint32Array, larger: Uint32Array): void {
    const { counts, foundList: found } = this
    let left = 0
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i]!
      counts[ordinal] = larger[i]! - counts[ordinal]!
      if (counts[ordinal] !== 0) found[left++] = ordinal
    }
    this.foundCount = left
  }

  /** All were counted. */
  finish(isText: (ordinal: number) => boolean): void {
    const { foundList: found, foundCount } = this
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
    const { counts, foundList: found, foundCount } = this
    for (let i = 0; i < foundCount; i++) counts[found[i]!] = 0
    this.foundCount = 0
    this.numberCount = 0
  }

  /** Makes room for ordinals below `size`. */
  reserve(size: number): void {
    if (size <= this.counts.length) return
    const room = Math.max(size, 2 * this.counts.length)
    this.counts = copyTo(new Uint32Array(room), this.counts)
    this.foundList = copyTo(new Uint32Array(room), this.foundList)
  }
}
