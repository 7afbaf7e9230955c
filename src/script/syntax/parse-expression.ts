import type { Expression, Link, Operators } from './ast.js'
import type { Cursor } from './cursor.js'
import { parseArguments, parsePrimary } from './parse-primary.js'

/** Binding strength of the binary operators, low to high (spec 3 §6.3). */
const PRECEDENCES: ReadonlyMap<string, number> = new Map(
  ['|| | ^', '&& &', '== !=', 'in !in', '< <= > >=', '??', '.. ..=', '+ -', '* / %', '**', '<< >>'].flatMap(
    (operators, level) => operators.split(' ').map((operator): [string, number] => [operator, level]),
  ),
)

const LOWEST = 0
const RANGE = 6
const POWER = 9

const UNARY = new Set(['-', '+', '!'])

export function parseExpression(cursor: Cursor): Expression {
  cursor.enter()
  const expression = parseOperators(cursor, LOWEST)
  cursor.leave()
  return expression
}

/** An expression without `|`, which separates the cases of a `switch` arm. */
export function parseCaseOperand(cursor: Cursor): Expression {
  return parseOperators(cursor, RANGE)
}

function parseOperators(cursor: Cursor, lowest: number): Expression {
  let left = parseUnary(cursor)
  for (;;) {
    const precedence = precedenceOf(cursor)
    if (precedence === undefined || precedence < lowest) return left
    const { text: operator, at } = cursor.advance()
    const operand = precedence === POWER ? parsePower(cursor) : parseOperators(cursor, precedence + 1)
    const run = runOf(left, precedence)
    run.rest.push({ operator, operand, at })
    left = run
  }
}

function precedenceOf(cursor: Cursor): number | undefined {
  const { kind, text } = cursor.current
  return kind === 'symbol' || kind === 'keyword' ? PRECEDENCES.get(text) : undefined
}

/** The right side of `**`, which holds further `**`: they apply from right to left. */
function parsePower(cursor: Cursor): Expression {
  cursor.enter()
  const operand = parseOperators(cursor, POWER)
  cursor.leave()
  return operand
}

/** Operators of the same precedence join the run on their left. */
function runOf(left: Expression, precedence: number): Operators {
  const isSameRun = left.kind === 'operators' && left.precedence === precedence && precedence !== POWER
  return isSameRun ? left : { kind: 'operators', precedence, first: left, rest: [], at: left.at }
}

function parseUnary(cursor: Cursor): Expression {
  if (cursor.current.kind !== 'symbol' || !UNARY.has(cursor.current.text)) return parseChain(cursor)
  const { text: operator, at } = cursor.advance()
  cursor.enter()
  const operand = parseUnary(cursor)
  cursor.leave()
  return { kind: 'unary', operator, operand, at }
}

function parseChain(cursor: Cursor): Expression {
  const root = parsePrimary(cursor)
  const links: Link[] = []
  for (let link = parseLink(cursor); link !== undefined; link = parseLink(cursor)) links.push(link)
  return links.length === 0 ? root : { kind: 'chain', root, links, at: root.at }
}

function parseLink(cursor: Cursor): Link | undefined {
  if (cursor.current.kind !== 'symbol') return undefined
  switch (cursor.current.text) {
    case '.':
    case '?.':
      return parseMember(cursor)
    case '[':
    case '?[':
      return parseIndex(cursor)
    default:
      return undefined
  }
}

function parseMember(cursor: Cursor): Link {
  const isOptional = cursor.advance().text === '?.'
  const { kind, text: name, at } = cursor.current
  const isName = kind === 'word' || kind === 'keyword' || name === 'true' || name === 'false'
  if (!isName || name === '_') throw cursor.unexpected('the name of a property or function')
  cursor.advance()
  if (!cursor.isSymbol('(')) return { kind: 'property', name, isOptional, at }
  return { kind: 'method', name, args: parseArguments(cursor), isOptional, at }
}

function parseIndex(cursor: Cursor): Link {
  const { text, at } = cursor.advance()
  const index = parseExpression(cursor)
  cursor.expectSymbol(']')
  return { kind: 'index', index, isOptional: text === '?[', at }
}
