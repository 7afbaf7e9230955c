const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d

const NOT_PLAIN = -1

/**
 * Finds the parts of stored values of the most frequent kinds without parsing them: a string without escapes, a number,
 * or an array of both. The i-th stands from `starts[i]` up to `ends[i]`, quotes included. Good until the next `find`.
 */
export class PlainItems {
  readonly starts: number[] = []
  readonly ends: number[] = []
  count = 0

  /** Whether the value is of these kinds; an empty array is not. `value` is canonical JSON text. */
  find(value: Uint8Array): boolean {
    this.count = 0
    return value[0] === OPEN_ARRAY ? this.findItems(value) : this.take(value, 0) === value.length
  }

  private findItems(value: Uint8Array): boolean {
    for (let at = this.take(value, 1); at > 0 && at < value.length; at = this.take(value, at + 1)) {
      if (value[at] !== COMMA) return value[at] === CLOSE_ARRAY && at === value.length - 1
    }
    return false
  }

  /** Answers where the item that begins at `start` ends. */
  private take(value: Uint8Array, start: number): number {
    const end = value[start] === QUOTE ? endOfString(value, start) : endOfNumber(value, start)
    this.starts[this.count] = start
    this.ends[this.count++] = end
    return end
  }
}

function endOfString(value: Uint8Array, start: number): number {
  for (let at = start + 1; at < value.length; at++) {
    if (value[at] === BACKSLASH) return NOT_PLAIN
    if (value[at] === QUOTE) return at + 1
  }
  return NOT_PLAIN
}

function endOfNumber(value: Uint8Array, start: number): number {
  const first = value[start]!
  if (first !== MINUS && !(first >= ZERO && first <= NINE)) return NOT_PLAIN
  let at = start + 1
  while (at < value.length && value[at] !== COMMA && value[at] !== CLOSE_ARRAY) at++
  return at
}
