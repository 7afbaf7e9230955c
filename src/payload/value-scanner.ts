import { floatText, PART_WEIGHT } from '../json/index.js'
import { SyntaxProblem } from './syntax-problem.js'

/** Answer of a scan that ran out of bytes before the value ended. */
export const INCOMPLETE = -1

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Objects with more members than this are not searched for doubles here: they take the slow road. */
const MAX_COMPARED_KEYS = 16

/**
 * What the values inside of the members of one document may weigh together, as those of a body do: whoever reads a
 * document has it in memory as a whole. These are some 100 MB; a thousand vectors of two thousand numbers fit in.
 */
const MAX_DOCUMENT_WEIGHT = 2_000_000

/** So many digits survive the way into a double and back. */
const SAFE_DIGITS = 15

/** Escapes that stay as they are in canonical text: \" \\ \b \f \n \r \t. */
const isCanonicalEscape = new Uint8Array(256)
for (const mark of '"\\bfnrt') isCanonicalEscape[mark.charCodeAt(0)] = 1

const isNumberByte = new Uint8Array(256)
for (const mark of '+-.0123456789Ee') isNumberByte[mark.charCodeAt(0)] = 1

export const isBlank = new Uint8Array(256)
for (const mark of ' \n\r\t') isBlank[mark.charCodeAt(0)] = 1

/**
 * Finds the end of a JSON value in bytes without building it, and learns whether the text is canonical already, which
 * it nearly always is: such a value is stored by copying its bytes.
 */
export class ValueScanner {
  /** No needless escapes, no double members, numbers in the form we print. */
  isCanonical = true
  /** Whether there are blanks inside. */
  hasBlanks = false
  /** Arrays and objects around the innermost value. */
  depth = 0
  hasOverflow = false
  /** Whether a string since `begin` holds bytes above 0x7f, which may or may not be UTF-8. */
  hasHighBytes = false
  private bytes: Uint8Array = new Uint8Array(0)
  private end = 0
  /** The memory of `bytes`, four bytes at a time. `bytes` begins at byte `base` of it. */
  private words: Int32Array = new Int32Array(0)
  private base = 0
  private isJustOpened = false
  private weight = 0
  /** One mark for each open array or object. */
  private readonly open: number[] = []
  /** Start and end of each member name of the open objects, and where each object's names begin in it. */
  private readonly keys: number[] = []
  private readonly keysOf: number[] = []

