/** What a thread keeps for the next search, at most. */
const SPARE_BYTES = 8 << 20
const SPARE_COUNT = 64

/** All of one length: most searches of a thread are in the same large index. */
let spare: Uint32Array[] = []

/**
 * Memory for the sets of one search. A search in a large index makes dozens of them: memory from the system for each, and
 * a collector that has to give it back, took a tenth of its time.
 */
export class BitsArena {
  private readonly used = new Set<Uint32Array>()

  /** So many words, all of them 0. */
  take(length: number): Uint32Array {
    const words = spare.at(-1)?.length === length ? spare.pop()!.fill(0) : new Uint32Array(length)
    this.used.add(words)
    return words
  }

  /** What was taken is no longer the arena's. */
  give(words: Uint32Array): void {
    this.used.delete(words)
  }

  /** Takes all memory back: whoever still has a set in it must not touch it again. */
  release(): void {
    for (const words of this.used) keepSpare(words)
    this.used.clear()
  }
}

function keepSpare(words: Uint32Array): void {
  if (spare.at(-1)?.length !== words.length) spare = []
  if (spare.length < SPARE_COUNT && (spare.length + 1) * words.byteLength <= SPARE_BYTES) spare.push(words)
}
