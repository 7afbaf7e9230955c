import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type ServerOptions, TestServer } from './server.js'

const CLI = join(import.meta.dirname, '..', 'dist', 'cli.js')
const MASTER_KEY = 'a-master-key-of-good-length'
const LIMIT_MS = 120_000

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: ServerOptions = {}): Promise<TestServer> {
  const server = await TestServer.start({ masterKey: MASTER_KEY, ...options })
  servers.push(server)
  return server
}

async function send(server: TestServer, method: string, path: string, body?: unknown): Promise<number> {
  const { status, body: task } = await server.request<{ taskUid: number }>(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: status ${status}`)
  return task.taskUid
}

const done = async (server: TestServer, ...request: [method: string, path: string, body?: unknown]) =>
  server.waitTask(await send(server, ...request))

const documents = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, title: `number ${id}`, text: `${id * 7919} `.repeat(8) }))

/** What a client can see of a server, without what differs between copies. */
async function seen(server: TestServer): Promise<unknown> {
  const read = async (path: string) => (await server.request(`GET`, path)).body
  return {
    indexes: await read('/indexes'),
    documents: await read('/indexes/movies/documents?limit=3&offset=100&retrieveVectors=true'),
    settings: await read('/indexes/movies/settings'),
    hits: (await server.request<{ hits: unknown }>('POST', '/indexes/movies/search', { q: 'number 77' })).body.hits,
    keys: await read('/keys'),
    webhooks: await read('/webhooks'),
    features: await read('/experimental-features'),
  }
}

/** A server with something of everything. */
async function filled(count = 2000): Promise<TestServer> {
  const server = await start()
  await done(server, 'POST', '/indexes/movies/documents', documents(count))
  const settings = { filterableAttributes: ['title'], stopWords: ['the'], synonyms: { film: ['movie'] } }
  await done(server, 'PATCH', '/indexes/movies/settings', settings)
  const key = { name: 'mine', actions: ['search'], indexes: ['mov*'], expiresAt: null }
  await server.request('POST', '/keys', key)
  await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/', headers: { authorization: 'Bearer secret' } })
  await server.request('PATCH', '/experimental-features', { containsFilter: true })
  return server
}

async function dumpOf(server: TestServer): Promise<string> {
  const { details } = await done(server, 'POST', '/dumps')
  return join(server.folder, 'dumps', `${(details as { dumpUid: string }).dumpUid}.dump`)
}

/** Runs a server that is not expected to start, and answers how it ended. */
function refused(folder: string, flags: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [CLI, '--db-path', 'refused.ms', '--http-addr', '127.0.0.1:0', ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, stderr })))
}

test(
  'a server made from a dump shows what the other one shows',
  async () => {
    const server = await filled()
    const path = await dumpOf(server)
    expect(path).toMatch(/\d{8}-\d{9}\.dump$/)
    const copy = await start({ masterKey: MASTER_KEY, flags: ['--import-dump', path] })
    expect(await seen(copy)).toEqual(await seen(server))
  },
  LIMIT_MS,
)

test(
  'a dump goes ahead of older tasks, which wait in it and are done by the copy',
  async () => {
    const server = await start({ flags: ['--experimental-max-number-of-batched-tasks', '0'] })
    for (const id of [1, 2, 3]) await send(server, 'POST', '/indexes/movies/documents', [{ id }])
    const dump = await send(server, 'POST', '/dumps')
    await server.restart({ masterKey: MASTER_KEY })
    const { details, batchUid } = await server.waitTask(dump)
    expect(batchUid).toBe(0)
    const path = join(server.folder, 'dumps', `${(details as { dumpUid: string }).dumpUid}.dump`)
    const copy = await start({ flags: ['--import-dump', path] })
    for (const uid of [0, 1, 2]) expect(await copy.waitTask(uid)).toMatchObject({ status: 'succeeded' })
    const { body } = await copy.request<{ results: unknown }>('GET', '/indexes/movies/documents')
    expect(body.results).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  },
  LIMIT_MS,
)

test(
  'a server made from a snapshot is the server that made it, without the task',
  async () => {
    const server = await filled()
    const task = await done(server, 'POST', '/snapshots')
    expect(task).toMatchObject({ uid: 2, status: 'succeeded' })
    expect(task).not.toHaveProperty('details')
    const path = join(server.folder, 'snapshots', 'data.ms.snapshot')
    expect(statSync(path).mode & 0o777).toBe(0o444)
    const copy = await start({ masterKey: MASTER_KEY, flags: ['--import-snapshot', path] })
    expect(await seen(copy)).toEqual(await seen(server))
    expect((await copy.request('GET', '/tasks/2')).status).toBe(404)
    expect(await send(copy, 'POST', '/indexes', { uid: 'next' })).toBe(2)
  },
  LIMIT_MS,
)

const UPGRADED = {
  type: 'upgradeDatabase',
  status: 'succeeded',
  details: { upgradeFrom: 'v1.48.0', upgradeTo: 'v1.49.0' },
}

test(
  'a data folder of an older version is upgraded when that is asked for, a newer one is refused',
  async () => {
    const server = await start()
    await done(server, 'POST', '/indexes/movies/documents', [{ id: 1 }])
    await server.stop('SIGTERM')
    const upgrade = { masterKey: MASTER_KEY, flags: ['--experimental-dumpless-upgrade'] }
    const mark = (version: string) => writeFileSync(join(server.folder, 'data.ms', 'VERSION'), version)
    mark('1.50.0')
    const refusal = await refused(server.folder, ['--db-path', 'data.ms', '--experimental-dumpless-upgrade'])
    expect(refusal.stderr).toMatch(/1\.50\.0.*1\.49\.0.*older version/)
    mark('1.48.0')
    expect((await refused(server.folder, ['--db-path', 'data.ms'])).stderr).toMatch(/1\.48\.0.*1\.49\.0/)
    await server.restart(upgrade)
    expect(await server.waitTask(1)).toMatchObject(UPGRADED)
    expect(readFileSync(join(server.folder, 'data.ms', 'VERSION'), 'utf8')).toBe('1.49.0')
    await server.restart(upgrade)
    expect((await server.request<{ total: number }>('GET', '/tasks')).body.total).toBe(2)
  },
  LIMIT_MS,
)

/** The same snapshot, as if another version had written it. */
async function snapshotOf(server: TestServer, version: string): Promise<string> {
  await done(server, 'POST', '/snapshots')
  const folder = join(server.folder, `of-${version}`)
  mkdirSync(folder)
  execFileSync('tar', ['xzf', '../snapshots/data.ms.snapshot'], { cwd: folder })
  writeFileSync(join(folder, 'VERSION'), version)
  execFileSync('tar', ['czf', `../${version}.snapshot`, '.'], { cwd: folder })
  return join(server.folder, `${version}.snapshot`)
}

test(
  'a snapshot of an older version is upgraded without being asked to, one of a newer version is refused',
  async () => {
    const server = await filled(10)
    const copy = await start({ flags: ['--import-snapshot', await snapshotOf(server, '1.48.0')] })
    expect(await copy.waitTask(2)).toMatchObject(UPGRADED)
    expect((await copy.request('GET', '/indexes/movies/documents/7')).status).toBe(200)
    const newer = ['--import-snapshot', await snapshotOf(server, '1.50.0')]
    expect((await refused(server.folder, newer)).stderr).toMatch(/1\.50\.0.*older version/)
    expect(existsSync(join(server.folder, 'refused.ms'))).toBe(false)
  },
  LIMIT_MS,
)

test(
  'an index is exported to another server',
  async () => {
    const [server, other] = [await filled(500), await start()]
    const indexes = { 'mov*': { filter: 'title = "number 7" OR title = "number 8"' } }
    const flags = ['--experimental-allowed-ip-networks', '127.0.0.0/8']
    await server.restart({ masterKey: MASTER_KEY, flags })
    const task = await done(server, 'POST', '/export', {
      url: other.url,
      apiKey: MASTER_KEY,
      payloadSize: 100,
      indexes,
    })
    expect(task).toMatchObject({ status: 'succeeded', details: { indexes: { movies: { matched_documents: 2 } } } })
    const { body } = await other.request<{ results: { uid: number }[] }>('GET', '/tasks')
    for (const { uid } of body.results) expect(await other.waitTask(uid)).toMatchObject({ status: 'succeeded' })
    const copied = await other.request<{ results: { id: number }[] }>('GET', '/indexes/movies/documents')
    expect(copied.body.results.map(({ id }) => id)).toEqual([7, 8])
    expect((await other.request('GET', '/indexes/movies/settings/stop-words')).body).toEqual(['the'])
  },
  LIMIT_MS,
)

test(
  'a dump that is cut off is refused with a status other than zero, and leaves no data folder',
  async () => {
    const server = await filled(100)
    const path = await dumpOf(server)
    truncateSync(path, Math.floor(statSync(path).size / 2))
    const { code, stderr } = await refused(server.folder, ['--import-dump', path])
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot be imported: it ends too early/)
    expect(existsSync(join(server.folder, 'refused.ms'))).toBe(false)
  },
  LIMIT_MS,
)

test(
  'a dump is not imported over data, nor one that is missing, unless that is to be ignored',
  async () => {
    const server = await filled(10)
    const path = await dumpOf(server)
    const existing = ['--db-path', 'data.ms', '--import-dump', path]
    await server.stop('SIGTERM')
    expect((await refused(server.folder, existing)).stderr).toMatch(/not empty/)
    expect((await refused(server.folder, ['--import-dump', 'none.dump'])).stderr).toMatch(/does not exist/)
    expect((await refused(server.folder, ['--ignore-missing-dump'])).code).not.toBe(0)
    await server.restart({ masterKey: MASTER_KEY, flags: ['--import-dump', path, '--ignore-dump-if-db-exists'] })
    await server.restart({
      masterKey: MASTER_KEY,
      flags: ['--import-dump', 'none.dump', '--ignore-dump-if-db-exists', '--ignore-missing-dump'],
    })
    expect((await server.request('GET', '/indexes/movies')).status).toBe(200)
  },
  LIMIT_MS,
)

/** Every file that looks finished is whole: the end of a gzip file holds its length and a checksum. */
function checkFinished(folder: string, suffix: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(suffix)) gunzipSync(readFileSync(join(folder, name)))
}

/** Waits for a sign that something has begun, then for a moment inside of it. */
async function amid(hasBegun: () => boolean, round: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!hasBegun() && Date.now() < deadline) await delay(1)
  await delay(round * 60)
}

const isWriting = ({ folder }: TestServer, kind: string): boolean =>
  existsSync(join(folder, kind)) && readdirSync(join(folder, kind)).some((name) => name.endsWith('.unfinished'))

test.each(['dumps', 'snapshots'])(
  'a process that is killed while it writes %s leaves no half of one, and writes it after the next start',
  async (kind) => {
    const server = await filled(4000)
    for (const round of [0, 1, 2, 3]) {
      const task = await send(server, 'POST', `/${kind}`)
      await amid(() => isWriting(server, kind), round)
      await server.stop('SIGKILL')
      checkFinished(join(server.folder, kind), kind === 'dumps' ? '.dump' : '.snapshot')
      await server.restart()
      expect(await server.waitTask(task)).toMatchObject({ status: 'succeeded' })
    }
    expect(isWriting(server, kind)).toBe(false)
  },
  LIMIT_MS,
)

test.each(['dump', 'snapshot'])(
  'a process that is killed while it imports a %s imports it after the next start',
  async (kind) => {
    const server = await filled(4000)
    await done(server, 'POST', '/snapshots')
    const path = kind === 'dump' ? await dumpOf(server) : join(server.folder, 'snapshots', 'data.ms.snapshot')
    const expected = await seen(server)
    const flags = ['--db-path', 'copy.ms', `--import-${kind}`, path]
    const isImporting = () => existsSync(join(server.folder, 'copy.ms', 'IMPORTING'))
    for (const round of [0, 1, 2]) {
      const command = [CLI, '--master-key', MASTER_KEY, '--http-addr', '127.0.0.1:0', ...flags]
      const child = spawn(process.execPath, command, { cwd: server.folder, stdio: 'ignore' })
      await amid(isImporting, round * (kind === 'dump' ? 8 : 1))
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    }
    const isFinished = !isImporting()
    await server.restart({ masterKey: MASTER_KEY, flags: isFinished ? flags.slice(0, 2) : flags })
    expect(await seen(server)).toEqual(expected)
  },
  LIMIT_MS,
)
