/** Buckets grow by a quarter each, from a quarter of a millisecond up to more than a minute. */
const SMALLEST_MS = 0.25
const GROWTH = 1.25
const BUCKETS = 64

/** When so many are counted, all counts are halved: what was long ago counts less and less. */
const MAX_WEIGHT = 256

/** How long the latest answers of a server took, roughly: a histogram that forgets. */
export class LatencyHistogram {
  private readonly counts = new Float64Array(BUCKETS)
  private weight = 0

  /** How many answers it knows, those of long ago by half and less. */
  get size(): number {
    return this.weight
  }

  add(elapsedMs: number): void {
    this.counts[bucketOf(elapsedMs)]!++
    this.weight++
    if (this.weight >= MAX_WEIGHT) this.halve()
  }

  /** The time in which the given part of the answers came, at most a quarter too long. */
  quantile(part: number): number {
    let left = this.weight * part
    for (let i = 0; i < BUCKETS; i++) {
      left -= this.counts[i]!
      if (left <= 0) return SMALLEST_MS * GROWTH ** i
    }
    return SMALLEST_MS * GROWTH ** (BUCKETS - 1)
  }

  private halve(): void {
    for (let i = 0; i < BUCKETS; i++) this.counts[i]! /= 2
    this.weight /= 2
  }
}

/** Each bucket holds what is not longer than its bound, `SMALLEST_MS * GROWTH ** i`. */
function bucketOf(elapsedMs: number): number {
  if (elapsedMs <= SMALLEST_MS) return 0
  return Math.min(Math.ceil(Math.log(elapsedMs / SMALLEST_MS) / Math.log(GROWTH)), BUCKETS - 1)
}
