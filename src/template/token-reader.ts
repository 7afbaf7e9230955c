import { numberFromLiteral } from '../json/index.js'
import { findFilter } from './filters/table.js'
import {
  type Chain,
  type Comparison,
  type Condition,
  comparisons,
  type Expression,
  type FilterCall,
  type Test,
} from './node.js'
import { TemplateProblem } from './problem.js'
import { placeIn, type SymbolText, type Token } from './source.js'

/** Brackets inside brackets beyond this are refused, so that no template can exhaust the stack. */
const MAX_NESTING = 64

/** Reads the inside of one output or tag. */
export class TokenReader {
  private next = 0
  private depth = 0

  constructor(
    private readonly source: string,
    private readonly tokens: readonly Token[],
    /** Where the output or tag starts. */
    private readonly start: number,
  ) {}

  isAtEnd(): boolean {
    return this.next >= this.tokens.length
  }

  expectEnd(): void {
    if (!this.isAtEnd()) throw this.problem('nothing more was expected here')
  }

  problem(reason: string): TemplateProblem {
    const token = this.tokens[this.next]
    const found = token ? `, ${JSON.stringify(token.text.slice(0, 40))} was found` : ''
    return new TemplateProblem(`${reason}${found} (${placeIn(this.source, token?.at ?? this.start)})`)
  }

  takeSymbol(text: SymbolText): boolean {
    return this.take('symbol', text)
  }

  takeWord(text: string): boolean {
    return this.take('name', text)
  }

  private take(kind: Token['kind'], text: string): boolean {
    const token = this.tokens[this.next]
    const isTaken = token?.kind === kind && token.text === text
    if (isTaken) this.next++
    return isTaken
  }

  expectSymbol(text: SymbolText): void {
    if (!this.takeSymbol(text)) throw this.problem(`\`${text}\` was expected`)
  }

  expectWord(text: string): void {
    if (!this.takeWord(text)) throw this.problem(`\`${text}\` was expected`)
  }

  name(): string {
    const token = this.tokens[this.next]
    if (token?.kind !== 'name') throw this.problem('a name was expected')
    this.next++
    return token.text
  }

  /** The text of a name or string that a colon follows, and the colon: `"group":` of a cycle. */
  takeLabel(): string | undefined {
    const [label, colon] = this.tokens.slice(this.next, this.next + 2)
    const isLabel =
      (label?.kind === 'string' || label?.kind === 'name') && colon?.text === ':' && colon.kind === 'symbol'
    if (!isLabel) return undefined
    this.next += 2
    return label.text
  }

  value(): Expression {
    if (++this.depth > MAX_NESTING) throw this.problem('brackets are nested too deeply')
    const token = this.tokens[this.next]
    if (token === undefined) throw this.problem('a value was expected')
    this.next++
    const value = this.valueFrom(token)
    this.depth--
    return value
  }

  private valueFrom(token: Token): Expression {
    if (token.kind === 'string') return { kind: 'literal', value: token.text }
    if (token.kind === 'number') return this.number(token)
    if (token.kind === 'name') return literals.get(token.text) ?? this.path(token)
    if (token.text === '(') return this.range()
    this.next--
    throw this.problem('a value was expected')
  }

  private number(token: Token): Expression {
    const value = numberFromLiteral(token.text)
    if (value === undefined) throw this.problem(`the number ${token.text.slice(0, 40)} is too large`)
    return { kind: 'literal', value }
  }

  private range(): Expression {
    const from = this.value()
    this.expectSymbol('..')
    const to = this.value()
    this.expectSymbol(')')
    return { kind: 'range', from, to }
  }

  private path(root: Token): Expression {
    const steps: Expression[] = [{ kind: 'literal', value: root.text }]
    while (true) {
      if (this.takeSymbol('.')) steps.push({ kind: 'literal', value: this.name() })
      else if (this.takeSymbol('[')) {
        steps.push(this.value())
        this.expectSymbol(']')
      } else break
    }
    const last = this.tokens[this.next - 1]!
    return { kind: 'path', steps, text: this.source.slice(root.at, last.at + last.text.length) }
  }

  chain(): Chain {
    const start = this.value()
    const filters: FilterCall[] = []
    while (this.takeSymbol('|')) filters.push(this.filterCall())
    return { start, filters }
  }

  private filterCall(): FilterCall {
    const name = this.name()
    const filter = findFilter(name)
    if (!filter) throw this.problem(`there is no filter \`${name}\``)
    const values = this.takeSymbol(':') ? this.values() : []
    if (values.length < filter.least || values.length > filter.most) {
      const wanted = filter.least === filter.most ? filter.least : `${filter.least} to ${filter.most}`
      throw this.problem(`the filter \`${name}\` takes ${wanted} parameters, not ${values.length}`)
    }
    return { name, filter, values }
  }

  /** One or more values between commas. */
  values(): Expression[] {
    const values = [this.value()]
    while (this.takeSymbol(',')) values.push(this.value())
    return values
  }

  condition(): Condition {
    const groups: Test[][] = [[this.test()]]
    while (!this.isAtEnd()) {
      if (this.takeWord('and')) groups.at(-1)!.push(this.test())
      else if (this.takeWord('or')) groups.push([this.test()])
      else throw this.problem('`and`, `or` or the end of the condition was expected')
    }
    return groups
  }

  private test(): Test {
    const left = this.value()
    const token = this.tokens[this.next]
    if (token?.kind === 'string' || !isComparison(token?.text)) return { kind: 'bare', value: left }
    this.next++
    return { kind: 'compare', left, comparison: token!.text as Comparison, right: this.value() }
  }
}

function isComparison(text: string | undefined): boolean {
  return (comparisons as readonly (string | undefined)[]).includes(text)
}

const literals = new Map<string, Expression>([
  ['true', { kind: 'literal', value: true }],
  ['false', { kind: 'literal', value: false }],
  ['nil', { kind: 'literal', value: null }],
  ['null', { kind: 'literal', value: null }],
  ['empty', { kind: 'empty' }],
  ['blank', { kind: 'blank' }],
])
