import type { Block, Expression, Link, Node, PathLink, Target } from './ast.js'
import { type Cursor, problemAt } from './cursor.js'
import { parsePrimary } from './parse-primary.js'

type Rule = (cursor: Cursor) => Node

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['let', parseLet],
  ['const', parseLet],
  ['break', parseBreak],
  ['continue', parseContinue],
  ['return', (cursor) => ({ kind: 'return', at: cursor.advance().at, value: parseOptionalValue(cursor) })],
  ['throw', (cursor) => ({ kind: 'throw', at: cursor.advance().at, value: parseOptionalValue(cursor) })],
  ['try', parseTry],
])

/** Statements that end with their own `}`, so that no `;` is needed after them. */
const SELF_ENDING: ReadonlySet<string> = new Set(['block', 'if', 'switch', 'loop', 'while', 'do', 'for', 'try'])

const BLOCK_KEYWORDS: ReadonlySet<string> = new Set(['if', 'switch', 'loop', 'while', 'do', 'for'])

const ASSIGNMENTS: ReadonlySet<string> = new Set('= += -= *= /= %= **= <<= >>= &= |= ^='.split(' '))

export function parseBlock(cursor: Cursor): Block {
  const { at } = cursor.current
  cursor.enter()
  cursor.expectSymbol('{')
  const statements = parseStatements(cursor)
  cursor.expectSymbol('}')
  cursor.leave()
  return { kind: 'block', statements, at }
}

export function parseStatements(cursor: Cursor): Node[] {
  const statements: Node[] = []
  while (!isAtEnd(cursor)) {
    if (cursor.takeSymbol(';')) continue
    const statement = cursor.grammar.statement(cursor)
    statements.push(statement)
    endStatement(cursor, statement)
  }
  return statements
}

/** Requires the `;` that separates a statement from the next. */
export function endStatement(cursor: Cursor, statement: Node): void {
  if (SELF_ENDING.has(statement.kind) || isAtEnd(cursor)) return
  cursor.expectSymbol(';')
}

function isAtEnd(cursor: Cursor): boolean {
  return cursor.isSymbol('}') || cursor.current.kind === 'continuation' || cursor.current.kind === 'end'
}

export function parseStatement(cursor: Cursor): Node {
  const { kind, text, at } = cursor.current
  if (kind === 'keyword') {
    const rule = RULES.get(text)
    if (rule !== undefined) return rule(cursor)
    if (text === 'fn' || text === 'private') throw problemAt(at, 'functions are defined at the top level only')
  }
  if (cursor.isSymbol('{') || (kind === 'keyword' && BLOCK_KEYWORDS.has(text))) return parseBlockStatement(cursor)
  return parseExpressionOrAssignment(cursor)
}

/** A block, `if`, loop or `switch` that is a statement ends with its `}`: no operator can follow. */
function parseBlockStatement(cursor: Cursor): Node {
  cursor.enter()
  const statement = parsePrimary(cursor)
  cursor.leave()
  return statement
}

function parseExpressionOrAssignment(cursor: Cursor): Node {
  const expression = cursor.grammar.expression(cursor)
  const { kind, text, at } = cursor.current
  if (kind !== 'symbol' || !ASSIGNMENTS.has(text)) return expression
  const target = targetOf(expression)
  if (target === undefined) throw problemAt(at, 'only variables, properties and elements can be assigned to')
  cursor.advance()
  return { kind: 'assign', target, operator: text.slice(0, -1), value: cursor.grammar.expression(cursor), at }
}

function targetOf(expression: Expression): Target | undefined {
  const root = expression.kind === 'chain' ? expression.root : expression
  const links: readonly Link[] = expression.kind === 'chain' ? expression.links : []
  if (root.kind !== 'name' && root.kind !== 'this') return undefined
  return links.every((link): link is PathLink => link.kind !== 'method') ? { root, links, at: root.at } : undefined
}

function parseLet(cursor: Cursor): Node {
  const { text: keyword, at } = cursor.advance()
  const name = cursor.expectName('the name of a variable')
  const value = cursor.takeSymbol('=') ? cursor.grammar.expression(cursor) : undefined
  return { kind: 'let', name, value, isConstant: keyword === 'const', at }
}

function parseBreak(cursor: Cursor): Node {
  const { at } = cursor.advance()
  if (!cursor.isInLoop) throw problemAt(at, '`break` is outside of any loop')
  return { kind: 'break', value: parseOptionalValue(cursor), at }
}

function parseContinue(cursor: Cursor): Node {
  const { at } = cursor.advance()
  if (!cursor.isInLoop) throw problemAt(at, '`continue` is outside of any loop')
  return { kind: 'continue', at }
}

function parseOptionalValue(cursor: Cursor): Expression | undefined {
  const isAbsent = isAtEnd(cursor) || cursor.isSymbol(';') || cursor.isSymbol(',') || cursor.isSymbol(')')
  return isAbsent ? undefined : cursor.grammar.expression(cursor)
}

function parseTry(cursor: Cursor): Node {
  const { at } = cursor.advance()
  const body = parseBlock(cursor)
  cursor.expectKeyword('catch')
  const name = parseCaughtName(cursor)
  return { kind: 'try', body, name, handler: parseBlock(cursor), at }
}

function parseCaughtName(cursor: Cursor): string | undefined {
  if (!cursor.takeSymbol('(')) return undefined
  const name = cursor.expectName('a variable')
  cursor.expectSymbol(')')
  return name
}
