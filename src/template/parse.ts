import type { Branch, Expression, Loop, Node } from './node.js'
import { TemplateProblem } from './problem.js'
import { cutTemplate, type Piece, placeIn } from './source.js'
import { TokenReader } from './token-reader.js'

/** Tags inside tags beyond this are refused, so that no template can exhaust the stack. */
const MAX_NESTING = 100

/** Parses a template. Throws a `TemplateProblem` that says what is wrong, and where. */
export function parseNodes(source: string): readonly Node[] {
  const parser = new Parser(source, cutTemplate(source))
  const { body, end } = parser.body([])
  if (end) throw new TemplateProblem(`the tag \`${end.name}\` was not expected here (${placeIn(source, end.at)})`)
  return body
}

type Tag = Extract<Piece, { kind: 'tag' }>

interface Body {
  readonly body: readonly Node[]
  /** The tag that ended the body; undefined at the end of the template. */
  readonly end: Tag | undefined
}

class Parser {
  private next = 0
  private depth = 0

  constructor(
    private readonly source: string,
    private readonly pieces: readonly Piece[],
  ) {}

  /** Nodes up to one of the given tags, or to a tag that ends or divides something else. */
  body(ends: readonly string[]): Body {
    if (++this.depth > MAX_NESTING) throw new TemplateProblem('tags are nested too deeply')
    const body: Node[] = []
    while (this.next < this.pieces.length) {
      const piece = this.pieces[this.next++]!
      if (piece.kind === 'tag' && (ends.includes(piece.name) || DIVIDERS.has(piece.name))) {
        this.depth--
        return { body, end: piece }
      }
      body.push(this.node(piece))
    }
    this.depth--
    return { body, end: undefined }
  }

  private node(piece: Piece): Node {
    if (piece.kind === 'text') return piece
    const reader = new TokenReader(this.source, piece.tokens, piece.at)
    if (piece.kind === 'output') {
      const chain = reader.chain()
      reader.expectEnd()
      return { kind: 'output', chain }
    }
    const parse = tags.get(piece.name)
    if (!parse) throw this.problem(`there is no tag \`${piece.name}\``, piece.at)
    return parse(this, reader, piece)
  }

  reader(tag: Tag): TokenReader {
    return new TokenReader(this.source, tag.tokens, tag.at)
  }

  /** The body of a block that has no divisions. */
  block(tag: Tag): readonly Node[] {
    const { body, end } = this.body([`end${tag.name}`])
    this.expectEnd(tag, end)
    return body
  }

  /** Refuses anything but the end of the block that `tag` opened. */
  expectEnd(tag: Tag, end: Tag | undefined): void {
    if (end?.name !== `end${tag.name}`) {
      const found = end ? `, \`${end.name}\` was found` : ''
      throw this.problem(`\`{% end${tag.name} %}\` was expected${found}`, (end ?? tag).at)
    }
    this.reader(end).expectEnd()
  }

  problem(reason: string, at: number): TemplateProblem {
    return new TemplateProblem(`${reason} (${placeIn(this.source, at)})`)
  }
}

type TagParser = (parser: Parser, reader: TokenReader, tag: Tag) => Node

const tags = new Map<string, TagParser>([
  ['if', (parser, reader, tag) => parseIf(parser, reader, tag, true)],
  ['unless', (parser, reader, tag) => parseIf(parser, reader, tag, false)],
  ['case', parseCase],
  ['for', parseFor],
  ['tablerow', parseTablerow],
  ['break', (_parser, reader) => ended(reader, { kind: 'break' })],
  ['continue', (_parser, reader) => ended(reader, { kind: 'continue' })],
  ['cycle', parseCycle],
  ['assign', parseAssign],
  ['capture', parseCapture],
  ['increment', (_parser, reader) => ended(reader, { kind: 'increment', variable: reader.name() })],
  ['decrement', (_parser, reader) => ended(reader, { kind: 'decrement', variable: reader.name() })],
  ['ifchanged', (parser, reader, tag) => ({ ...ended(reader, { kind: 'ifchanged' }), body: parser.block(tag) })],
  ['include', (_parser, _reader, tag) => ({ kind: 'partial', tag: tag.name })],
  ['render', (_parser, _reader, tag) => ({ kind: 'partial', tag: tag.name })],
])

