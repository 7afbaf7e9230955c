import type { Scanner } from './scanner.js'
import { SyntaxProblem } from './scanner.js'

const PLAIN_ESCAPES: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const HEX_ESCAPE = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}/y
const OCTAL_ESCAPE = /[0-7]{1,3}/y

/** Reads a quoted text whose opening quote stands here. A backslash protects the next character (spec 6 §6.3). */
export function readQuoted(scanner: Scanner): string {
  const start = scanner.at
  const quote = scanner.text[start]!
  scanner.at++
  let decoded = ''
  for (;;) {
    decoded += takePlain(scanner, quote)
    if (scanner.take(quote)) break
    if (scanner.isAtEnd) throw new SyntaxProblem(`a closing ${quote} is missing`, start, scanner.at)
    decoded += takeEscape(scanner)
  }
  return withoutLoneSurrogates(decoded, start, scanner)
}

const UP_TO_DOUBLE_QUOTE = /[^"\\]*/y
const UP_TO_SINGLE_QUOTE = /[^'\\]*/y

function takePlain(scanner: Scanner, quote: string): string {
  return scanner.match(quote === '"' ? UP_TO_DOUBLE_QUOTE : UP_TO_SINGLE_QUOTE)![0]
}

function takeEscape(scanner: Scanner): string {
  const start = scanner.at
  scanner.at++
  const plain = PLAIN_ESCAPES[scanner.text[scanner.at] ?? '']
  if (plain !== undefined) {
    scanner.at++
    return plain
  }
  const code = takeNumericEscape(scanner)
  if (code !== undefined) return code
  const end = Math.min(start + 2, scanner.text.length)
  throw new SyntaxProblem(
    `${JSON.stringify(scanner.text.slice(start, end))} is not a complete escape; a backslash is written \\\\`,
    start,
    end,
  )
}

function takeNumericEscape(scanner: Scanner): string | undefined {
  const hex = scanner.match(HEX_ESCAPE)
  if (hex) {
    const code = Number.parseInt((hex[1] ?? hex[2] ?? hex[3])!, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  const octal = scanner.match(OCTAL_ESCAPE)
  const code = octal && Number.parseInt(octal[0], 8)
  return code !== undefined && code < 256 ? String.fromCharCode(code) : undefined
}

// Two escapes may make a pair; half of one is no character.
function withoutLoneSurrogates(text: string, start: number, scanner: Scanner): string {
  if (text.isWellFormed()) return text
  throw new SyntaxProblem('half of a surrogate pair is no character', start, scanner.at)
}
