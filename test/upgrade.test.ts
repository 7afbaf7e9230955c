import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { formatsIn } from '../src/backup/older-format.fixture.js'
import { done, MASTER_KEY, send } from './filled-server.js'
import { refusedStart, type ServerOptions, type Task, TestServer } from './server.js'
import { ANSWERS_FILE, type Answered, answersOf, FIXTURE_VERSION, lasting } from './upgrade/content.js'
import {
  damageOneIndex,
  folderOf,
  HELD,
  makeOlderFolder,
  UPGRADE,
  UPGRADE_TASK,
  versionOf,
} from './upgrade/older-folder.js'
import { PreviousProgram } from './upgrade/previous-program.js'

const LIMIT_MS = 120_000

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** The data folder that an older version left behind, and what it answered. The server of the answer is stopped. */
async function older(): Promise<{ server: TestServer; expected: readonly Answered[] }> {
  const server = await TestServer.start({ masterKey: MASTER_KEY })
  servers.push(server)
  await makeOlderFolder(server)
  const expected = lasting(JSON.parse(readFileSync(join(server.folder, ANSWERS_FILE), 'utf8'))) as Answered[]
  return { server, expected }
}

const withFlags = (...flags: string[]): ServerOptions => ({ masterKey: MASTER_KEY, flags })

const SUCCEEDED = {
  type: 'upgradeDatabase',
  status: 'succeeded',
  error: null,
  details: { upgradeFrom: `v${FIXTURE_VERSION}`, upgradeTo: 'v1.49.0' },
}

test(
  'a folder of an older version is refused in one sentence that names both ways on, and left as it is',
  async () => {
    const { server } = await older()
    const { code, stderr } = await refusedStart(server.folder, ['--db-path', 'data.ms'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /version 1\.48\.0, this server has 1\.49\.0: start with --experimental-dumpless-upgrade, or /,
    )
    expect(stderr).toMatch(/import a dump/)
    expect(versionOf(server)).toBe(FIXTURE_VERSION)
  },
  LIMIT_MS,
)

test(
  'a folder of an older version is searched before its upgrade as after it, and can then be written',
  async () => {
    const { server, expected } = await older()
    expect(await formatsIn(folderOf(server))).toEqual([undefined, undefined, undefined])
    const before = readdirSync(join(folderOf(server), 'indexes'))
    await server.restart(withFlags(UPGRADE, ...HELD))
    expect(await answersOf(server)).toEqual(expected)
    const added = { id: 9, title: 'Lion of Nine', _vectors: { manual: [0, 1, 0, 1] } }
    const waiting = await send(server, 'POST', '/indexes/movies/documents', [added])
    await server.restart(withFlags(UPGRADE))
    const upgrade = await server.waitTask(UPGRADE_TASK)
    expect(upgrade).toMatchObject(SUCCEEDED)
    const later = await server.waitTask(waiting)
    expect(later).toMatchObject({ status: 'succeeded', batchUid: (upgrade.batchUid as number) + 1 })
    const { body } = await server.request<{ hits: unknown[] }>('GET', '/indexes/movies/search?q=lion')
    expect(body.hits).toContainEqual({ id: 9, title: 'Lion of Nine' })
    await done(server, 'DELETE', '/indexes/movies/documents/9')
    expect(withoutTimes(await answersOf(server))).toEqual(withoutTimes(expected))
    await server.stop('SIGTERM')
    expect(versionOf(server)).toBe('1.49.0')
    expect(await formatsIn(folderOf(server))).toEqual([2, 2, 2])
    expect(readdirSync(join(folderOf(server), 'indexes')).filter((name) => before.includes(name))).toEqual([])
  },
  LIMIT_MS,
)

/** Writing moves on when an index was changed last. */
const withoutTimes = (answers: readonly Answered[]): unknown =>
  JSON.parse(JSON.stringify(answers), (name, value) => (name === 'updatedAt' ? undefined : value))

test(
  'an upgrade that is canceled before it is done leaves the folder of the older version',
  async () => {
    const { server, expected } = await older()
    await server.restart(withFlags(UPGRADE, ...HELD))
    const cancelation = await send(server, 'POST', `/tasks/cancel?uids=${UPGRADE_TASK}`)
    await server.restart(withFlags(UPGRADE))
    expect(await server.waitTask(cancelation)).toMatchObject({ status: 'succeeded', details: { canceledTasks: 1 } })
    expect(await server.waitTask(UPGRADE_TASK)).toMatchObject({ status: 'canceled' })
    expect(await answersOf(server)).toEqual(expected)
    await server.stop('SIGTERM')
    expect(versionOf(server)).toBe(FIXTURE_VERSION)
    expect(await formatsIn(folderOf(server))).toEqual([undefined, undefined, undefined])
  },
  LIMIT_MS,
)

/** Tries once more: the task has failed at another time than before. */
async function failedAgain(server: TestServer, before: Task): Promise<void> {
  for (;;) {
    const task = await server.waitTask(UPGRADE_TASK)
    if (task.startedAt !== before.startedAt) return expect(task.status).toBe('failed')
  }
}

test(
  '21.11 L259, 21.17: an upgrade that fails is rolled back: start again, cancel it, start the previous version',
  async () => {
    const { server, expected } = await older()
    const mend = damageOneIndex(server)
    await server.restart(withFlags(UPGRADE))
    const failed = await server.waitTask(UPGRADE_TASK)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'internal' } })
    expect(failed.error).toHaveProperty('message', expect.stringMatching(/damaged: .* is no database/))
    await server.restart()
    await failedAgain(server, failed)
    const cancelation = await send(server, 'POST', `/tasks/cancel?uids=${UPGRADE_TASK}`)
    expect(await server.waitTask(cancelation)).toMatchObject({ status: 'succeeded', details: { canceledTasks: 1 } })
    expect(await server.waitTask(UPGRADE_TASK)).toMatchObject({ status: 'canceled', canceledBy: cancelation })
    await server.stop('SIGTERM')
    expect(versionOf(server)).toBe(FIXTURE_VERSION)
    mend()
    const previous = new PreviousProgram('1.49.0')
    try {
      await server.restart({ masterKey: MASTER_KEY, cli: previous.cli })
      expect((await server.request('GET', '/version')).body).toMatchObject({ pkgVersion: FIXTURE_VERSION })
      expect(await answersOf(server)).toEqual(expected)
      await done(server, 'POST', '/indexes/movies/documents', [{ id: 9, title: 'Lion of Nine' }])
      await server.stop('SIGTERM')
    } finally {
      previous.remove()
    }
  },
  LIMIT_MS,
)

