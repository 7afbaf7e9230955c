const LINE_END = 0x0a
const SPACE = 0x20
const ZERO = 0x30

/** How often a word is met in the texts that a dictionary was made of, of all its words. */
export interface WordFrequency {
  /** Undefined when it is no word, but the beginning of one. */
  readonly frequency: number | undefined
  /** Where it stands, or the first word that begins with it. */
  readonly at: number
}

/**
 * The file of a dictionary as it is: a line for each word, `word frequency kind`, in the order of the bytes. Nothing of it
 * is read before it is asked for. A space comes before all bytes of words, so that a word stands before those it begins.
 */
export class WordList {
  constructor(private readonly bytes: Uint8Array) {}

  /** A word has no spaces. */
  has(word: string): boolean {
    return this.find(Buffer.from(word))?.frequency !== undefined
  }

  /** Undefined when no word begins with `word`. Whoever knows of a line that it cannot stand before gives that. */
  find(word: Uint8Array, from = 0): WordFrequency | undefined {
    const at = this.firstNotBefore(word, from)
    if (at === this.bytes.length || this.compare(at, word) !== 0) return undefined
    const end = at + word.length
    return { at, frequency: this.bytes[end] === SPACE ? this.numberAt(end + 1) : undefined }
  }

  /** Looks at all lines. */
  totalFrequency(): number {
    const { bytes } = this
    let total = 0
    for (let at = 0; at < bytes.length; at++) {
      while (bytes[at] !== SPACE) at++
      total += this.numberAt(at + 1)
      while (at < bytes.length && bytes[at] !== LINE_END) at++
    }
    return total
  }

  /** The line of the first word that is not before `word`. */
  private firstNotBefore(word: Uint8Array, from: number): number {
    let lo = from
    let hi = this.bytes.length
    while (lo < hi) {
      const middle = this.lineStart((lo + hi) >>> 1, lo)
      if (this.compare(middle, word) < 0) lo = this.lineEnd(middle) + 1
      else hi = middle
    }
    return Math.min(lo, this.bytes.length)
  }

  private lineStart(at: number, least: number): number {
    let start = at
    while (start > least && this.bytes[start - 1] !== LINE_END) start--
    return start
  }

  private lineEnd(at: number): number {
    let end = at
    while (end < this.bytes.length && this.bytes[end] !== LINE_END) end++
    return end
  }

  /** Of as many bytes of a line as the word has: zero when it begins with the word. */
  private compare(line: number, word: Uint8Array): number {
    const { bytes } = this
    for (let i = 0; i < word.length; i++) {
      const order = (bytes[line + i] ?? LINE_END) - word[i]!
      if (order !== 0) return order
    }
    return 0
  }

  private numberAt(at: number): number {
    let number = 0
    for (let i = at; i < this.bytes.length && this.bytes[i]! >= ZERO; i++) number = number * 10 + this.bytes[i]! - ZERO
    return number
  }
}
