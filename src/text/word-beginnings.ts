/** Letters and digits of ASCII in lower case, zero for all other units. */
const plainUnits = new Uint8Array(0x80)
for (const unit of Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')) plainUnits[unit] = unit
for (const unit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) plainUnits[unit] = unit | 0x20

const UNITS = 0x80

/**
 * A quick no for words of ASCII that begin like none of some normalized words: nothing but their case changes when they
 * are normalized, so their first two units tell.
 */
export class WordBeginnings {
  private readonly singles = new Uint8Array(UNITS)
  private readonly pairs = new Uint8Array(UNITS * UNITS)

  /** A word of one unit lets all through that begin with it. */
  add(word: string): void {
    const first = word.charCodeAt(0)
    const second = word.charCodeAt(1)
    // Of other units nothing is asked.
    if (first >= UNITS || second >= UNITS) return
    if (word.length === 1) this.singles[first] = 1
    else if (word.length > 1) this.pairs[first * UNITS + second] = 1
  }

  /** Whether a stretch of ASCII, not empty, is a word that begins like none of them. */
  isOther(units: Uint16Array, start: number, end: number): boolean {
    const first = plainUnits[units[start]!]!
    if (first === 0 || this.singles[first] === 1) return false
    if (end === start + 1) return true
    const second = plainUnits[units[start + 1]!]!
    return second !== 0 && this.pairs[first * UNITS + second] === 0
  }
}
