import { type At, SyntaxProblem } from '../problem.js'

/** A position moving forward through source text. */
export class Reader {
  offset = 0
  private line = 1
  private lineStart = 0
  /** Up to here line ends have been counted. */
  private counted = 0

  constructor(readonly source: string) {}

  /** The place of the current offset. Cheap, because line ends are counted only once. */
  at(): At {
    for (; this.counted < this.offset; this.counted++) {
      if (this.source.charCodeAt(this.counted) !== 0x0a) continue
      this.line++
      this.lineStart = this.counted + 1
    }
    return { line: this.line, column: this.offset - this.lineStart + 1 }
  }

  get isAtEnd(): boolean {
    return this.offset >= this.source.length
  }

  /** The next UTF-16 unit as text, empty at the end. */
  get next(): string {
    return this.source.charAt(this.offset)
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.offset)
  }

  take(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.offset += text.length
    return true
  }

  /** The text that a sticky expression matches here, which is then passed; empty when it does not match. */
  match(expression: RegExp): string {
    expression.lastIndex = this.offset
    const found = expression.exec(this.source)?.[0] ?? ''
    this.offset += found.length
    return found
  }

  problem(message: string): SyntaxProblem {
    return new SyntaxProblem(message, this.at())
  }
}
