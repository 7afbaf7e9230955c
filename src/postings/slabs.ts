/** A part of some memory, from a multiple of four on. */
interface Part {
  readonly memory: ArrayBuffer
  readonly from: number
}

/** Where small things get their memory. */
export interface Slabs {
  take(bytes: number): Part
}

/** Small enough that the allocator has it at hand, large enough for some dozens of words. */
const SLAB_BYTES = 1 << 16

/** What is larger gets memory of its own. */
const LARGEST_PART = 1 << 14

/**
 * One piece of memory for many things that come, and mostly go, one after the other. To ask for a piece takes two
 * microseconds, however small it is, and each has to be freed. What stays longer than its neighbours should move: it keeps
 * all of them.
 */
export class SharedSlabs implements Slabs {
  private slab = new ArrayBuffer(0)
  private used = 0

  take(bytes: number): Part {
    if (bytes > LARGEST_PART) return NO_SLABS.take(bytes)
    if (this.used + bytes > this.slab.byteLength) {
      this.slab = new ArrayBuffer(SLAB_BYTES)
      this.used = 0
    }
    const from = this.used
    this.used = (from + bytes + 3) & ~3
    return { memory: this.slab, from }
  }
}

/** For what stays. */
export const NO_SLABS: Slabs = { take: (bytes) => ({ memory: new ArrayBuffer(bytes), from: 0 }) }
