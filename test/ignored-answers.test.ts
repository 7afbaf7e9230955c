import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** Global functions that are called for what they do. */
const DOING = /^(?:process|console|queueMicrotask|Atomics|(?:set|clear)(?:Timeout|Interval|Immediate))$/

/**
 * The bundler takes many global functions for pure, and leaves out calls whose answer is not used, also those that are
 * made to see whether they throw (`try { decodeURIComponent(text) } catch`).
 */
test('nobody calls a global function and ignores its answer', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const sources = files.filter(
    (path) => path.endsWith('.ts') && !/\.(?:test|fixture|fake|arbitrary|twin)\.ts$/.test(path),
  )
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap((path) => ignoredAnswers(path, readFileSync(join(SOURCE, path), 'utf8')))).toEqual([])
})

test('such a call is found', () => {
  expect(
    ignoredAnswers('a.ts', 'try { decodeURIComponent(text); JSON.parse(text); process.exit(); own() } catch {}'),
  ).toEqual(['a.ts: decodeURIComponent(text);', 'a.ts: JSON.parse(text);'])
})

function ignoredAnswers(path: string, text: string): string[] {
  const found: string[] = []
  new Visitor({
    ExpressionStatement({ expression, start, end }) {
      if (expression.type !== 'CallExpression' && expression.type !== 'NewExpression') return
      const name = firstName(expression.callee)
      if (name in globalThis && !DOING.test(name)) found.push(`${path}: ${text.slice(start, end)}`)
    },
  }).visit(parseSync(path, text).program)
  return found
}

/** The `a` of `a.b.c`. */
function firstName(callee: { type: string; name?: unknown; object?: unknown }): string {
  if (callee.type === 'MemberExpression') return firstName(callee.object as typeof callee)
  return callee.type === 'Identifier' ? String(callee.name) : ''
}
