import { Char } from '../value.js'
import type { Reader } from './reader.js'

const SIMPLE_ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
])

/** Number of hexadecimal digits after the letter of an escape. */
const HEX_ESCAPES = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

const HEX = /^[0-9a-fA-F]+$/
const LAST_CODE_POINT = 0x10ffff
const PLAIN_TEXT = /[^"\\\n]+/y
const CHARACTER = /[^\\\n']/uy
const HASHES = /#+/y
const LINE_END = /\r?\n/y
const PLAIN_TEMPLATE = /[^`$]+/y

/** Reads `"..."`; the opening quote is the next character. */
export function readString(reader: Reader): string {
  const indent = reader.at().column
  reader.take('"')
  const pieces: string[] = []
  for (;;) {
    pieces.push(reader.match(PLAIN_TEXT))
    if (reader.take('"')) {
      if (!reader.take('"')) return pieces.join('')
      pieces.push('"')
    } else if (reader.take('\\')) pieces.push(reader.match(LINE_END) ? skipIndent(reader, indent) : readEscape(reader))
    else throw reader.problem('the line ends inside a string')
  }
}

/** A continued line may be indented up to the opening quote. */
function skipIndent(reader: Reader, indent: number): string {
  for (let i = 0; i < indent && (reader.next === ' ' || reader.next === '\t'); i++) reader.offset++
  return ''
}

function readEscape(reader: Reader): string {
  const letter = reader.next
  reader.offset++
  const simple = SIMPLE_ESCAPES.get(letter)
  if (simple !== undefined) return simple
  const digits = reader.source.slice(reader.offset, reader.offset + (HEX_ESCAPES.get(letter) ?? 0))
  const code = Number.parseInt(digits, 16)
  const isComplete = HEX.test(digits) && digits.length === HEX_ESCAPES.get(letter)
  if (!isComplete || code > LAST_CODE_POINT || isSurrogate(code)) throw reader.problem('the escape is not valid')
  reader.offset += digits.length
  return String.fromCodePoint(code)
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000
}

/** Reads `'x'`; the opening quote is the next character. */
export function readChar(reader: Reader): Char {
  reader.take("'")
  const text = reader.take('\\') ? readEscape(reader) : reader.match(CHARACTER)
  if (text === '' || !reader.take("'")) throw reader.problem("exactly one character was expected between ' and '")
  return new Char(text)
}

/** Reads `#"..."#` with any number of `#`, or gives undefined when the next `#` starts something else. */
export function readRawString(reader: Reader): string | undefined {
  const start = reader.offset
  const hashes = reader.match(HASHES)
  if (hashes === '' || !reader.take('"')) {
    reader.offset = start
    return undefined
  }
  const end = reader.source.indexOf(`"${hashes}`, reader.offset)
  if (end < 0) throw reader.problem('the raw string does not end')
  const text = reader.source.slice(reader.offset, end)
  reader.offset = end + 1 + hashes.length
  return text
}

/** Reads a template up to `${` or to the back-tick that ends it (`isLast`), and passes that mark. */
export function readTemplatePiece(reader: Reader): { readonly text: string; readonly isLast: boolean } {
  const pieces: string[] = []
  for (;;) {
    pieces.push(reader.match(PLAIN_TEMPLATE))
    if (reader.take('``')) pieces.push('`')
    else if (reader.take('`')) return { text: pieces.join(''), isLast: true }
    else if (reader.take('${')) return { text: pieces.join(''), isLast: false }
    else if (reader.take('$')) pieces.push('$')
    else throw reader.problem('the text ends inside a back-tick string')
  }
}

/** Passes the line end that may follow an opening back-tick. */
export function skipFirstLineEnd(reader: Reader): void {
  reader.match(LINE_END)
}
