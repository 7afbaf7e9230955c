import { shown } from '../../json/index.js'
import { checkBudget } from '../../threads/index.js'

/** Once everywhere, twice on the search routes: the decoded text is read as a quoted text again (spec 6 §6.3). */
export type Reading = 'once' | 'twice'

/** What is wrong in an expression, and where: offsets in UTF-16 units, `end` just behind. */
export class SyntaxProblem extends Error {
  constructor(
    readonly expected: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(expected)
  }
}

/**
 * How many conditions and values of `IN` an expression may have together. There is no limit in the interface (spec 6
 * §6.3); this one only keeps memory in bounds.
 */
const MAX_PARTS = 1 << 20

/** Parts that are read before it is asked whether there is time for more. */
const PARTS_PER_CHECK = 256

const BLANKS = /[ \t\r\n]*/y
// Letters and digits of any script, `_`, `-` and `.`; everything else has to be quoted.
const WORD = /[\p{Alphabetic}\p{N}_.-]+/uy
const REST_CHARACTERS = 40

function isAsciiWord(code: number): boolean {
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
  const isDigit = code >= 0x30 && code <= 0x39
  // `-`, `.` and `_`
  return isLetter || isDigit || code === 0x2d || code === 0x2e || code === 0x5f
}

/** A place in an expression and the small steps forward from it. */
export class Scanner {
  at = 0
  private parts = 0

  constructor(
    readonly text: string,
    readonly reading: Reading,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** To be called for each condition and each value of a list. */
  countPart(): void {
    if (++this.parts % PARTS_PER_CHECK === 0) checkBudget()
    if (this.parts > MAX_PARTS) {
      throw new SyntaxProblem(`at most ${MAX_PARTS} conditions and values were expected`, this.at, this.text.length)
    }
  }

  skipBlanks(): void {
    BLANKS.lastIndex = this.at
    BLANKS.test(this.text)
    this.at = BLANKS.lastIndex
  }

  take(symbol: string): boolean {
    if (!this.text.startsWith(symbol, this.at)) return false
    this.at += symbol.length
    return true
  }

  /** Takes `keyword`, after blanks, if it is a whole word: `ORdog` is not `OR`. */
  takeKeyword(keyword: string): boolean {
    const before = this.at
    this.skipBlanks()
    if (this.take(keyword) && !this.isAtWordCharacter()) return true
    this.at = before
    return false
  }

  /** Matches a sticky expression here and steps behind what it matched. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text) ?? undefined
    if (found) this.at += found[0].length
    return found
  }

  takeWord(): string | undefined {
    const start = this.at
    while (isAsciiWord(this.text.charCodeAt(this.at))) this.at++
    // Only what goes on beyond ASCII needs the tables of Unicode, which are slow.
    if (this.text.charCodeAt(this.at) > 0x7f) this.match(WORD)
    return this.at === start ? undefined : this.text.slice(start, this.at)
  }

  isAtWordCharacter(): boolean {
    WORD.lastIndex = this.at
    return WORD.test(this.text)
  }

  /** What stands here, for messages: a few characters, or that nothing does. */
  found(): string {
    const rest = this.text.slice(this.at, this.at + REST_CHARACTERS).trimEnd()
    return rest === '' ? 'the expression ends' : `${shown(rest)} was found`
  }

  /** A problem with everything from here on. */
  problemHere(expected: string): SyntaxProblem {
    return new SyntaxProblem(`${expected}, but ${this.found()}`, this.at, this.text.length)
  }
}
