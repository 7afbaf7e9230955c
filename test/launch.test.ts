import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLI } from './server.js'

const PACKAGE = join(import.meta.dirname, '..')
let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'findling-launch-'))
  const isProgram = (path: string) => !/\.(map|d\.ts)$/.test(path)
  cpSync(dirname(CLI), join(copy, 'dist'), { recursive: true, filter: isProgram })
  cpSync(join(PACKAGE, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'))
})

afterEach(() => rmSync(copy, { recursive: true, force: true }))

test('a build holds the bytecode of the program', () => {
  expect(readdirSync(compiled())).toEqual(expect.arrayContaining(['program.cjs', 'server.cjs']))
  expect(statSync(join(compiled(), 'server.cjs')).size).toBeGreaterThan(100_000)
})

test.each([
  ['as it was built', () => {}],
  ['without bytecode', () => rmSync(compiled(), { recursive: true })],
  ['with bytecode that was cut short', () => truncateSync(join(compiled(), 'server.cjs'), 1_000)],
  ['with bytecode of some files only', () => rmSync(join(compiled(), 'server.cjs'))],
])('the program runs %s', async (_name, change) => {
  change()
  expect(await firstAnswer()).toBe('{"status":"available"}')
})

test('the program runs with options of V8 that it was not built with', async () => {
  expect(await firstAnswer(['--no-opt'])).toBe('{"status":"available"}')
})

test('the doors of the package have what they declare', () => {
  const code = `for (const door of ['index', 'engine'])
    console.log(Object.keys(await import('./dist/' + door + '.js')).sort().join())`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: copy, encoding: 'utf8' })
  expect(printed.trim().split('\n')).toEqual(['createLog,readConfig,startServer', 'EngineError,openIndex'])
})

/** What the program of the copy answers to GET /health. */
async function firstAnswer(options: readonly string[] = []): Promise<string> {
  const command = [...options, join('dist', 'cli.js'), '--http-addr', '127.0.0.1:0']
  const child = spawn(process.execPath, command, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    let printed = ''
    for await (const chunk of child.stderr) {
      printed += chunk
      const url = /Address: +(\S+)\n/.exec(printed)?.[1]
      if (url !== undefined) return await (await fetch(`${url}/health`)).text()
    }
    throw new Error(`the program ended: ${printed}`)
  } finally {
    child.kill('SIGKILL')
  }
}

function compiled(): string {
  return join(copy, 'dist', 'compiled', String(cachedDataVersionTag()))
}
