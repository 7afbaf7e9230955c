import { TemplateProblem } from './problem.js'

export type SymbolText =
  | '|'
  | ':'
  | ','
  | '.'
  | '..'
  | '['
  | ']'
  | '('
  | ')'
  | '='
  | '=='
  | '!='
  | '<>'
  | '<'
  | '>'
  | '<='
  | '>='

/** A piece of what stands between `{{` and `}}`, or between `{%` and `%}`. */
export type Token = (
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'symbol'; readonly text: SymbolText }
) & { readonly at: number }

/** A template cut into text, outputs and tags. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly tokens: readonly Token[]; readonly at: number }
  | { readonly kind: 'tag'; readonly name: string; readonly tokens: readonly Token[]; readonly at: number }

const BLANKS = /[ \t\r\n]*/y
const NAME = /[A-Za-z_](?:[A-Za-z0-9_]|-(?!}}|%}))*/y
const NUMBER = /[+-]?\d+(?:\.\d+)?/y
const SYMBOL = /\.\.|==|!=|<>|<=|>=|[|:,.[\]()=<>]/y
const OPENING = /{[{%]/g

/** Says where in a template something is: line and column, both from 1. */
export function placeIn(source: string, at: number): string {
  const before = source.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return `line ${before.split('\n').length}, column ${at - lineStart + 1}`
}

/** Cuts a template into pieces, in one pass. */
export function cutTemplate(source: string): Piece[] {
  return new Cutter(source).pieces()
}

class Cutter {
  private at = 0
  /** Set after a closing mark with a hyphen: blanks that follow are not part of the text. */
  private isTrimming = false
  private readonly found: Piece[] = []

  constructor(private readonly source: string) {}

  pieces(): Piece[] {
    while (this.at < this.source.length) {
      OPENING.lastIndex = this.at
      const opening = OPENING.exec(this.source)
      this.text(opening?.index ?? this.source.length)
      if (opening) this.delimited(opening[0] === '{{' ? '}}' : '%}')
    }
    return this.found
  }

  /** Text up to the next opening mark, which may ask for the blanks before it to go. */
  private text(end: number): void {
    let text = this.source.slice(this.at, end)
    if (this.isTrimming) text = text.replace(/^[ \t\r\n]+/, '')
    if (this.source[end + 2] === '-' && end < this.source.length) text = trimEnd(text)
    if (text !== '') this.found.push({ kind: 'text', text })
    this.at = end
    this.isTrimming = false
  }

  private delimited(closing: '}}' | '%}'): void {
    const start = this.at
    this.at += this.source[start + 2] === '-' ? 3 : 2
    const tokens = this.tokens(closing, start)
    if (closing === '}}') {
      this.found.push({ kind: 'output', tokens, at: start })
      return
    }
    const [name, ...rest] = tokens
    if (name?.kind !== 'name') throw this.problem('a tag starts with its name', start)
    if (name.text === 'raw') this.raw(start)
    else if (name.text === 'comment') this.comment(start)
    else this.found.push({ kind: 'tag', name: name.text, tokens: rest, at: start })
  }

  private tokens(closing: '}}' | '%}', start: number): Token[] {
    const tokens: Token[] = []
    while (true) {
      this.match(BLANKS)
      const end = this.closingAt(closing)
      if (end !== undefined) {
        this.isTrimming = this.source[this.at] === '-'
        this.at = end
        return tokens
      }
      if (this.at >= this.source.length) throw this.problem(`\`${closing}\` is missing`, start)
      tokens.push(this.token())
    }
  }

  private closingAt(closing: string): number | undefined {
    if (this.source.startsWith(closing, this.at)) return this.at + 2
    return this.source.startsWith(`-${closing}`, this.at) ? this.at + 3 : undefined
  }

  private token(): Token {
    const at = this.at
    const name = this.match(NAME)
    if (name !== undefined) return { kind: 'name', text: name, at }
    const number = this.match(NUMBER)
    if (number !== undefined) return { kind: 'number', text: number, at }
    const symbol = this.match(SYMBOL)
    if (symbol !== undefined) return { kind: 'symbol', text: symbol as SymbolText, at }
    return this.string(at)
  }

  /** Between two equal quotes; there are no escapes. */
  private string(at: number): Token {
    const quote = this.source[at]!
    if (quote !== '"' && quote !== "'") throw this.problem(`${JSON.stringify(quote)} was not expected`, at)
    const end = this.source.indexOf(quote, at + 1)
    if (end === -1) throw this.problem('the string does not end', at)
    this.at = end + 1
    return { kind: 'string', text: this.source.slice(at + 1, end), at }
  }

  /** Everything up to `{% endraw %}` is text. */
  private raw(start: number): void {
    const end = this.findTag(/{%-?[ \t\r\n]*endraw[ \t\r\n]*-?%}/g, start, 'endraw')
    this.text(end.index)
    this.leave(end[0], end.index)
  }

  /** Everything up to the matching `{% endcomment %}` is dropped. */
  private comment(start: number): void {
    const tag = /{%-?[ \t\r\n]*(comment|endcomment)[ \t\r\n]*-?%}/g
    for (let depth = 1; depth > 0; ) {
      const found = this.findTag(tag, start, 'endcomment')
      depth += found[1] === 'comment' ? 1 : -1
      this.leave(found[0], found.index)
    }
  }

  private findTag(tag: RegExp, start: number, name: string): RegExpExecArray {
    tag.lastIndex = this.at
    const found = tag.exec(this.source)
    if (!found) throw this.problem(`\`{% ${name} %}\` is missing`, start)
    return found
  }

  private leave(tag: string, index: number): void {
    this.at = index + tag.length
    this.isTrimming = tag.endsWith('-%}')
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (!found) return undefined
    this.at += found[0].length
    return found[0]
  }

  private problem(reason: string, at: number): TemplateProblem {
    return new TemplateProblem(`${reason} (${placeIn(this.source, at)})`)
  }
}

/** As `replace(/[ \t\r\n]+$/, '')`, which is quadratic in runs of blanks. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
