/** The documentation is true: its commands are run as they stand, and its links lead somewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { comparable, isError } from './pages/compare.js'
import { followPage } from './pages/follow.js'
import { readPage } from './pages/page.js'

const project = join(import.meta.dirname, '..')
const pages = ['README.md', ...readdirSync(join(project, 'docs')).map((name) => join('docs', name))].filter((name) =>
  name.endsWith('.md'),
)
const followed = pages.filter((name) => readPage(join(project, name)).steps.length > 0)
const LIMIT_MS = 180_000

test.skipIf(!hasCurl()).each(followed)('%s can be followed step by step', { timeout: LIMIT_MS }, async (name) => {
  const page = readPage(join(project, name))
  const { printed, failedTasks } = await followPage(page)
  for (const [i, { line, command, shown }] of page.steps.entries()) {
    const output = printed[i] ?? ''
    const place = `${name}:${line} ${command}`
    if (shown !== undefined) expect(comparable(output), place).toEqual(comparable(shown.text))
    else expect(isError(output), `${place}\n${output}`).toBe(false)
  }
  expect(failedTasks).toMatch(/^$|"total":0/)
})

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const linked = [
  ...pages,
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'examples/README.md',
  'examples/films.md',
]

test.each(linked)('the links of %s lead to files and headings that exist', (name) => {
  const path = join(project, name)
  const targets = [...withoutCode(readFileSync(path, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  const broken = targets.filter((to) => !/^[a-z]+:/.test(to)).filter((to) => !leadsSomewhere(path, to))
  expect(broken).toEqual([])
})

function leadsSomewhere(from: string, to: string): boolean {
  const [file = '', heading] = to.split('#')
  const path = file === '' ? from : resolve(dirname(from), file)
  if (!existsSync(path)) return false
  return heading === undefined || headingsOf(readFileSync(path, 'utf8')).includes(heading)
}

/** As they are named in links: lower case, hyphens for spaces, no punctuation. */
function headingsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
