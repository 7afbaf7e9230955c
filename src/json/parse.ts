import { isUtf8 } from 'node:buffer'
import { numberFromLiteral } from './number.js'
import type { JsonObject, JsonValue } from './value.js'
import { leastWeight, OBJECT_WEIGHT, PART_WEIGHT } from './weight.js'

/** Nesting of this many levels or more is refused (spec 1 §2.3). */
export const MAX_DEPTH = 128

/**
 * What the values of a body may weigh together: a number, a text, a truth value or null weighs 1, and more comes for each
 * object, list and member of an object, which take as much more memory. 4 million are some 100 MB: four million ids or
 * 300,000 empty objects, which nobody needs, where three bytes of text each would do.
 */
const MAX_BODY_WEIGHT = 4_000_000

/** Texts above this size are weighed before anything is made of them. */
const WEIGHED_BYTES = 1 << 20
const TOO_HEAVY = { reason: 'it holds too many values', isTooHeavy: true }

export type Parsed = { readonly ok: true; readonly value: JsonValue } | Unparsed

export interface Unparsed {
  readonly ok: false
  readonly reason: string
  /** The text may well be JSON, but of more values than were allowed. */
  readonly isTooHeavy: boolean
}

export interface ParseLimits {
  readonly maxDepth?: number
  readonly maxWeight?: number
}

/** Parses a whole body. The reason of a failure names the place. */
export function parseBytes(bytes: Uint8Array, limits: ParseLimits = {}): Parsed {
  if (!isUtf8(bytes)) return { ok: false, reason: 'the text is not valid UTF-8', isTooHeavy: false }
  const { maxWeight = MAX_BODY_WEIGHT } = limits
  // Large texts are weighed before they are parsed: values up to the limit would take memory only to be thrown away.
  if (bytes.length > WEIGHED_BYTES && leastWeight(bytes) > maxWeight) return { ok: false, ...TOO_HEAVY }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return parseWithin(text, { ...limits, maxWeight })
}

/** Parses text of any number of values. */
export const parse = (text: string, maxDepth = MAX_DEPTH): Parsed => parseWithin(text, { maxDepth })

function parseWithin(
  text: string,
  { maxDepth = MAX_DEPTH, maxWeight = Number.POSITIVE_INFINITY }: ParseLimits,
): Parsed {
  const parser = new Parser(text, maxDepth, maxWeight)
  try {
    return { ok: true, value: parser.document() }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return error instanceof TooHeavy
      ? { ok: false, ...TOO_HEAVY }
      : { ok: false, reason: error.message, isTooHeavy: false }
  }
}

class SyntaxProblem extends Error {}
class TooHeavy extends SyntaxProblem {}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

class Parser {
  private at = 0
  private depth = 0
  private weight = 0

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
    private readonly maxWeight: number,
  ) {}

  document(): JsonValue {
    const value = this.value()
    this.skipBlanks()
    if (this.at < this.text.length) throw this.problem('there is more text after the end of the value')
    return value
  }

  private value(): JsonValue {
    this.weigh(1)
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
    this.enter(OBJECT_WEIGHT)
    if (this.take('}')) return this.leave(members)
    do {
      this.skipBlanks()
      if (this.text[this.at] !== '"') throw this.problem('a member name in quotes was expected')
      const name = this.string()
      if (!this.take(':')) throw this.problem('`:` was expected')
      this.weigh(PART_WEIGHT)
      members.set(name, this.value())
    } while (this.take(','))
    if (!this.take('}')) throw this.problem('`,` or `}` was expected')
    return this.leave(members)
  }

  private array(): JsonValue[] {
    const items: JsonValue[] = []
    this.enter(PART_WEIGHT)
    if (this.take(']')) return this.leave(items)
    do items.push(this.value())
    while (this.take(','))
    if (!this.take(']')) throw this.problem('`,` or `]` was expected')
    return this.leave(items)
  }

  private weigh(more: number): void {
    this.weight += more
    if (this.weight > this.maxWeight) throw new TooHeavy()
  }

  private enter(weight: number): void {
    this.at++
    this.weigh(weight)
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
    // Counted one by one: a list of all lines could take more memory than there is.
    let line = 1
    let lineStart = 0
    for (let next = this.text.indexOf('\n'); next !== -1 && next < at; next = this.text.indexOf('\n', lineStart)) {
      line++
      lineStart = next + 1
    }
    return new SyntaxProblem(`${what}, at line ${line} column ${at - lineStart + 1}`)
  }
}
