import { shown } from '../../json/index.js'
import type { Attribute } from './model.js'
import { readQuoted } from './quoted-text.js'
import { Scanner, SyntaxProblem } from './scanner.js'

const KEYWORDS = new Set([
  'AND',
  'OR',
  'IN',
  'NOT',
  'TO',
  'EXISTS',
  'IS',
  'NULL',
  'EMPTY',
  'CONTAINS',
  'STARTS',
  'WITH',
  '_geoRadius',
  '_geoBoundingBox',
])

export const OPERATORS =
  '`=`, `!=`, `>`, `>=`, `<`, `<=`, `IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, `IS NULL`, `IS NOT NULL`, `IS EMPTY`, `IS NOT EMPTY`, `CONTAINS`, `NOT CONTAINS`, `STARTS WITH` or `NOT STARTS WITH`'

/** The left side of a condition. */
export function readAttribute(scanner: Scanner): Attribute {
  scanner.skipBlanks()
  const start = scanner.at
  const name = readText(scanner, `an attribute and an operator (${OPERATORS}) were expected`)
  return { name, columns: { start: start + 1, end: scanner.at + 1 } }
}

export function readValue(scanner: Scanner): string {
  scanner.skipBlanks()
  return readText(scanner, 'a value was expected')
}

/** Whether `readValue` would find something that looks like a value, rather than a keyword or a sign. */
export function isAtValue(scanner: Scanner): boolean {
  if (isAtQuote(scanner)) return true
  const before = scanner.at
  const word = scanner.takeWord()
  scanner.at = before
  return word !== undefined && !KEYWORDS.has(word)
}

export function isAtQuote({ text, at }: Scanner): boolean {
  return text[at] === '"' || text[at] === "'"
}

function readText(scanner: Scanner, expected: string): string {
  const start = scanner.at
  if (isAtQuote(scanner)) return readAgain(readQuoted(scanner), start, scanner)
  const word = scanner.takeWord()
  if (word === undefined) throw scanner.problemHere(expected)
  if (KEYWORDS.has(word)) {
    throw new SyntaxProblem(`${expected}, but \`${word}\` is a reserved keyword: quote it`, start, scanner.at)
  }
  if (isReservedGeoName(word)) throw new SyntaxProblem(reservedGeoName(word), start, scanner.at)
  return word
}

function isReservedGeoName(word: string): boolean {
  return word === '_geo' || word.startsWith('_geoPoint') || word.startsWith('_geoDistance')
}

function reservedGeoName(word: string): string {
  return `${shown(word)} is a reserved name; filter positions with \`_geoRadius(lat, lng, metres)\` or \`_geoBoundingBox([lat, lng], [lat, lng])\``
}

/**
 * On the search routes a decoded text is put between double quotes and read once more, its own double quotes protected
 * but not its backslashes (spec 6 §6.3). So a backslash that survived the first reading acts again.
 */
export function readAgain(text: string, start: number, { reading, at }: Scanner): string {
  if (reading === 'once' || !text.includes('\\')) return text
  const again = new Scanner(`"${text.replaceAll('"', '\\"')}"`, 'once')
  try {
    const decoded = readQuoted(again)
    if (again.isAtEnd) return decoded
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
  }
  throw new SyntaxProblem(
    `${shown(text)} cannot be read: on search routes a backslash in a quoted text is written \\\\\\\\`,
    start,
    at,
  )
}
