/**
 * Holds the tests of this folder against the interface document: each line that states something has a test whose name
 * has its number. Needs the document beside the project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DOCUMENT = join(import.meta.dirname, '..', '..', '..', 'shared', 'seed', 'search-service-interface.md')

/** Lines without a statement about this server that could be tested, and why. */
const NOTHING_TO_TEST: Readonly<Record<number, string>> = {
  3: 'says what the document covers',
  5: 'says how addresses are written',
  13: 'says what the document covers',
  35: 'a heading',
  123: 'a heading',
  206: 'says what is not shown',
  212: 'a heading',
  220: 'says what is not shown',
  226: 'says what is not stated',
  238: 'advice',
  245: 'advice',
  246: 'says what is not shown',
  260: 'about versions up to 1.14',
}

test.skipIf(!existsSync(DOCUMENT))('every line that states something has a test', () => {
  const covered = coveredLines()
  const open = statements().filter((line) => !covered.has(line) && !(line in NOTHING_TO_TEST))
  expect(open).toEqual([])
})

test.skipIf(!existsSync(DOCUMENT))('tests name lines that state something', () => {
  const stated = new Set(statements())
  expect([...coveredLines()].filter((line) => !stated.has(line))).toEqual([])
})

/** Numbers of the lines that are neither blank, nor headings, nor the heads of tables. */
function statements(): number[] {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
  const isHead = (i: number) => /^\|-/.test(lines[i] ?? '') || /^\|-/.test(lines[i + 1] ?? '')
  return lines.flatMap((text, i) => (text === '' || /^### (?!4\.8)|^##? /.test(text) || isHead(i) ? [] : [i + 1]))
}

/** Numbers in the names of tests: `L9`, `L9, L10` or `L9 to L12`. */
function coveredLines(): Set<number> {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.test.ts') && !name.startsWith('every'),
  )
  const text = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')
  const covered = new Set<number>()
  for (const [, from, to] of text.matchAll(/\bL(\d+)(?: to L(\d+))?/g))
    for (let line = Number(from); line <= Number(to ?? from); line++) covered.add(line)
  return covered
}
