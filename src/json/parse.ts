import { isUtf8 } from 'node:buffer'
import { numberFromLiteral } from './number.js'
import type { JsonObject, JsonValue } from './value.js'

/** Nesting of this many levels or more is refused (spec 1 §2.3). */
export const MAX_DEPTH = 128

export type Parsed = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string }

/** Parses a whole body. The reason of a failure names the place. */
export function parseBytes(bytes: Uint8Array, maxDepth = MAX_DEPTH): Parsed {
  if (!isUtf8(bytes)) return { ok: false, reason: 'the text is not valid UTF-8' }
  return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'), maxDepth)
}

export function parse(text: string, maxDepth = MAX_DEPTH): Parsed {
  const parser = new Parser(text, maxDepth)
  try {
    return { ok: true, value: parser.document() }
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, reason: error.message }
    throw error
  }
}

class SyntaxProblem extends Error {}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

class Parser {
  private at = 0
  private depth = 0

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  document(): JsonValue {
    const value = this.value()
    this.skipBlanks()
    if (this.at < this.text.length) throw this.problem('there is more text after the end of the value')
    return value
  }

  private value(): JsonValue {
    this.skipBlanks()
    switch (this.text[this.at]) {
      case '{':
        return this.object()
      case '[':
        return this.array()
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      case undefined:
        throw this.problem('the text ends too early')
      default:
        return this.number()
    }
  }

  private object(): JsonObject {
    const members: JsonObject = new Map()
    this.enter()
    if (this.take('}')) return this.leave(members)
    do {
      this.skipBlanks()
      if (this.text[this.at] !== '"') throw this.problem('a member name in quotes was expected')
      const name = this.string()
      if (!this.take(':')) throw this.problem('`:` was expected')
      members.set(name, this.value())
    } while (this.take(','))
    if (!this.take('}')) throw this.problem('`,` or `}` was expected')
    return this.leave(members)
  }

  private array(): JsonValue[] {
    const items: JsonValue[] = []
    this.enter()
    if (this.take(']')) return this.leave(items)
    do items.push(this.value())
    while (this.take(','))
    if (!this.take(']')) throw this.problem('`,` or `]` was expected')
    return this.leave(items)
  }

  private enter(): void {
    this.at++
    if (++this.depth >= this.maxDepth) throw this.problem(`the value is nested ${this.maxDepth} levels or more`)
  }

  private leave<T>(value: T): T {
    this.depth--
    return value
  }

  private string(): string {
    const start = this.at
    let i = start + 1
    let isPlain = true
    for (; ; i++) {
      const code = this.text.charCodeAt(i)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        isPlain = false
        i++
      } else if (Number.isNaN(code)) throw this.problem('the text ends inside a string')
      else if (code < 0x20) throw this.problem('a control character inside a string must be escaped', i)
    }
    this.at = i + 1
    return isPlain ? this.text.slice(start + 1, i) : this.unescape(start, i + 1)
  }

  private unescape(start: number, end: number): string {
    try {
      const decoded = JSON.parse(this.text.slice(start, end)) as string
      if (!decoded.isWellFormed()) throw this.problem('an escape is half of a surrogate pair', start)
      return decoded
    } catch (error) {
      if (error instanceof SyntaxProblem) throw error
      throw this.problem('a string holds an invalid escape', start)
    }
  }

  private number(): JsonValue {
    NUMBER.lastIndex = this.at
    const literal = NUMBER.exec(this.text)?.[0]
    if (literal === undefined) throw this.problem('a JSON value was expected')
    const value = numberFromLiteral(literal)
    if (value === undefined) throw this.problem('a number is out of range')
    this.at += literal.length
    return value
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.problem('a JSON value was expected')
    this.at += word.length
    return value
  }

  private take(mark: string): boolean {
    this.skipBlanks()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  private skipBlanks(): void {
    for (; ; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }

  private problem(what: string, at = this.at): SyntaxProblem {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    return new SyntaxProblem(`${what}, at line ${line} column ${at - before.lastIndexOf('\n')}`)
  }
}
