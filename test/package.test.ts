/** The package as `npm install` brings it, in an empty project. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'findling-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const INSTALL_LIMIT_MS = 300_000

function npm(...command: string[]): string {
  return execFileSync('npm', [...command, '--loglevel=error'], { cwd: folder, encoding: 'utf8' })
}

beforeAll(() => {
  const [packed] = JSON.parse(npm('pack', project, '--json', '--ignore-scripts')) as [{ filename: string }]
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  npm('install', packed.filename, '--no-audit', '--no-fund', '--prefer-offline')
}, INSTALL_LIMIT_MS)

const PROGRAM = `
import { EngineError, type Hit, type Index, openIndex } from 'findling/engine'

interface Movie {
  id: number
  title: string
  year?: number
}

const index: Index<Movie> = await openIndex<Movie>('./movies', { primaryKey: 'id' })
await index.updateSettings({ filterableAttributes: ['year'] })
await index.addDocuments([{ id: 1, title: 'Red Fox', year: 1991 }])
const { hits } = await index.search({ q: 'red foks', filter: 'year > 1990' })
const [hit]: Hit<Movie>[] = hits
console.log(hit?.title, hit?._rankingScore ?? 'unscored')
const failed: unknown = await index.search({ limit: -1 }).catch((error: unknown) => error)
console.log(failed instanceof EngineError && failed.code)
await index.close()
`

const WRONG = `
import { openIndex } from 'findling/engine'
const index = await openIndex<{ id: number; title: string }>('./movies')
const { hits } = await index.search({ q: 1 })
hits[0]?.nothing
`

function compile(file: string, code: string): { status: number; printed: string } {
  writeFileSync(join(folder, file), code)
  const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
  const nodeTypes = ['--typeRoots', join(project, 'node_modules', '@types'), '--types', 'node']
  const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', ...nodeTypes, file]
  try {
    return {
      status: 0,
      printed: execFileSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: 'utf8' }),
    }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, printed: stdout }
  }
}

test('a typed program compiles against its types and runs', () => {
  expect(compile('program.ts', PROGRAM)).toEqual({ status: 0, printed: '' })
  const printed = execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' })
  expect(printed).toBe('Red Fox unscored\ninvalid_search_limit\n')
})

test('mistakes are seen by the compiler', () => {
  const { status, printed } = compile('wrong.ts', WRONG)
  expect(status).not.toBe(0)
  expect(printed).toMatch(/wrong\.ts\(4,\d+\).*number.*string/)
  expect(printed).toMatch(/wrong\.ts\(5,\d+\).*nothing/)
})

test('the command is there', () => {
  expect(npm('exec', 'findling', '--', '--version')).toMatch(/\d+\.\d+\.\d+/)
})
