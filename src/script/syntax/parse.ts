import type { Depths } from '../limits.js'
import type { FunctionDefinition, Node, Program } from './ast.js'
import { Cursor, type Grammar, problemAt } from './cursor.js'
import { Lexer } from './lexer.js'
import { parseCaseOperand, parseExpression } from './parse-expression.js'
import { endStatement, parseBlock, parseStatement, parseStatements } from './parse-statement.js'

const GRAMMAR: Grammar = {
  expression: parseExpression,
  caseOperand: parseCaseOperand,
  statement: parseStatement,
  statements: parseStatements,
  block: parseBlock,
}

/** Source text in, syntax tree out. Throws a `SyntaxProblem`. */
export function parse(source: string, depths: Depths): Program {
  const cursor = new Cursor(new Lexer(source), depths, GRAMMAR)
  const statements: Node[] = []
  const functions = new Map<string, FunctionDefinition>()
  while (cursor.current.kind !== 'end') {
    if (cursor.takeSymbol(';')) continue
    if (cursor.isKeyword('fn') || cursor.isKeyword('private')) addFunction(functions, parseFunction(cursor))
    else statements.push(parseTopLevel(cursor))
  }
  return { statements, functions: [...functions.values()] }
}

function parseTopLevel(cursor: Cursor): Node {
  const statement = parseStatement(cursor)
  endStatement(cursor, statement)
  if (cursor.isSymbol('}')) throw cursor.unexpected('a statement')
  return statement
}

/** A script has one function of each name and number of parameters (spec 3 §6.5.3). */
export function functionKey(name: string, parameterCount: number): string {
  return `${name}/${parameterCount}`
}

function addFunction(functions: Map<string, FunctionDefinition>, definition: FunctionDefinition): void {
  const key = functionKey(definition.name, definition.parameters.length)
  if (functions.has(key)) throw problemAt(definition.at, `the function ${key} is defined twice`)
  functions.set(key, definition)
}

function parseFunction(cursor: Cursor): FunctionDefinition {
  cursor.takeKeyword('private')
  const { at } = cursor.current
  cursor.expectKeyword('fn')
  const name = cursor.expectName('the name of a function')
  cursor.expectSymbol('(')
  const parameters = cursor.list(')', () => cursor.expectName('a parameter'))
  if (new Set(parameters).size < parameters.length) throw problemAt(at, 'two parameters have the same name')
  return { name, parameters, body: cursor.inFunction(() => parseBlock(cursor)), at }
}
