import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(project, name), 'utf8')

test('ARCHITECTURE.md has a section for every room, titled with its question', () => {
  const sections = [...read('ARCHITECTURE.md').matchAll(/^### ([a-z-]+): .+\?$/gm)].map(([, room]) => room)
  const folders = readdirSync(join(project, 'src'), { withFileTypes: true })
  const rooms = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(sections).toEqual(expect.arrayContaining(rooms))
})

test('ARCHITECTURE.md and the check agree about the arrow', () => {
  const documented = [...read('ARCHITECTURE.md').matchAll(/^\| +\d+ \| ([a-z, -]+?) +\|$/gm)].map(([, rooms]) => rooms)
  const layers = /LAYERS[^=]*= \[\n([\s\S]*?)\n\]/.exec(read('scripts/arrow.ts'))?.[1] ?? ''
  const checked = layers
    .split('\n')
    .map((line) => [...line.matchAll(/'([a-z-]+)'/g)].map(([, room]) => room).join(', '))
  expect(documented).toEqual(checked)
})

test.each(['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'])('%s names commands and files that exist', (name) => {
  const text = read(name)
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const named = [...text.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z-]+)\b/g)].map(([, script]) => script)
  expect(scripts).toEqual(expect.arrayContaining(named))
  const paths = [
    ...text.matchAll(/`((?:src|test|scripts|conformance|bench|docs\/decisions|examples)\/[\w./-]+)`/g),
  ].map(([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
})
