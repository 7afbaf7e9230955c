import { isUtf8 } from 'node:buffer'
import { quoted } from '../errors/index.js'
import { floatText, numberFromDecimal, numberFromLiteral, numberText } from '../json/index.js'
import type { RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d
const NULL = Buffer.from('null')

/** More names than an index can hold. */
const MAX_COLUMNS = 65_536

type ColumnType = 'string' | 'number' | 'boolean'

interface Column {
  readonly number: number
  readonly type: ColumnType
}

/**
 * `text/csv` (spec 3 §2.4). Written by hand because quoting is never an error there: a quote inside a bare field is a
 * character, text after a closing quote is appended, a quote that is not closed runs to the end of the body.
 */
export class CsvPayload {
  private columns: Column[] | undefined
  private fields: string[] = []
  /** The bytes of the field that is being read, and how many there are. */
  private field = Buffer.allocUnsafe(1024)
  private size = 0
  private hasHighBytes = false
  private isQuoted = false
  private hasQuotes = false
  private isAfterQuote = false
  private isAfterCr = false
  private line = 0
  private started = 0
  offset = 0

  constructor(
    private readonly records: RecordWriter,
    private readonly delimiter: number,
  ) {}

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (this.started < 3 && this.isByteOrderMark(byte)) continue
      this.byte(byte)
    }
    this.offset += chunk.length
  }

  end(): void {
    this.endRecord()
    if (this.columns === undefined) throw new SyntaxProblem('a line with the names of the columns was expected', 0)
  }

  /** EF BB BF at the very start is passed over. */
  private isByteOrderMark(byte: number): boolean {
    const isMark = byte === [0xef, 0xbb, 0xbf][this.started]
    this.started = isMark ? this.started + 1 : 3
    return isMark
  }

  private byte(byte: number): void {
    if (this.isQuoted) {
      if (byte === QUOTE) {
        this.isQuoted = false
        this.isAfterQuote = true
      } else this.take(byte)
      return
    }
    const isDoubled = byte === QUOTE && this.isAfterQuote
    this.isAfterQuote = false
    if (isDoubled) this.reopen()
    else if (byte === QUOTE && this.size === 0 && !this.hasQuotes) this.isQuoted = this.hasQuotes = true
    else if (byte === this.delimiter) this.endField()
    else if (byte === LF || byte === CR) this.endLine(byte)
    else this.take(byte)
  }

  private take(byte: number): void {
    if (this.size === this.field.length) this.field = Buffer.concat([this.field], 2 * this.size)
    if (byte >= 0x80) this.hasHighBytes = true
    this.field[this.size++] = byte
  }

  /** Two quotes inside quotes stand for one. */
  private reopen(): void {
    this.take(QUOTE)
    this.isQuoted = true
  }

  private endLine(byte: number): void {
    if (byte === LF && this.isAfterCr && this.isBlankRecord()) {
      this.isAfterCr = false
      return
    }
    this.isAfterCr = byte === CR
    this.endRecord()
  }

  private isBlankRecord(): boolean {
    return this.fields.length === 0 && this.size === 0 && !this.hasQuotes
  }

  private endField(): void {
    const bytes = this.field.subarray(0, this.size)
    if (this.hasHighBytes && !isUtf8(bytes))
      throw new SyntaxProblem(`line ${this.line + 1}: the text is not valid UTF-8`, this.offset)
    if (this.fields.length >= MAX_COLUMNS)
      throw new SyntaxProblem(`record ${this.line} has more than ${MAX_COLUMNS} fields`, this.offset)
    this.fields.push(bytes.toString('utf8'))
    this.size = 0
    this.hasHighBytes = false
    this.hasQuotes = false
    this.isAfterQuote = false
  }

  private endRecord(): void {
    if (this.isBlankRecord()) return
    this.endField()
    const { fields } = this
    this.fields = []
    if (this.columns === undefined) this.columns = fields.map((header) => this.column(header))
    else this.document(this.columns, fields)
  }

  private column(header: string): Column {
    const colon = header.lastIndexOf(':')
    const type = header.slice(colon + 1)
    const isTyped = colon !== -1 && (type === 'string' || type === 'number' || type === 'boolean')
    // There is room for as many names as there may be columns.
    const number = this.records.numberOf(isTyped ? header.slice(0, colon) : header)!
    return { number, type: isTyped ? type : 'string' }
  }

  private document(columns: readonly Column[], fields: readonly string[]): void {
    this.line++
    if (fields.length !== columns.length) {
      throw new SyntaxProblem(
        `record ${this.line} has ${fields.length} fields, but there are ${columns.length} columns`,
        this.offset,
      )
    }
    // With doubled columns the last one wins, at the place of the first.
    const values = new Map<number, Uint8Array>()
    for (const [i, column] of columns.entries()) values.set(column.number, this.value(column.type, fields[i]!))
    this.records.document([...values.keys()], [...values.values()])
  }

  private value(type: ColumnType, text: string): Uint8Array {
    if (type === 'string') return text === '' ? NULL : Buffer.from(JSON.stringify(text))
    const trimmed = text.trim()
    if (trimmed === '') return NULL
    const json =
      type === 'number' ? numberJson(trimmed) : trimmed === 'true' || trimmed === 'false' ? trimmed : undefined
    if (json === undefined) throw new SyntaxProblem(`line ${this.line}: ${quoted(text)} is not a ${type}`, this.offset)
    return Buffer.from(json)
  }
}

/** A 64-bit signed integer, else a float; infinite and not-a-number become null; undefined when it is no number. */
function numberJson(text: string): string | undefined {
  if (/^[+-]?\d+$/.test(text) && text.length <= 20) {
    const integer = numberFromLiteral(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
    if (typeof integer === 'number' || (typeof integer === 'bigint' && integer < 2n ** 63n)) return numberText(integer)
    if (/^[+-]?0+$/.test(text)) return '0'
  }
  if (/^[+-]?(inf|infinity|nan)$/i.test(text)) return 'null'
  const value = numberFromDecimal(text)
  if (value === undefined) return undefined
  return Number.isFinite(value) ? floatText(value) : 'null'
}