test(
  '21.17: an index whose file is no database is damaged, and the others are not',
  async () => {
    const server = await TestServer.start({ masterKey: MASTER_KEY })
    servers.push(server)
    await done(server, 'POST', '/indexes/whole/documents', [{ id: 1 }])
    const [whole] = readdirSync(join(folderOf(server), 'indexes'))
    await done(server, 'POST', '/indexes/broken/documents', [{ id: 1 }])
    await server.stop('SIGTERM')
    const broken = readdirSync(join(folderOf(server), 'indexes')).find((name) => name !== whole)!
    const file = join(folderOf(server), 'indexes', broken, 'data.mdb')
    for (const bytes of [randomBytes(65_536), readFileSync(file).subarray(0, 9000), Buffer.alloc(0)]) {
      writeFileSync(file, bytes)
      await server.restart()
      for (const [method, path, body] of [
        ['POST', '/indexes/broken/search', {}],
        ['GET', '/indexes/broken/documents'],
        ['GET', '/indexes/broken/settings'],
      ] as const) {
        const { status, text } = await server.request(method, path, body)
        expect([status, text]).toEqual([500, expect.stringContaining('damaged')])
      }
      expect((await server.request('POST', '/indexes/whole/search', {})).body).toMatchObject({ hits: [{ id: 1 }] })
      expect(server.isRunning).toBe(true)
      await server.stop('SIGTERM')
    }
    await server.restart()
    await done(server, 'DELETE', '/indexes/broken')
    expect((await server.request('GET', '/indexes/broken')).status).toBe(404)
  },
  LIMIT_MS,
)

test(
  'a snapshot of an older version ends as the same server',
  async () => {
    const { server, expected } = await older()
    execFileSync('tar', ['czf', '../older.snapshot', '.'], { cwd: folderOf(server) })
    rmSync(folderOf(server), { recursive: true })
    await server.restart(withFlags('--import-snapshot', join(server.folder, 'older.snapshot'), UPGRADE))
    expect(await server.waitTask(UPGRADE_TASK)).toMatchObject(SUCCEEDED)
    expect(await answersOf(server)).toEqual(expected)
    await server.stop('SIGTERM')
    expect(await formatsIn(folderOf(server))).toEqual([2, 2, 2])
  },
  LIMIT_MS,
)
