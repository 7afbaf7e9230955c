import { type Filter, negated, type VectorSelection } from './model.js'
import { readQuoted } from './quoted-text.js'
import { isAtQuote, readAgain } from './read-value.js'
import type { Scanner } from './scanner.js'

const PREFIX = '_vectors'
const FORM =
  '_vectors[.<embedder>[.fragments.<name> | .userProvided | .documentTemplate | .regenerate]] [NOT] EXISTS was expected, with names quoted if they hold a dot'
const PATH_NAME = /[\p{Alphabetic}\p{N}_-]+/uy
const EXISTS = /[ \t\r\n]*(NOT[ \t\r\n]+)?EXISTS/y

/**
 * A test for vectors, if one stands here (spec 6 §6.7). In front of any other operator than `EXISTS`, `_vectors...` is
 * an ordinary attribute, and nothing is taken.
 */
export function parseVectors(scanner: Scanner): Filter | undefined {
  const start = scanner.at
  if (!scanner.take(PREFIX)) return undefined
  const path = scanner.at
  const isPath = scanner.text[path] === '.' || !scanner.isAtWordCharacter()
  if (isPath && isExistsBehindPath(scanner)) {
    scanner.at = path
    return readCondition(scanner)
  }
  scanner.at = start
  return undefined
}

function isExistsBehindPath(scanner: Scanner): boolean {
  do {
    scanner.takeWord()
    if (isAtQuote(scanner)) readQuoted(scanner)
  } while (scanner.text[scanner.at] === '.')
  return scanner.match(EXISTS) !== undefined
}

function readCondition(scanner: Scanner): Filter {
  const condition: Filter = { kind: 'vectors', vectors: readSelection(scanner) }
  const operator = scanner.match(EXISTS)
  if (!operator) throw scanner.problemHere(FORM)
  return operator[1] === undefined ? condition : negated(condition)
}

function readSelection(scanner: Scanner): VectorSelection {
  if (!scanner.take('.')) return { part: 'any' }
  const embedder = readName(scanner)
  if (!scanner.take('.')) return { part: 'any', embedder }
  const part = scanner.match(PATH_NAME)?.[0]
  if (part === 'userProvided' || part === 'documentTemplate' || part === 'regenerate') return { part, embedder }
  if (part === 'fragments' && scanner.take('.')) return { part: 'fragment', embedder, fragment: readName(scanner) }
  throw scanner.problemHere(FORM)
}

function readName(scanner: Scanner): string {
  const start = scanner.at
  if (isAtQuote(scanner)) return readAgain(readQuoted(scanner), start, scanner)
  const name = scanner.match(PATH_NAME)?.[0]
  if (name === undefined) throw scanner.problemHere(FORM)
  return name
}
