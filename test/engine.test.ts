/** `findling/engine` as people get it: the built files. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { EngineError, openIndex } from 'findling/engine'
import { rolldown } from 'rolldown'
import { afterEach, expect, test } from 'vitest'
import { refusedStart, TestServer } from './server.js'

const project = join(import.meta.dirname, '..')
const ENGINE = join(project, 'dist', 'engine.js')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-engine-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a program in a folder, and answers what it printed. */
function run(folder: string, file: string, code: string): string {
  writeFileSync(join(folder, file), code)
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
}

/** The packages that a file loads, with all files that it is made of; those that are loaded only when needed too. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;"']*["']([^"'\n]+)["'];$/gm)]
  return specifiers
    .map(([, specifier = '']) => specifier)
    .flatMap((specifier) =>
      specifier.startsWith('.') ? packagesOf(join(dirname(file), specifier), seen) : [specifier],
    )
}

test('it loads the store and nothing of the server', () => {
  const packages = new Set(packagesOf(ENGINE).filter((name) => !name.startsWith('node:')))
  expect([...packages].sort()).toEqual(['fs-native-extensions', 'lmdb'])
})

test('no thread is started and nothing listens, unless it is asked for', () => {
  const folder = temporaryFolder()
  const code = `
    const { openIndex } = await import(${JSON.stringify(ENGINE)})
    const index = await openIndex('./films')
    await index.addDocuments([{ id: 1, title: 'Red Fox' }])
    await index.search({ q: 'fox' })
    console.log(process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort|TCP|Server/.test(name)).length)
    await index.close()`
  expect(run(folder, 'program.mjs', code)).toBe('0\n')
})

test('CommonJS programs require it', () => {
  const code = `
    const { openIndex } = require(${JSON.stringify(ENGINE)})
    openIndex('./films').then(async (index) => {
      await index.addDocuments([{ id: 1, title: 'Red Fox' }])
      console.log((await index.search({ q: 'red foks' })).hits[0].title)
      await index.close()
    })`
  expect(run(temporaryFolder(), 'program.cjs', code)).toContain('Red Fox')
})

test('it can be put into a bundle, with the native packages left outside', async () => {
  const folder = join(project, '.bundle-test')
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const source = `
    import { openIndex } from ${JSON.stringify(ENGINE)}
    const index = await openIndex(process.argv[2])
    await index.addDocuments([{ id: 1, title: 'Red Fox' }])
    console.log((await index.search({ q: 'red foks' })).hits[0].title)
    await index.close()`
  writeFileSync(join(folder, 'source.mjs'), source)
  const bundle = await rolldown({ input: join(folder, 'source.mjs'), platform: 'node', external: /^[a-z@]/ })
  await bundle.write({ dir: folder, entryFileNames: 'bundled.mjs', codeSplitting: false })
  await bundle.close()
  const printed = execFileSync(process.execPath, ['bundled.mjs', temporaryFolder()], { cwd: folder, encoding: 'utf8' })
  expect(printed).toBe('Red Fox\n')
})

test('a second thread helps with large additions where it is asked for', async () => {
  const index = await openIndex<{ id: number; title: string }>(temporaryFolder(), { indexingThread: true })
  cleanups.push(() => index.close())
  const many = Array.from({ length: 5000 }, (_, id) => ({ id, title: `owl number ${id} ${'of the wood '.repeat(40)}` }))
  expect(await index.addDocuments(many)).toEqual({ indexedDocuments: 5000 })
  expect((await index.search({ q: 'number 1234' })).hits[0]?.id).toBe(1234)
})

async function serverWithIndex(): Promise<{ server: TestServer; path: string }> {
  const server = await TestServer.start()
  cleanups.push(() => server.close())
  const documents = [{ id: 1, title: 'Red Fox' }]
  const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/films/documents', documents)
  await server.waitTask(body.taskUid)
  const indexes = join(server.folder, 'data.ms', 'indexes')
  return { server, path: join(indexes, readdirSync(indexes)[0]!) }
}

test('the index of a running server can be read beside it, and written once the server has ended', async () => {
  const { server, path } = await serverWithIndex()
  await expect(openIndex(path)).rejects.toThrow(`is in use by process ${server.pid}`)
  const reader = await openIndex<{ id: number; title: string }>(path, { readOnly: true })
  cleanups.push(() => reader.close())
  const { body } = await server.request<{ hits: unknown }>('POST', '/indexes/films/search', { q: 'red foks' })
  expect((await reader.search({ q: 'red foks' })).hits).toEqual(body.hits)
  await reader.close()
  await server.stop()
  const index = await openIndex<{ id: number; title: string }>(path)
  cleanups.push(() => index.close())
  await index.addDocuments([{ id: 2, title: 'Grey Wolf' }])
  const { code, stderr } = await refusedStart(server.folder, ['--db-path', 'data.ms', '--no-analytics'])
  expect(code).not.toBe(0)
  expect(stderr).toMatch(
    /The index folder .* is in use by process \d+ .*: a server needs all of its indexes for itself\./,
  )
  await index.close()
  await server.restart()
  const answer = await server.request<{ hits: { title: string }[] }>('POST', '/indexes/films/search', { q: 'wolf' })
  expect(answer.body.hits.map(({ title }) => title)).toEqual(['Grey Wolf'])
})

test('what was added is there after kill -9, and what was being added is not, not even in part', async () => {
  const path = join(temporaryFolder(), 'films')
  const code = `
    import { openIndex } from ${JSON.stringify(ENGINE)}
    const index = await openIndex(${JSON.stringify(path)}, { primaryKey: 'id' })
    const text = 'owl '.repeat(2000)
    for (let batch = 0; ; batch++) {
      await index.addDocuments(Array.from({ length: 500 }, (_, i) => ({ id: batch * 500 + i, text: text + batch })))
      process.stdout.write(batch + '\\n')
    }`
  const file = join(dirname(path), 'program.mjs')
  writeFileSync(file, code)
  for (let round = 0; round < 3; round++) {
    rmSync(path, { recursive: true, force: true })
    const last = await killedAfter(file, 300 + 250 * round)
    const index = await openIndex<{ id: number }>(path)
    const { numberOfDocuments } = await index.getStats()
    expect(numberOfDocuments % 500).toBe(0)
    expect(numberOfDocuments).toBeGreaterThanOrEqual((last + 1) * 500)
    await index.addDocuments([{ id: 1e6 }])
    await index.close()
    expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb'])
  }
})

/** The last batch that the program said was added; -1 for none. */
async function killedAfter(file: string, ms: number): Promise<number> {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), ms))
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  return printed === '' ? -1 : Number(printed.trimEnd().split('\n').at(-1))
}

test('errors are errors of the engine', async () => {
  const index = await openIndex(temporaryFolder())
  cleanups.push(() => index.close())
  await expect(index.search({ limit: -1 })).rejects.toBeInstanceOf(EngineError)
  expect(createRequire(import.meta.url).resolve('findling/engine')).toBe(ENGINE)
})