/** Tags that never start anything: they end or divide the block they stand in. */
const DIVIDERS = new Set([
  'elsif',
  'else',
  'when',
  ...['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'ifchanged', 'comment', 'raw'].map((name) => `end${name}`),
])

function ended<T>(reader: TokenReader, node: T): T {
  reader.expectEnd()
  return node
}

function parseIf(parser: Parser, reader: TokenReader, tag: Tag, wanted: boolean): Node {
  const branches: Branch[] = []
  let condition = reader.condition()
  while (true) {
    const { body, end } = parser.body([])
    branches.push({ condition, wanted, body })
    if (end?.name === 'elsif' && wanted) {
      const next = parser.reader(end)
      condition = next.condition()
      continue
    }
    return { kind: 'if', branches, otherwise: parseElse(parser, tag, end) }
  }
}

/** What stands between `else`, if there is one, and the end of the block. */
function parseElse(parser: Parser, tag: Tag, end: Tag | undefined): readonly Node[] {
  if (end?.name === 'else') {
    parser.reader(end).expectEnd()
    return parser.block(tag)
  }
  parser.expectEnd(tag, end)
  return []
}

function parseCase(parser: Parser, reader: TokenReader, tag: Tag): Node {
  const subject = reader.value()
  reader.expectEnd()
  const whens: { values: readonly Expression[]; body: readonly Node[] }[] = []
  // What stands before the first `when` is never rendered.
  let end = parser.body([]).end
  while (end?.name === 'when') {
    const values = parseWhen(parser.reader(end))
    const next = parser.body([])
    whens.push({ values, body: next.body })
    end = next.end
  }
  return { kind: 'case', subject, whens, otherwise: parseElse(parser, tag, end) }
}

function parseWhen(reader: TokenReader): readonly Expression[] {
  const values = [reader.value()]
  while (reader.takeWord('or') || reader.takeSymbol(',')) values.push(reader.value())
  return ended(reader, values)
}

function parseFor(parser: Parser, reader: TokenReader, tag: Tag): Node {
  const { header, isReversed } = parseLoopHeader(reader, ['limit', 'offset'], 'reversed')
  const { body, end } = parser.body([])
  return { kind: 'for', ...header, isReversed, body, otherwise: parseElse(parser, tag, end) }
}

function parseTablerow(parser: Parser, reader: TokenReader, tag: Tag): Node {
  const { header, options } = parseLoopHeader(reader, ['cols', 'limit', 'offset'])
  const columns = options.get('cols')
  return { kind: 'tablerow', ...header, ...(columns && { columns }), body: parser.block(tag) }
}

interface LoopHeader {
  readonly header: Omit<Loop, 'body'>
  readonly options: ReadonlyMap<string, Expression>
  readonly isReversed: boolean
}

/** `variable in list`, then options in any order, with or without commas between them. */
function parseLoopHeader(reader: TokenReader, names: readonly string[], flag?: string): LoopHeader {
  const variable = reader.name()
  reader.expectWord('in')
  const list = reader.value()
  const options = new Map<string, Expression>()
  let isReversed = false
  while (!reader.isAtEnd()) {
    if (reader.takeSymbol(',')) continue
    const name = names.find((known) => reader.takeWord(known))
    if (name !== undefined) {
      reader.expectSymbol(':')
      options.set(name, reader.value())
    } else if (flag !== undefined && reader.takeWord(flag)) isReversed = true
    else throw reader.problem(`${[...names, ...(flag ? [flag] : [])].join(', ')} or the end of the tag was expected`)
  }
  const limit = options.get('limit')
  const offset = options.get('offset')
  return { header: { variable, list, ...(limit && { limit }), ...(offset && { offset }) }, options, isReversed }
}

function parseCycle(_parser: Parser, reader: TokenReader, tag: Tag): Node {
  const label = reader.takeLabel()
  const values = reader.values()
  const group = label === undefined ? `values ${JSON.stringify(tag.tokens.map(({ text }) => text))}` : `name ${label}`
  return ended(reader, { kind: 'cycle', group, values })
}

function parseAssign(_parser: Parser, reader: TokenReader): Node {
  const variable = reader.name()
  reader.expectSymbol('=')
  const chain = reader.chain()
  return ended(reader, { kind: 'assign', variable, chain })
}

function parseCapture(parser: Parser, reader: TokenReader, tag: Tag): Node {
  const variable = reader.name()
  reader.expectEnd()
  return { kind: 'capture', variable, body: parser.block(tag) }
}
