import type { FacetKeys } from './model.js'

/** Which values of the distinct attribute were taken by hits that came before (spec 8 §1.8). */
export class DistinctFilter {
  private readonly seen = new Set<number | string>()

  /** Takes the values of a hit; answers false, and takes nothing, when one of them is gone. */
  take(keys: FacetKeys): boolean {
    if (keys.some((key) => this.seen.has(key))) return false
    for (const key of keys) this.seen.add(key)
    return true
  }
}
