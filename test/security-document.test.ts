import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')

test('SECURITY.md names tests that exist', () => {
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('SECURITY.md names a test for each promise', () => {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^\|(-|---| promise | what )/.test(line))
  expect(rows.filter((row) => !/`[^`]*(\.test\.ts|npm run [^`]*)`[^|]*\|$/.test(row))).toEqual([])
})

test('SECURITY.md names commands that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = [...text.matchAll(/npm run (\w+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
