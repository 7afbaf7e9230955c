import type { At } from '../problem.js'
import type { Value } from '../value.js'
import { readNumber } from './number-literal.js'
import { Reader } from './reader.js'
import { readChar, readRawString, readString, readTemplatePiece, skipFirstLineEnd } from './text-literal.js'
import { KEYWORDS, LONGEST_SYMBOL, SYMBOLS, type Token, type TokenKind } from './token.js'

const BLANKS = /[ \t\r\n]+/y
const LINE_COMMENT = /\/\/[^\n]*/y
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy
const NOT_IN = /!in(?![\p{L}\p{Nd}_])/uy
const DIGIT = /[0-9]/

/** Cuts source text into tokens, one at a time. Never looks further ahead than the token it gives. */
export class Lexer {
  private readonly reader: Reader
  /** What each open brace belongs to: after the one that ends `${`, the text of the template goes on. */
  private readonly braces: ('block' | 'template')[] = []

  constructor(source: string) {
    this.reader = new Reader(source)
  }

  next(): Token {
    this.skipBlanks()
    const at = this.reader.at()
    if (this.reader.isAtEnd) return token('end', '', at)
    const literal = this.literal()
    if (literal !== undefined) return { kind: 'literal', text: '', at, value: literal, isLast: false }
    const word = this.reader.match(WORD)
    if (word !== '') return this.word(word, at)
    if (this.reader.take('`')) return this.template(at)
    return this.symbol(at)
  }

  private skipBlanks(): void {
    do this.reader.match(BLANKS)
    while (this.reader.match(LINE_COMMENT) !== '' || this.skipBlockComment())
  }

  private skipBlockComment(): boolean {
    if (!this.reader.take('/*')) return false
    for (let depth = 1; depth > 0; ) {
      if (this.reader.isAtEnd) throw this.reader.problem('the comment does not end')
      if (this.reader.take('/*')) depth++
      else if (this.reader.take('*/')) depth--
      else this.reader.offset++
    }
    return true
  }

  private literal(): Value | undefined {
    const first = this.reader.next
    if (DIGIT.test(first)) return readNumber(this.reader)
    if (first === '"') return readString(this.reader)
    if (first === "'") return readChar(this.reader)
    return first === '#' ? readRawString(this.reader) : undefined
  }

  private word(text: string, at: At): Token {
    if (text === 'true' || text === 'false') {
      return { kind: 'literal', text, at, value: text === 'true', isLast: false }
    }
    return token(KEYWORDS.has(text) ? 'keyword' : 'word', text, at)
  }

  private template(at: At): Token {
    skipFirstLineEnd(this.reader)
    return this.templatePiece('template', at)
  }

  private templatePiece(kind: TokenKind, at: At): Token {
    const { text, isLast } = readTemplatePiece(this.reader)
    if (!isLast) this.braces.push('template')
    return { kind, text, at, value: null, isLast }
  }

  private symbol(at: At): Token {
    if (this.reader.match(NOT_IN) !== '') return token('symbol', '!in', at)
    const text = this.takeSymbol()
    if (text === '{' || text === '#{') this.braces.push('block')
    if (text === '}' && this.braces.pop() === 'template') return this.templatePiece('continuation', at)
    return token('symbol', text, at)
  }

  private takeSymbol(): string {
    for (let length = LONGEST_SYMBOL; length > 0; length--) {
      const text = this.reader.source.slice(this.reader.offset, this.reader.offset + length)
      if (text.length === length && SYMBOLS.has(text)) {
        this.reader.offset += length
        return text
      }
    }
    throw this.reader.problem(`${JSON.stringify(this.reader.next)} has no meaning here`)
  }
}

function token(kind: TokenKind, text: string, at: At): Token {
  return { kind, text, at, value: null, isLast: false }
}
