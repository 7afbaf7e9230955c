import { isUtf8 } from 'node:buffer'
import { parse, print } from '../json/index.js'
import type { RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'
import { INCOMPLETE, isBlank, ValueScanner } from './value-scanner.js'

const QUOTE = 0x22

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
  private numbers: number[] = []
  private values: Uint8Array[] = []
  private broken: string | undefined
  /** For each name: the scan that met it last, and where among its values. */
  private readonly lastScan: number[] = []
  private readonly position: number[] = []
  private scans = 0
  /** Names of the document before, as bytes with their quotes: most documents have the same ones in the same order. */
  private expected: { bytes: Uint8Array; number: number }[] = []

  constructor(
    private readonly records: RecordWriter,
    private readonly limits: ScanLimits,
  ) {}

  /** Scans the object that starts at `at` and writes its record. Returns the offset after it, or `INCOMPLETE`. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.scans++
    this.numbers = []
    this.values = []
    this.broken = undefined
    const after = this.members(bytes, at, end)
    if (after === INCOMPLETE) return INCOMPLETE
    if (!isUtf8(bytes.subarray(at, after))) throw new SyntaxProblem('the text is not valid UTF-8', at)
    if (this.broken === undefined) this.records.document(this.numbers, this.values)
    else this.records.broken(this.broken)
    return after
  }

  private members(bytes: Uint8Array, at: number, end: number): number {
    let next = skipBlanks(bytes, at + 1, end)
    if (next < end && bytes[next] === 0x7d) return next + 1
    for (let position = 0; ; position++) {
      next = this.member(bytes, next, end, position)
      if (next === INCOMPLETE) return INCOMPLETE
      next = skipBlanks(bytes, next, end)
      if (next >= end) return INCOMPLETE
      if (bytes[next] === 0x7d) return next + 1
      if (bytes[next] !== 0x2c) throw new SyntaxProblem('`,` or `}` was expected', next)
      next = skipBlanks(bytes, next + 1, end)
    }
  }

  private member(bytes: Uint8Array, at: number, end: number, position: number): number {
    if (at >= end) return INCOMPLETE
    if (bytes[at] !== QUOTE) throw new SyntaxProblem('a member name in quotes was expected', at)
    const nameEnd = this.value.scanString(bytes, at, end)
    if (nameEnd === INCOMPLETE) return INCOMPLETE
    const colon = skipBlanks(bytes, nameEnd, end)
    if (colon >= end) return INCOMPLETE
    if (bytes[colon] !== 0x3a) throw new SyntaxProblem('`:` was expected', colon)
    const start = skipBlanks(bytes, colon + 1, end)
    const after = this.value.scan(bytes, start, end)
    if (after === INCOMPLETE) return INCOMPLETE
    this.keep(this.nameNumber(bytes, at, nameEnd, position), this.canonical(bytes, start, after))
    return after
  }

  /** The last value of a repeated name wins, at the position of the first. */
  private keep(number: number, value: Uint8Array): void {
    if (this.lastScan[number] === this.scans) {
      this.values[this.position[number]!] = value
      return
    }
    this.lastScan[number] = this.scans
    this.position[number] = this.numbers.length
    this.numbers.push(number)
    this.values.push(value)
  }

  private nameNumber(bytes: Uint8Array, at: number, end: number, position: number): number {
    const guess = this.expected[position]
    if (guess !== undefined && startsWith(bytes, at, end, guess.bytes)) return guess.number
    const number = this.records.numberOf(decodeString(bytes, at, end))
    this.expected[position] = { bytes: bytes.slice(at, end), number }
    return number
  }

  private canonical(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const { depth, hasOverflow, isCanonical } = this.value
    if (depth > this.limits.maxDepth) this.spoil(`a value is nested more than ${this.limits.maxDepth} levels`, start)
    if (hasOverflow) this.spoil('a number is too large', start)
    if (isCanonical || this.broken !== undefined) return bytes.subarray(start, end)
    const parsed = parse(decodeText(bytes, start, end), 1024)
    if (!parsed.ok) throw new SyntaxProblem(parsed.reason, start)
    return Buffer.from(print(parsed.value))
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
  if (end - at !== expected.length) return false
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false
  return true
}

const decodeText = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

function decodeString(bytes: Uint8Array, start: number, end: number): string {
  const parsed = parse(decodeText(bytes, start, end))
  if (!parsed.ok) throw new SyntaxProblem(parsed.reason, start)
  return parsed.value as string
}
