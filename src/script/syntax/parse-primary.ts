import type { Block, Expression, MapEntry } from './ast.js'
import { type Cursor, problemAt } from './cursor.js'
import { parseDo, parseFor, parseIf, parseLoop, parseSwitch, parseWhile } from './parse-control.js'
import { FUNCTION_KEYWORDS } from './token.js'

type Rule = (cursor: Cursor) => Expression

const SYMBOL_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['(', parseParentheses],
  ['[', parseArray],
  ['#{', parseMap],
  ['{', (cursor) => cursor.grammar.block(cursor)],
  ['|', parseClosure],
  ['||', parseClosure],
])

const KEYWORD_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['if', parseIf],
  ['switch', parseSwitch],
  ['loop', parseLoop],
  ['while', parseWhile],
  ['do', parseDo],
  ['for', parseFor],
  ['this', (cursor) => ({ kind: 'this', at: cursor.advance().at })],
])

/** An operand without operators and links: a literal, a name, a call, a closure, a block. */
export function parsePrimary(cursor: Cursor): Expression {
  const { kind, text, at } = cursor.current
  switch (kind) {
    case 'literal':
      return { kind: 'literal', value: cursor.advance().value, at }
    case 'template':
      return parseTemplate(cursor)
    case 'word':
      return parseName(cursor)
    default: {
      const rule = kind === 'symbol' ? SYMBOL_RULES.get(text) : KEYWORD_RULES.get(text)
      if (rule !== undefined) return rule(cursor)
      if (FUNCTION_KEYWORDS.has(text)) return parseCall(cursor, cursor.advance().text)
      throw cursor.unexpected('an expression')
    }
  }
}

function parseName(cursor: Cursor): Expression {
  const { at } = cursor.current
  const name = cursor.expectName('an expression')
  return cursor.isSymbol('(') ? parseCall(cursor, name) : { kind: 'name', name, at }
}

function parseCall(cursor: Cursor, name: string): Expression {
  const { at } = cursor.current
  return { kind: 'call', name, args: parseArguments(cursor), at }
}

export function parseArguments(cursor: Cursor): Expression[] {
  cursor.expectSymbol('(')
  return cursor.list(')', () => cursor.grammar.expression(cursor))
}

function parseParentheses(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  if (cursor.takeSymbol(')')) return { kind: 'literal', value: null, at }
  const inner = cursor.grammar.expression(cursor)
  cursor.expectSymbol(')')
  return inner
}

function parseArray(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  return { kind: 'array', items: cursor.list(']', () => cursor.grammar.expression(cursor)), at }
}

function parseMap(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  const keys = new Set<string>()
  const entries = cursor.list('}', () => {
    const entry = parseEntry(cursor)
    if (keys.has(entry.key)) throw problemAt(at, `the map has two properties named ${JSON.stringify(entry.key)}`)
    keys.add(entry.key)
    return entry
  })
  return { kind: 'map', entries, at }
}

function parseEntry(cursor: Cursor): MapEntry {
  const key = parseKey(cursor)
  cursor.expectSymbol(':')
  return { key, value: cursor.grammar.expression(cursor) }
}

function parseKey(cursor: Cursor): string {
  const { kind, text, value, isLast } = cursor.current
  const isName = kind === 'word' || kind === 'keyword' || (kind === 'template' && isLast) || typeof value === 'boolean'
  if (!isName && typeof value !== 'string') throw cursor.unexpected('the name of a property')
  cursor.advance()
  return typeof value === 'string' ? value : text
}

/** `` `text ${statements} text` ``. */
function parseTemplate(cursor: Cursor): Expression {
  const first = cursor.advance()
  if (first.isLast) return { kind: 'literal', value: first.text, at: first.at }
  const pieces: (string | Block)[] = [first.text]
  for (let piece = first; !piece.isLast; ) {
    const { at } = cursor.current
    cursor.enter()
    pieces.push({ kind: 'block', statements: cursor.grammar.statements(cursor), at })
    cursor.leave()
    if (cursor.current.kind !== 'continuation') throw cursor.unexpected('`}`')
    piece = cursor.advance()
    pieces.push(piece.text)
  }
  return { kind: 'template', pieces, at: first.at }
}

function parseClosure(cursor: Cursor): Expression {
  const { text, at } = cursor.advance()
  const parameters = text === '||' ? [] : cursor.list('|', () => cursor.expectName('a parameter'))
  if (new Set(parameters).size < parameters.length) throw problemAt(at, 'two parameters have the same name')
  cursor.enter()
  const body = cursor.inBody(false, () => cursor.grammar.statement(cursor))
  cursor.leave()
  return { kind: 'closure', parameters, body, at }
}
