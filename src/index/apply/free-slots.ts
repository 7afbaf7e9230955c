import type { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'

/**
 * Hands out docIds that were free when the batch began, smallest first: holes of earlier deletions, then above the
 * highest (spec 3 §2.8).
 */
export class FreeSlots {
  private next = 0
  private readonly dense: boolean
  private readonly highest: number

  /** `taken` must stay as it was at the start of the batch. */
  constructor(private readonly taken: Bitmap) {
    this.highest = taken.isEmpty ? -1 : taken.max
    this.dense = taken.size === this.highest + 1
    if (this.dense) this.next = this.highest + 1
  }

  take(): DocId {
    const slot = this.peek()
    this.next = slot + 1
    return slot
  }

  /** What `take` gives next. */
  peek(): DocId {
    this.next = this.freeFrom(this.next)
    return this.next as DocId
  }

  private freeFrom(start: number): number {
    if (start > this.highest || !this.taken.has(start)) return start
    // Holes below x = x - rank(x). They never get fewer as x grows, so the first x behind one more is found by halving.
    const holesBefore = start - this.countBelow(start)
    let lo = start
    let hi = this.highest + 1
    while (lo < hi) {
      const middle = Math.floor((lo + hi) / 2)
      if (middle + 1 - this.countBelow(middle + 1) > holesBefore) hi = middle
      else lo = middle + 1
    }
    return lo
  }

  private countBelow(id: number): number {
    return id > this.highest ? this.taken.size : this.taken.rank(id)
  }
}
