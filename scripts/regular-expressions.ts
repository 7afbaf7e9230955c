import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import type { SourceFile } from './arrow.js'

/**
 * Expressions that look worse than they are, with the reason. The key is the file and the expression, so that a change
 * of either asks for a new look.
 */
const HARMLESS: readonly { readonly path: string; readonly begins: string; readonly reason: string }[] = [
  {
    path: 'embed/byte-pairs.ts',
    begins: "/'(?:[sStTmMdD]",
    reason: 'one of its alternatives takes every run of blanks whole, so none is begun again at each of its characters',
  },
]

/**
 * Every regular expression whose time could grow faster than the text it looks at, as sentences that name the file and
 * a character to repeat. An expression that is put together at run time cannot be looked at, so it is a problem too.
 */
export function findSlowExpressions(files: readonly SourceFile[]): string[] {
  return files.flatMap(problemsOf)
}

function problemsOf({ path, text }: SourceFile): string[] {
  const problems: string[] = []
  const report = (problem: string) => void problems.push(`src/${path}: ${problem}`)
  const lookAtCall = (node: { callee: object }) => {
    if ('name' in node.callee && node.callee.name === 'RegExp') report('write the regular expression as a literal')
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      const literal = `/${pattern}/${flags}`
      if (!isHarmless(path, literal))
        for (const slowness of slownessOf(pattern, flags)) report(`${literal} ${slowness}`)
    },
    NewExpression: lookAtCall,
    CallExpression: lookAtCall,
  }).visit(parseSync(path, text).program)
  return problems
}

const isHarmless = (path: string, literal: string): boolean =>
  HARMLESS.some((known) => known.path === path && literal.startsWith(known.begins))

function slownessOf(source: string, flags: string): string[] {
  return analyse({ source, flags }).reports.map(({ exponential, character }) => {
    const growth = exponential ? 'exponential' : 'quadratic or worse'
    return `takes ${growth} time when ${JSON.stringify(character.pick)} is repeated`
  })
}
