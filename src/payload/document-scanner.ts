import { isUtf8 } from 'node:buffer'
import { parse, print } from '../json/index.js'
import type { Members, RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'
import { INCOMPLETE, isBlank, ValueScanner } from './value-scanner.js'
import { withoutBlanks } from './without-blanks.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const CLOSE_OBJECT = 0x7d

export interface ScanLimits {
  /** Levels of arrays and objects that a top-level value may have. */
  readonly maxDepth: number
  /** Whether a value that is too deep or out of range ends the scan, or only spoils its document. */
  readonly isStrict: boolean
}

/** Lists and NDJSON are checked for these only when their task runs; one single object at once (spec 3 §2.9). */
export const lenientLimits: ScanLimits = { maxDepth: 127, isStrict: false }
export const strictLimits: ScanLimits = { maxDepth: 126, isStrict: true }

/** Turns one JSON object after the other into a record. */
export class DocumentScanner {
  private readonly value = new ValueScanner()
  private bytes: Uint8Array = new Uint8Array(0)
  private end = 0
  private readonly found: Members = { count: 0, numbers: [], starts: [], ends: [] }
  /** Whether the values lie in `bytes` one after the other, as they are to be stored. */
  private isPlain = true
  /** Values that are stored in other words than they came in, by their place among the members. */
  private readonly rewritten = new Map<number, Uint8Array>()
  private broken: string | undefined
  private isTooWide = false
  /** For each name: the scan that met it last, and where among its members. */
  private readonly lastScan: number[] = []
  private readonly position: number[] = []
  private scans = 0
  /** Names of the document before, as bytes with their quotes: most documents have the same ones in the same order. */
  private readonly expected: { readonly bytes: Uint8Array; readonly number: number }[] = []

  constructor(
    private readonly records: RecordWriter,
    private readonly limits: ScanLimits,
  ) {}

  /** Scans the object that starts at `at` and writes its record. Returns the offset after it, or `INCOMPLETE`. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.begin(bytes, end)
    const after = this.members(at)
    if (after === INCOMPLETE) return INCOMPLETE
    if (this.value.hasHighBytes && !isUtf8(bytes.subarray(at, after)))
      throw new SyntaxProblem('the text is not valid UTF-8', at)
    if (this.broken !== undefined) this.records.broken(this.broken)
    else if (this.isTooWide) this.records.tooWide()
    else if (this.isPlain) this.records.slice(bytes, this.found)
    else this.records.document(this.found.numbers.slice(0, this.found.count), this.values())
    return after
  }

  private begin(bytes: Uint8Array, end: number): void {
    this.bytes = bytes
    this.end = end
    this.value.begin(bytes, end)
    this.scans++
    this.found.count = 0
    this.isPlain = true
    this.broken = undefined
    this.isTooWide = false
    if (this.rewritten.size > 0) this.rewritten.clear()
  }

  private members(at: number): number {
    const { bytes, end } = this
    let next = skipBlanks(bytes, at + 1, end)
    if (next < end && bytes[next] === CLOSE_OBJECT) return next + 1
    for (let position = 0; ; position++) {
      next = this.member(next, position)
      if (next === INCOMPLETE) return INCOMPLETE
      next = skipBlanks(bytes, next, end)
      if (next >= end) return INCOMPLETE
      if (bytes[next] === CLOSE_OBJECT) return next + 1
      if (bytes[next] !== COMMA) throw new SyntaxProblem('`,` or `}` was expected', next)
      next = skipBlanks(bytes, next + 1, end)
    }
  }

  private member(at: number, position: number): number {
    const { bytes, end } = this
    if (at >= end) return INCOMPLETE
    if (bytes[at] !== QUOTE) throw new SyntaxProblem('a member name in quotes was expected', at)
    const guess = this.expected[position]
    const isGuessed = guess !== undefined && startsWith(bytes, at, end, guess.bytes)
    const nameEnd = isGuessed ? at + guess.bytes.length : this.value.scanString(at)
    if (nameEnd === INCOMPLETE) return INCOMPLETE
    const colon = skipBlanks(bytes, nameEnd, end)
    if (colon >= end) return INCOMPLETE
    if (bytes[colon] !== COLON) throw new SyntaxProblem('`:` was expected', colon)
    const start = skipBlanks(bytes, colon + 1, end)
    const after = this.value.scan(start)
    if (after === INCOMPLETE) return INCOMPLETE
    const number = isGuessed ? guess.number : this.learnName(at, nameEnd, position)
    if (number === undefined) this.isTooWide = true
    else this.keep(number, start, after)
    return after
  }

  private learnName(start: number, end: number, position: number): number | undefined {
    // Nothing of the document is kept, so nothing has to be learnt from it either.
    if (this.isTooWide) return undefined
    const number = this.records.numberOf(decodeString(this.bytes, start, end))
    if (number !== undefined) this.expected[position] = { bytes: this.bytes.slice(start, end), number }
    return number
  }

  /** The last value of a repeated name wins, at the position of the first. */
  private keep(number: number, start: number, end: number): void {
    const { found } = this
    let place = found.count
    if (this.lastScan[number] === this.scans) {
      place = this.position[number]!
      this.isPlain = false
      this.rewritten.delete(place)
    } else {
      this.lastScan[number] = this.scans
      this.position[number] = place
      found.count++
    }
    found.numbers[place] = number
    found.starts[place] = start
    found.ends[place] = end
    this.checkValue(place)
  }

  private checkValue(place: number): void {
    const { depth, hasOverflow, isCanonical, hasBlanks } = this.value
    const start = this.found.starts[place]!
    if (depth > this.limits.maxDepth) this.spoil(`a value is nested more than ${this.limits.maxDepth} levels`, start)
    if (hasOverflow) this.spoil('a number is too large', start)
    if ((isCanonical && !hasBlanks) || this.broken !== undefined || this.isTooWide) return
    const end = this.found.ends[place]!
    this.rewritten.set(place, isCanonical ? withoutBlanks(this.bytes, start, end) : this.canonical(start, end))
    this.isPlain = false
  }

  private canonical(start: number, end: number): Uint8Array {
    const parsed = parse(decodeText(this.bytes, start, end), 1024)
    if (!parsed.ok) throw new SyntaxProblem(parsed.reason, start)
    return Buffer.from(print(parsed.value))
  }

  private values(): Uint8Array[] {
    const values: Uint8Array[] = []
    const { count, starts, ends } = this.found
    for (let i = 0; i < count; i++) values.push(this.rewritten.get(i) ?? this.bytes.subarray(starts[i]!, ends[i]!))
    return values
  }

  private spoil(reason: string, at: number): void {
    if (this.limits.isStrict) throw new SyntaxProblem(reason, at)
    this.broken = reason
  }
}

export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  let i = at
  while (i < end && isBlank[bytes[i]!] === 1) i++
  return i
}

function startsWith(bytes: Uint8Array, at: number, end: number, expected: Uint8Array): boolean {
  if (end - at < expected.length) return false
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false
  return true
}

const decodeText = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

/** With its quotes. */
function decodeString(bytes: Uint8Array, start: number, end: number): string {
  return plainText(bytes, start + 1, end - 1) ?? parsedString(bytes, start, end)
}

/** Longer texts are not worth a try. */
const SHORT_TEXT = 24

/** Undefined for texts that are long, or more than ASCII as it is. Names are mostly short, and each body tells its own. */
function plainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > SHORT_TEXT) return undefined
  let text = ''
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (byte >= 0x80 || byte === BACKSLASH) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}

function parsedString(bytes: Uint8Array, start: number, end: number): string {
  const parsed = parse(decodeText(bytes, start, end))
  if (!parsed.ok) throw new SyntaxProblem(parsed.reason, start)
  return parsed.value as string
}
