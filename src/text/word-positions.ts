/**
 * Positions of words in a field, in one place (spec 5 §2.3, spec 3 §3.2).
 *
 *     Ada Lovelace, Alan Turing      the cat and the hat  (stop words: the, and)
 *     0   1         9    10              1           4
 *
 * A word is 1 behind the word before it, 8 when a hard separator stands between, wherever. Separators before the first
 * word do not count. Stop words and words too long to be indexed take a position all the same.
 */

/** Positions from 0 up to this exist in a field; what comes later is not indexed. */
export const POSITION_LIMIT = 65_536

/** Words of more UTF-8 bytes than this are not indexed, and match nothing in a query. */
export const MAX_WORD_BYTES = 250

const SOFT_GAP = 1
const HARD_GAP = 8
const VALUE_GAP = 8

/** Where the next value of a field starts, given what the value before it returned; undefined before the first one. */
export function nextStart(last: number | undefined): number {
  return last === undefined ? 0 : last + VALUE_GAP
}

/** Counts words and hard separators of one text. */
export class PositionCounter {
  private position: number
  // No gap before the first word.
  private gap = 0

  constructor(start: number) {
    this.position = start
  }

  hardSeparator(): void {
    if (this.gap !== 0) this.gap = HARD_GAP
  }

  /** Moves on to the next word or stop word and says where it is. */
  word(): number {
    this.position += this.gap
    this.gap = SOFT_GAP
    return this.position
  }
}

/**
 * The coarse position that ranking by position uses (spec 5 §2.4): exact below 16, then 24, then the next power of two,
 * and the last position of all.
 */
export function coarsePosition(position: number): number {
  if (position < 16) return position
  if (position < 24) return 24
  return Math.min(1 << (32 - Math.clz32(position - 1)), POSITION_LIMIT - 1)
}
