import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'findling-examples-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(join(project, 'examples', 'static-site', '.search'), { recursive: true, force: true })
})

function run(...command: string[]): string {
  return execFileSync(process.execPath, ['--import', 'tsx', ...command], { cwd: project, encoding: 'utf8' })
}

test('static-site: sections of pages are found, with typos', () => {
  const lines = run('examples/static-site/search.ts', 'open fodler').trim().split('\n')
  expect(lines[0]).toMatch(/^configure\.html#open-a-folder-at-the-start {2}\*Open\* a \*folder\* at the start/)
})

test('notes-search: the index follows the files', () => {
  const notes = join(folder, 'notes')
  cpSync(join(project, 'examples', 'notes-search', 'notes'), notes, { recursive: true })
  expect(run('examples/notes-search/notes.ts', notes, 'coffee')).toMatch(/^coffee\.txt .*garden\.txt .*2 notes in/s)
  writeFileSync(join(notes, 'garden.txt'), 'Garden\nTomatoes alone.\n')
  rmSync(join(notes, 'travel.txt'))
  expect(run('examples/notes-search/notes.ts', notes, 'coffee')).toMatch(/^coffee\.txt .*1 notes in/s)
  expect(run('examples/notes-search/notes.ts', notes, 'lisbon')).toMatch(/^0 notes in/)
})

test('application-tests: they pass', () => {
  expect(run('--test', 'examples/application-tests/shop.test.ts')).toMatch(/pass 3\n/)
})
