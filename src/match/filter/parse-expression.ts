import { parseGeo } from './geo-syntax.js'
import { type Attribute, combined, comparisons, type Filter, type ForeignCondition, negated } from './model.js'
import { isAtValue, OPERATORS, readAttribute, readValue } from './read-value.js'
import { type Reading, Scanner, SyntaxProblem } from './scanner.js'
import { parseVectors } from './vectors-syntax.js'

/**
 * The nesting limit is 150, a parenthesis costs 4 and a `NOT` 1 (spec 6 §6.3). A condition itself takes 3, which leaves
 * the 36 parentheses or 147 `NOT`s that the spec counts.
 */
const MAX_NESTING = 147
const PARENTHESIS_COST = 4
const NOT_COST = 1

/** Parses one whole expression, which is not blank. Throws a `SyntaxProblem`. */
export function parseExpression(text: string, reading: Reading): Filter {
  const scanner = new Scanner(text, reading)
  const filter = parseOr(scanner, 0)
  scanner.skipBlanks()
  if (!scanner.isAtEnd) throw scanner.problemHere('the end of the expression, `AND` or `OR` was expected')
  return filter
}

/** `nesting` is what the parentheses and `NOT`s around this place cost together. */
function parseOr(scanner: Scanner, nesting: number): Filter {
  const operands = [parseAnd(scanner, nesting)]
  while (scanner.takeKeyword('OR')) operands.push(parseAnd(scanner, nesting))
  return combined('or', operands)
}

function parseAnd(scanner: Scanner, nesting: number): Filter {
  const operands = [parseNot(scanner, nesting)]
  while (scanner.takeKeyword('AND')) operands.push(parseNot(scanner, nesting))
  return combined('and', operands)
}

function parseNot(scanner: Scanner, nesting: number): Filter {
  let isNegated = false
  let inner = nesting
  while (scanner.takeKeyword('NOT')) {
    isNegated = !isNegated
    inner = deeper(scanner, inner, NOT_COST)
  }
  const operand = parsePrimary(scanner, inner)
  return isNegated ? negated(operand) : operand
}

function deeper(scanner: Scanner, nesting: number, cost: number): number {
  if (nesting + cost <= MAX_NESTING) return nesting + cost
  throw new SyntaxProblem('less nesting of parentheses and `NOT` was expected', scanner.at, scanner.text.length)
}

function parsePrimary(scanner: Scanner, nesting: number): Filter {
  scanner.countPart()
  scanner.skipBlanks()
  if (scanner.take('(')) return parseGroup(scanner, nesting)
  if (scanner.take('_foreign(')) return parseForeign(scanner, nesting)
  return parseGeo(scanner) ?? parseVectors(scanner) ?? parseCondition(scanner)
}

/** What follows an opening parenthesis, up to the closing one. */
function parseGroup(scanner: Scanner, nesting: number): Filter {
  const filter = parseOr(scanner, deeper(scanner, nesting, PARENTHESIS_COST))
  scanner.skipBlanks()
  if (!scanner.take(')')) throw scanner.problemHere('a closing `)` was expected')
  return filter
}

function parseForeign(scanner: Scanner, nesting: number): ForeignCondition {
  const field = readAttribute(scanner)
  scanner.skipBlanks()
  if (!scanner.take(',')) throw scanner.problemHere('the form `_foreign(field, filter)` was expected')
  return { kind: 'foreign', field, filter: parseGroup(scanner, nesting) }
}

// `IN` has to be a whole word, the others not: `a CONTAINSb` is fine (spec 6 §6.3).
const WORD_OPERATOR =
  /(IS[ \t\r\n]+)?(NOT[ \t\r\n]+)?(NULL|EMPTY|EXISTS|CONTAINS|STARTS WITH|IN(?![\p{Alphabetic}\p{N}_.-]))/uy

function parseCondition(scanner: Scanner): Filter {
  const attribute = readAttribute(scanner)
  scanner.skipBlanks()
  const operator = comparisons.find((sign) => scanner.take(sign))
  if (operator) return { kind: 'compare', attribute, operator, value: readValue(scanner) }
  return parseWordCondition(scanner, attribute) ?? parseBetween(scanner, attribute)
}

function parseWordCondition(scanner: Scanner, attribute: Attribute): Filter | undefined {
  const start = scanner.at
  const [, is, not, operator] = scanner.match(WORD_OPERATOR) ?? []
  if (operator === undefined) return undefined
  if ((is !== undefined) !== (operator === 'NULL' || operator === 'EMPTY')) {
    scanner.at = start
    throw operatorExpected(scanner)
  }
  const condition = wordCondition(scanner, operator, attribute)
  return not === undefined ? condition : negated(condition)
}

function wordCondition(scanner: Scanner, operator: string, attribute: Attribute): Filter {
  switch (operator) {
    case 'NULL':
      return { kind: 'null', attribute }
    case 'EMPTY':
      return { kind: 'empty', attribute }
    case 'EXISTS':
      return { kind: 'exists', attribute }
    case 'IN':
      return { kind: 'in', attribute, values: readList(scanner) }
    case 'CONTAINS':
      return { kind: 'contains', attribute, value: readValue(scanner) }
    default:
      return { kind: 'startsWith', attribute, value: readValue(scanner) }
  }
}

const TO = /[ \t\r\n]*TO[ \t\r\n]+/y

function parseBetween(scanner: Scanner, attribute: Attribute): Filter {
  const start = scanner.at
  const from = isAtValue(scanner) ? readValue(scanner) : undefined
  if (from !== undefined && scanner.match(TO)) return { kind: 'between', attribute, from, to: readValue(scanner) }
  scanner.at = start
  throw operatorExpected(scanner)
}

function operatorExpected(scanner: Scanner): SyntaxProblem {
  return scanner.problemHere(`an operator (${OPERATORS}) was expected`)
}

function readList(scanner: Scanner): string[] {
  const values: string[] = []
  scanner.skipBlanks()
  if (!scanner.take('[')) throw scanner.problemHere('`[` was expected after `IN`')
  for (;;) {
    scanner.skipBlanks()
    if (scanner.take(']')) return values
    if (scanner.isAtEnd) throw scanner.problemHere('a closing `]` was expected after the list of `IN`')
    scanner.countPart()
    values.push(readValue(scanner))
    scanner.skipBlanks()
    if (!scanner.take(',') && scanner.text[scanner.at] !== ']') throw listProblem(scanner)
  }
}

function listProblem(scanner: Scanner): SyntaxProblem {
  return scanner.problemHere(
    scanner.isAtEnd
      ? 'a closing `]` was expected after the list of `IN`'
      : 'only values separated by commas were expected up to the closing `]` of `IN`',
  )
}
