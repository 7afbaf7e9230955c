import type { ValueTally } from './value-tally.js'

/** Of more values they take too much memory, and too long to go through. */
const MOST_VALUES = 1 << 16

/** Most documents of an index. DocIds ascend. */
export interface MostDocuments {
  readonly count: number
  /** All of the index. */
  readonly all: () => Uint32Array
  /** Those of all that are not among the most. */
  readonly others: () => Uint32Array
}

/**
 * In how many of all documents each value of a column is, as of one version of the index. Kept from the second time on
 * that somebody wants it: an index that changes from search to search would have it made for nothing.
 */
export class WholeCounts {
  private wantedVersion = -1
  private keptVersion = -1
  private ordinals = new Uint32Array(0)
  private counts = new Uint32Array(0)

  get sizeBytes(): number {
    return this.ordinals.byteLength + this.counts.byteLength
  }

  /** Makes sure that they are of a version; false when it is not worth it. */
  areOf(version: number, count: () => ValueTally): boolean {
    const isWantedAgain = this.wantedVersion === version
    this.wantedVersion = version
    if (this.keptVersion === version) return this.ordinals.length <= MOST_VALUES
    if (!isWantedAgain) return false
    const { found, counts } = count()
    this.keptVersion = version
    this.ordinals = found.slice(0, MOST_VALUES + 1)
    this.counts = this.ordinals.map((ordinal) => counts[ordinal]!)
    return this.ordinals.length <= MOST_VALUES
  }

  /** What was counted in some documents becomes what all others have. */
  turnAround(tally: ValueTally): void {
    tally.subtractFrom(this.ordinals, this.counts)
  }
}
