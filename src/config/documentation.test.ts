import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentOnly, IGNORED_VARIABLES } from './environment-only.js'
import { defaultTextOf, environmentNameOf, fileKeyOf, GROUPS, type OptionFacts } from './option.js'
import { options } from './options.js'

// docs/configuration.md lists exactly what the tables of this room hold: when one of these tests fails, the page gets
// the lines that it prints.
const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')

function section(heading: string): string {
  const [, after = ''] = page.split(`\n## ${heading}\n`)
  return after.split('\n## ', 1)[0] ?? ''
}

/** The rows of the table in a section, without its head. */
function rowsOf(heading: string): string[] {
  const lines = section(heading).split('\n')
  return lines.filter((line) => line.startsWith('| `'))
}

function cells(...texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
}

function optionRow(name: string, row: OptionFacts<unknown>): string {
  const key = row.inFile === 'refused' ? 'not there' : `\`${fileKeyOf(name)}\``
  const effect = row.inFile === 'ignored' ? `${key} (no effect)` : key
  return cells(`\`--${name}\``, `\`${environmentNameOf(name, row)}\``, effect, defaultTextOf(row), row.help)
}

test.each(GROUPS)('the page lists the options of the group "%s"', (group) => {
  const expected = Object.entries(options).filter(([, row]) => row.group === group)
  expect(rowsOf(group)).toEqual(expected.map(([name, row]) => optionRow(name, row)))
})

test('the page has no option that is not in the table', () => {
  const named = [...page.matchAll(/^\| `--([a-z0-9-]+)/gm)].map((match) => match[1])
  expect(named.sort()).toEqual(Object.keys(options).sort())
})

test('the page lists what can be set by environment alone', () => {
  const expected = Object.entries(environmentOnly).map(([name, row]) => {
    const isList = Array.isArray(row.default)
    return cells(`\`${name}\``, isList ? 'none' : String(row.default ?? 'none'), row.help)
  })
  expect(rowsOf('Environment only')).toEqual(expected)
})

test('the page names the variables that are accepted and ignored', () => {
  const last = section('Environment only').split('ignored:')[1] ?? ''
  expect([...last.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1])).toEqual([...IGNORED_VARIABLES])
})
