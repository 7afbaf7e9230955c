import type { Depths } from '../limits.js'
import { type At, SyntaxProblem } from '../problem.js'
import type { Block, Expression, Node } from './ast.js'
import type { Lexer } from './lexer.js'
import type { Token } from './token.js'

/** The rules that need each other: expressions hold blocks, and blocks hold expressions. */
export interface Grammar {
  readonly expression: (cursor: Cursor) => Expression
  /** An operand of a `switch` arm: an expression without `|`, which separates them. */
  readonly caseOperand: (cursor: Cursor) => Expression
  readonly statement: (cursor: Cursor) => Node
  /** Statements up to the end of what encloses them. */
  readonly statements: (cursor: Cursor) => Node[]
  readonly block: (cursor: Cursor) => Block
}

/** The parser's place among the tokens, with the token that comes next, and how deep it is in the text. */
export class Cursor {
  current: Token
  /** Whether `break` and `continue` have a loop to act on. */
  isInLoop = false
  private depth = 0
  private maxDepth: number

  constructor(
    private readonly lexer: Lexer,
    private readonly depths: Depths,
    readonly grammar: Grammar,
  ) {
    this.maxDepth = depths.script
    this.current = lexer.next()
  }

  /** Passes the current token and gives it. */
  advance(): Token {
    const passed = this.current
    this.current = this.lexer.next()
    return passed
  }

  isSymbol(text: string): boolean {
    return this.current.kind === 'symbol' && this.current.text === text
  }

  isKeyword(text: string): boolean {
    return this.current.kind === 'keyword' && this.current.text === text
  }

  takeSymbol(text: string): boolean {
    return this.isSymbol(text) && this.advance() !== undefined
  }

  takeKeyword(text: string): boolean {
    return this.isKeyword(text) && this.advance() !== undefined
  }

  expectSymbol(text: string): void {
    if (!this.takeSymbol(text)) throw this.unexpected(`\`${text}\``)
  }

  expectKeyword(text: string): void {
    if (!this.takeKeyword(text)) throw this.unexpected(`\`${text}\``)
  }

  /** The name of a variable, parameter or function. */
  expectName(what: string): string {
    if (this.current.kind !== 'word' || this.current.text === '_') throw this.unexpected(what)
    return this.advance().text
  }

  /** Items up to the closing symbol, which is passed. A comma may follow the last one. */
  list<Item>(closing: string, item: () => Item): Item[] {
    const items: Item[] = []
    while (!this.takeSymbol(closing)) {
      items.push(item())
      if (!this.isSymbol(closing)) this.expectSymbol(',')
    }
    return items
  }

  /** Counts one level of nesting until `leave`. */
  enter(): void {
    this.depth++
    if (this.depth > this.maxDepth) {
      throw new SyntaxProblem(`expressions are nested deeper than ${this.maxDepth} levels`, this.current.at)
    }
  }

  leave(): void {
    this.depth--
  }

  /** Parses the body of a `fn`, which has a depth limit of its own. */
  inFunction<Result>(parse: () => Result): Result {
    this.maxDepth = this.depths.function
    const result = this.inBody(false, parse)
    this.maxDepth = this.depths.script
    return result
  }

  /** Parses a body in which `break` has, or has not, a loop to act on. */
  inBody<Result>(isLoop: boolean, parse: () => Result): Result {
    const outer = this.isInLoop
    this.isInLoop = isLoop
    const result = parse()
    this.isInLoop = outer
    return result
  }

  unexpected(expected: string): SyntaxProblem {
    return new SyntaxProblem(`${expected} was expected, not ${describe(this.current)}`, this.current.at)
  }
}

export function problemAt(at: At, message: string): SyntaxProblem {
  return new SyntaxProblem(message, at)
}

function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the script'
  if (token.kind === 'template' || token.kind === 'continuation') return 'a back-tick string'
  return token.kind === 'literal' && token.text === '' ? 'a literal' : `\`${token.text}\``
}
