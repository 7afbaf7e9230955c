import type { Value } from '../value.js'
import type { Block, Expression, IfArm, SwitchArm } from './ast.js'
import { constantOf } from './constant.js'
import { type Cursor, problemAt } from './cursor.js'

export function parseIf(cursor: Cursor): Expression {
  const { at } = cursor.current
  const arms: IfArm[] = []
  for (;;) {
    cursor.expectKeyword('if')
    arms.push({ condition: cursor.grammar.expression(cursor), body: cursor.grammar.block(cursor) })
    if (!cursor.takeKeyword('else')) return { kind: 'if', arms, otherwise: undefined, at }
    if (!cursor.isKeyword('if')) return { kind: 'if', arms, otherwise: cursor.grammar.block(cursor), at }
  }
}

export function parseLoop(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  return { kind: 'loop', body: parseLoopBody(cursor), at }
}

export function parseWhile(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  const condition = cursor.grammar.expression(cursor)
  return { kind: 'while', condition, body: parseLoopBody(cursor), at }
}

export function parseDo(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  const body = parseLoopBody(cursor)
  const goesOnWhile = cursor.takeKeyword('while')
  if (!goesOnWhile) cursor.expectKeyword('until')
  return { kind: 'do', body, condition: cursor.grammar.expression(cursor), goesOnWhile, at }
}

export function parseFor(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  const [name, counter] = parseLoopVariables(cursor)
  cursor.expectKeyword('in')
  const source = cursor.grammar.expression(cursor)
  return { kind: 'for', name, counter, source, body: parseLoopBody(cursor), at }
}

function parseLoopVariables(cursor: Cursor): [name: string, counter: string | undefined] {
  if (!cursor.takeSymbol('(')) return [cursor.expectName('a variable'), undefined]
  const name = cursor.expectName('a variable')
  cursor.expectSymbol(',')
  const { at } = cursor.current
  const counter = cursor.expectName('a variable')
  if (name === counter) throw problemAt(at, 'the two variables have the same name')
  cursor.expectSymbol(')')
  return [name, counter]
}

function parseLoopBody(cursor: Cursor): Block {
  return cursor.inBody(true, () => cursor.grammar.block(cursor))
}

export function parseSwitch(cursor: Cursor): Expression {
  const { at } = cursor.advance()
  const subject = cursor.grammar.expression(cursor)
  cursor.expectSymbol('{')
  const arms: SwitchArm[] = []
  while (!cursor.takeSymbol('}')) {
    const last = arms.at(-1)
    if (last !== undefined && last.cases === undefined) throw problemAt(last.at, '`_` must be the last case')
    arms.push(parseArm(cursor))
  }
  return { kind: 'switch', subject, arms, at }
}

function parseArm(cursor: Cursor): SwitchArm {
  const { at } = cursor.current
  const cases = parseCases(cursor)
  const condition = cases !== undefined && cursor.takeKeyword('if') ? cursor.grammar.expression(cursor) : undefined
  cursor.expectSymbol('=>')
  const body = cursor.grammar.statement(cursor)
  const isEnd = cursor.takeSymbol(',') || cursor.isSymbol('}') || body.kind === 'block' || body.kind === 'if'
  if (!isEnd) throw cursor.unexpected('`,` or `}`')
  return { cases, condition, body, at }
}

function parseCases(cursor: Cursor): Value[] | undefined {
  if (cursor.current.kind === 'word' && cursor.current.text === '_') {
    cursor.advance()
    return undefined
  }
  const cases: Value[] = []
  do {
    const { at } = cursor.current
    const value = constantOf(cursor.grammar.caseOperand(cursor))
    if (value === undefined) throw problemAt(at, 'a case must be a literal or a range of integers')
    cases.push(value)
  } while (cursor.takeSymbol('|'))
  return cases
}