  /** Says which bytes the next scans are in. */
  begin(bytes: Uint8Array, end: number): void {
    this.hasHighBytes = false
    this.weight = 0
    this.end = end
    if (bytes === this.bytes) return
    this.bytes = bytes
    this.base = bytes.byteOffset
    if (bytes.buffer !== this.words.buffer) this.words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2)
  }

  /** The offset after the value that starts at `at`, or `INCOMPLETE`. Throws `SyntaxProblem`. */
  scan(at: number): number {
    this.isCanonical = true
    this.hasBlanks = false
    this.hasOverflow = false
    this.depth = 0
    if (at < this.end && this.bytes[at] === QUOTE) return this.string(at)
    if (this.open.length > 0) this.forgetOpen()
    let next = this.enterValue(at)
    while (next !== INCOMPLETE && this.open.length > 0) next = this.continueContainer(next)
    return next
  }

  /** The offset after a string that starts with its quote at `at`. */
  scanString(at: number): number {
    this.isCanonical = true
    return this.string(at)
  }

  /** The scan before ran out of bytes inside a container. */
  private forgetOpen(): void {
    this.open.length = this.keys.length = this.keysOf.length = 0
  }

  /** Reads a scalar whole, or the opening mark of a container. */
  private enterValue(at: number): number {
    if (at >= this.end) return INCOMPLETE
    const mark = this.bytes[at]!
    if (++this.weight > MAX_DOCUMENT_WEIGHT) throw new SyntaxProblem('a document holds too many values', at)
    if (mark === QUOTE) return this.string(at)
    if (mark === OPEN_OBJECT || mark === OPEN_ARRAY) {
      this.weight += PART_WEIGHT
      this.open.push(mark)
      if (mark === OPEN_OBJECT) this.keysOf.push(this.keys.length)
      if (this.open.length > this.depth) this.depth = this.open.length
      this.isJustOpened = true
      return at + 1
    }
    if (mark === 0x74) return this.word(at, 'true')
    if (mark === 0x66) return this.word(at, 'false')
    if (mark === 0x6e) return this.word(at, 'null')
    return this.number(at)
  }

  /** Inside a container: the closing mark, or the next value (with a comma before it unless it is the first). */
  private continueContainer(at: number): number {
    const start = this.blanks(at)
    if (start >= this.end) return INCOMPLETE
    const isInObject = this.open[this.open.length - 1] === OPEN_OBJECT
    const isFirst = this.isJustOpened
    this.isJustOpened = false
    const mark = this.bytes[start]
    if (mark === (isInObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.leave(start)
    if (!isFirst && mark !== COMMA)
      throw new SyntaxProblem(isInObject ? '`,` or `}` was expected' : '`,` or `]` was expected', start)
    const next = isFirst ? start : this.blanks(start + 1)
    return isInObject ? this.member(next) : this.enterValue(next)
  }

  private leave(at: number): number {
    if (this.open.pop() === OPEN_OBJECT) {
      // One by one: setting the length of an array costs more than taking a few names off it.
      for (const first = this.keysOf.pop()!; this.keys.length > first; ) this.keys.pop()
    }
    return at + 1
  }

  private member(at: number): number {
    if (at >= this.end) return INCOMPLETE
    if (this.bytes[at] !== QUOTE) throw new SyntaxProblem('a member name in quotes was expected', at)
    const nameEnd = this.string(at)
    if (nameEnd === INCOMPLETE) return INCOMPLETE
    this.noteKey(at, nameEnd)
    this.weight += PART_WEIGHT
    const colon = this.blanks(nameEnd)
    if (colon >= this.end) return INCOMPLETE
    if (this.bytes[colon] !== COLON) throw new SyntaxProblem('`:` was expected', colon)
    return this.enterValue(this.blanks(colon + 1))
  }

  /** A name that comes twice in one object is not canonical: the last value wins at the place of the first. */
  private noteKey(start: number, end: number): void {
    const { keys } = this
    const first = this.keysOf[this.keysOf.length - 1]!
    if (keys.length - first >= 2 * MAX_COMPARED_KEYS) this.isCanonical = false
    else
      for (let i = first; i < keys.length; i += 2)
        if (this.isSameText(keys[i]!, keys[i + 1]!, start, end)) this.isCanonical = false
    keys.push(start, end)
  }

  private isSameText(aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
    if (aEnd - aStart !== bEnd - bStart) return false
    for (let i = aStart, j = bStart; i < aEnd; i++, j++) if (this.bytes[i] !== this.bytes[j]) return false
    return true
  }

  private string(at: number): number {
    const { bytes, base, end } = this
    for (let i = at + 1; i < end; i++) {
      if (((base + i) & 3) === 0) i = this.skipPlainWords(i)
      if (i >= end) return INCOMPLETE
      const byte = bytes[i]!
      if (byte === QUOTE) return i + 1
      if (byte === BACKSLASH) {
        if (isCanonicalEscape[bytes[i + 1]!] !== 1) this.isCanonical = false
        i++
      } else if (byte < 0x20) throw new SyntaxProblem('a control character inside a string must be escaped', i)
      else if (byte >= 0x80) this.hasHighBytes = true
    }
    return INCOMPLETE
  }

  /**
   * The first offset from `at` on, in steps of four, whose word holds a quote, a backslash, a control character or a
   * byte above 0x7f. `at` is the offset of a word. In an ASCII byte b the top bit of (b ^ mark) - 1 is set only if b is
   * that mark, and that of b - 0x20 only below 0x20; a borrow from the byte below happens only after a find.
   */
  private skipPlainWords(at: number): number {
    const { words, base } = this
    const last = (base + this.end) >> 2
    let word = (base + at) >> 2
    for (; word < last; word++) {
      const four = words[word]!
      const quotes = ((four ^ 0x22222222) - 0x01010101) | 0
      const backslashes = ((four ^ 0x5c5c5c5c) - 0x01010101) | 0
      const controls = (four - 0x20202020) | 0
      if (((four | quotes | backslashes | controls) & 0x80808080) !== 0) break
    }
    return (word << 2) - base
  }

  private word(at: number, word: string): number {
    for (let i = 0; i < word.length; i++) {
      if (at + i >= this.end) return INCOMPLETE
      if (this.bytes[at + i] !== word.charCodeAt(i)) throw new SyntaxProblem('a JSON value was expected', at)
    }
    return at + word.length
  }

  private number(at: number): number {
    const plainEnd = this.plainNumber(at)
    let i = plainEnd
    while (i < this.end && isNumberByte[this.bytes[i]!] === 1) i++
    if (i >= this.end) return INCOMPLETE
    if (i !== plainEnd || i === at) this.checkNumber(at, i)
    return i
  }

  /**
   * Passes over a number that is canonical whatever its digits are: few enough of them, no zeros that could be left
   * out, not so small that it is printed with an exponent. Returns `at` when it cannot tell.
   */
  private plainNumber(at: number): number {
    const { bytes } = this
    const first = bytes[at] === MINUS ? at + 1 : at
    const point = this.digits(first)
    const isZero = bytes[first] === ZERO
    if (point === first || point - first > SAFE_DIGITS || (isZero && point - first > 1)) return at
    if (bytes[point] !== POINT) return isZero && first > at ? at : point
    const end = this.digits(point + 1)
    const digits = end - point - 1
    if (digits === 0 || point - first + digits > SAFE_DIGITS) return at
    if (bytes[end - 1] === ZERO && (digits > 1 || isZero)) return at
    return isZero && bytes[point + 1] === ZERO && bytes[point + 2] === ZERO ? at : end
  }

  private digits(at: number): number {
    let i = at
    while (i < this.end && this.bytes[i]! >= ZERO && this.bytes[i]! <= NINE) i++
    return i
  }

  private checkNumber(at: number, end: number): void {
    const literal = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + at, end - at).toString('latin1')
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(literal))
      throw new SyntaxProblem('a JSON value was expected', at)
    const value = Number(literal)
    if (!Number.isFinite(value)) this.hasOverflow = true
    else if (floatText(value) !== literal) this.isCanonical = false
  }

  private blanks(at: number): number {
    let i = at
    while (i < this.end && isBlank[this.bytes[i]!] === 1) i++
    if (i !== at) this.hasBlanks = true
    return i
  }
}
