import { expect, test } from 'vitest'
import { findSlowExpressions } from '../scripts/regular-expressions.js'

const problemsIn = (text: string) => findSlowExpressions([{ path: 'text/a.ts', text }])

test('22.2.2: an expression whose parts can take the same characters is found', () => {
  const [problem] = problemsIn(String.raw`const isNumber = (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)`)
  expect(problem).toMatch(/^src\/text\/a\.ts: .* takes quadratic or worse time when "\d" is repeated$/)
  expect(problemsIn('const nested = /^(a+)+$/')[0]).toContain('exponential time when "a" is repeated')
  expect(problemsIn('const tail = text.replace(/0+$/, "")')).toHaveLength(1)
})

test('22.2.2: an expression that is put together at run time is found, since it cannot be looked at', () => {
  const problem = ['src/text/a.ts: write the regular expression as a literal']
  expect(problemsIn('const of = (name: string) => new RegExp(name)')).toEqual(problem)
  expect(problemsIn('const of = (name: string) => RegExp(name)')).toEqual(problem)
})

test('22.2.2: expressions that take time in proportion to the text pass', () => {
  expect(problemsIn(String.raw`const a = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/; const b = /[a-z]+/g`)).toEqual([])
})
