import type { Meter } from '../meter.js'
import { isContainer, type Value } from '../value.js'

/**
 * Copies of arrays and maps, made as late as possible. Scripts see every assignment as a copy (spec 3 §6.3), but a
 * copy is needed only when one side changes. So a value is handed on as it is, and copied before its first change.
 *
 * Invariant: an owned container is referred to from one place only, and reached through owned containers only. It is
 * the copy made for that place; reading it as a value (`share`) ends the ownership, and copying a container ends
 * that of everything in it, because the entries then have two homes.
 */
export class Ownership {
  private readonly owned = new Set<object>()

  constructor(private readonly meter: Meter) {}

  /** To be called with every value that gets a second home. */
  share<T extends Value>(value: T): T {
    if (isContainer(value)) this.owned.delete(value)
    return value
  }

  /** The value itself when it may be changed in place, else a copy that may. */
  own(value: Value): Value {
    if (!isContainer(value) || this.owned.has(value)) return value
    const copy = Array.isArray(value) ? [...value] : new Map(value)
    const entries = Array.isArray(value) ? value : value.values()
    for (const entry of entries) this.share(entry)
    this.meter.spendCopies(Array.isArray(value) ? value.length : value.size)
    this.owned.add(copy)
    return copy
  }
}
