import type { WordColumns } from './front-coding.js'

/** Words that share fewer bytes than this with the word before can be jumped to. */
const MAX_JUMP = 4

/**
 * Sorted words in memory. `shared` counts whole characters only, and nothing for the first word, since blocks come and
 * go: what it shares with the block before is for the dictionary to know.
 */
export class DictionaryBlock {
  readonly count: number
  readonly bytes: Buffer
  readonly ends: Uint32Array
  readonly shared: Uint8Array
  /** The fewest bytes that a word shares with the one before it in the block. */
  readonly lowestShared: number
  /** For each depth up to `MAX_JUMP` and each word, the next word that shares less than that. */
  private readonly jumps: Uint16Array

  constructor(
    /** Not above any of the words. */
    readonly key: Buffer,
    readonly generation: number,
    columns: WordColumns,
  ) {
    this.bytes = columns.bytes
    this.ends = columns.ends
    this.shared = columns.shared
    this.count = this.ends.length
    for (let i = 1; i < this.count; i++)
      this.shared[i] = wholeCharacters(this.bytes, this.ends[i - 1]!, this.shared[i]!)
    this.lowestShared = this.shared.subarray(1).reduce((lowest, shared) => Math.min(lowest, shared), 255)
    this.jumps = findJumps(this.shared)
  }

  startOf(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!
  }

  wordAt(index: number): string {
    return this.bytes.toString('utf8', this.startOf(index), this.ends[index]!)
  }

  /** The next word behind `index` that shares less than `depth` bytes with the word before it; `count` if none does. */
  nextBelow(index: number, depth: number): number {
    if (depth <= MAX_JUMP) return this.jumps[(depth - 1) * this.count + index]!
    let next = index + 1
    while (next < this.count && this.shared[next]! >= depth) next++
    return next
  }

  isAt(index: number, word: Uint8Array): boolean {
    return index < this.count && this.compareAt(index, word) === 0
  }

  /** Below, at or above zero, as the word at `index` stands to `word`. */
  compareAt(index: number, word: Uint8Array): number {
    const { bytes } = this
    const start = this.startOf(index)
    const length = this.ends[index]! - start
    const common = Math.min(length, word.length)
    for (let i = 0; i < common; i++) {
      const difference = bytes[start + i]! - word[i]!
      if (difference !== 0) return difference
    }
    return length - word.length
  }

  /** Where the first word stands that is not below `word`. */
  lowerBound(word: Uint8Array): number {
    let lo = 0
    let hi = this.count
    while (lo < hi) {
      const middle = (lo + hi) >>> 1
      if (this.compareAt(middle, word) < 0) lo = middle + 1
      else hi = middle
    }
    return lo
  }

  /** How many bytes, of whole characters, the first word shares with the last one of the block before. */
  sharedWith(before: DictionaryBlock): number {
    const last = before.startOf(before.count - 1)
    const length = Math.min(before.bytes.length - last, this.ends[0]!)
    let shared = 0
    while (shared < length && before.bytes[last + shared] === this.bytes[shared]) shared++
    return wholeCharacters(this.bytes, 0, shared)
  }
}

/** How many bytes, of whole characters, each block's first word shares with the word before it. */
export function linksOf(blocks: readonly DictionaryBlock[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(blocks, (block, i) => (i === 0 ? 0 : block.sharedWith(blocks[i - 1]!)))
}

/** The fewest bytes that any word of each block shares with the word before it. */
export function lowsOf(blocks: readonly DictionaryBlock[], links: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return links.map((link, i) => Math.min(link, blocks[i]!.lowestShared))
}

function findJumps(shared: Uint8Array): Uint16Array {
  const count = shared.length
  const jumps = new Uint16Array(MAX_JUMP * count)
  for (let depth = 1; depth <= MAX_JUMP; depth++) {
    let next = count
    for (let i = count - 1; i >= 0; i--) {
      jumps[(depth - 1) * count + i] = next
      if (shared[i]! < depth) next = i
    }
  }
  return jumps
}

/** The largest number of bytes up to `count` behind which a character of the word at `start` begins. */
function wholeCharacters(bytes: Uint8Array, start: number, count: number): number {
  let whole = count
  while (whole > 0 && isContinuation(bytes[start + whole])) whole--
  return whole
}

// 10xxxxxx in UTF-8. Behind a word another one begins, never with such a byte.
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
