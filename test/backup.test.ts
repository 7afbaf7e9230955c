import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { done, dumpOf, fill, MASTER_KEY, seen, send, snapshotOf } from './filled-server.js'
import { refusedStart, type ServerOptions, TestServer } from './server.js'

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

async function filled(count = 2000): Promise<TestServer> {
  const server = await start()
  await fill(server, count)
  return server
}

const refused = (folder: string, flags: readonly string[]) =>
  refusedStart(folder, ['--db-path', 'refused.ms', ...flags])

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
