/** Section 9 of the interface document, line by line. */
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { done } from '../filled-server.js'
import { refusedStart } from '../server.js'
import { FIXTURE_VERSION } from '../upgrade/content.js'
import { damageOneIndex, HELD, UPGRADE, UPGRADE_TASK, versionOf } from '../upgrade/older-folder.js'
import { MASTER_KEY, onOlderFolder, startGuarded, startWith } from './walk.js'

const LIMIT_MS = 120_000
const FILMS = [
  { id: 1, title: 'The Red Fox' },
  { id: 2, title: 'Blue Velvet' },
]

test('L242, L244: the description and the version route carry version 1.49.0', async () => {
  const server = await startGuarded()
  const { body } = await server.request<{ info: { version: string } }>('GET', '/openapi.json')
  expect(body.info.version).toBe('1.49.0')
  expect((await server.request('GET', '/version')).body.pkgVersion).toBe('1.49.0')
})

test('L243: a database of another version is refused, and both ways on are named', async () => {
  const server = await onOlderFolder()
  const { code, stderr } = await refusedStart(server.folder, ['--db-path', 'data.ms'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/--experimental-dumpless-upgrade/)
  expect(stderr).toMatch(/dump/)
})

describe('9.1 Migration with a dump', () => {
  test(
    'L249 to L252: a dump is created, followed, imported with its flags, and nothing is lost',
    async () => {
      const server = await startGuarded('--dump-dir', 'my-dumps')
      expect((await server.request('GET', '/version')).body).toHaveProperty('pkgVersion')
      await done(server, 'PATCH', '/indexes/films/settings', { displayedAttributes: ['title'] })
      await done(server, 'POST', '/indexes/films/documents', FILMS)
      const dump = await done(server, 'POST', '/dumps')
      expect(dump).toMatchObject({ type: 'dumpCreation', status: 'succeeded' })
      const { dumpUid } = dump.details as { dumpUid: string }
      const file = join(server.folder, 'my-dumps', `${dumpUid}.dump`)
      expect(existsSync(file)).toBe(true)
      await server.stop('SIGTERM')
      renameSync(join(server.folder, 'data.ms'), join(server.folder, 'kept.ms'))
      await server.restart({ masterKey: MASTER_KEY, flags: ['--import-dump', file, '--dump-dir', 'my-dumps'] })
      const documents = await server.request<{ results: object[] }>('GET', '/indexes/films/documents')
      expect(documents.body.results).toEqual(FILMS)
      const settings = await server.request('GET', '/indexes/films/settings')
      expect(settings.body.displayedAttributes).toEqual(['title'])
    },
    LIMIT_MS,
  )

  test(
    'L249, L250: dumps lie in `dumps` and data in `data.ms` by default; L253: the kept folder is the way back',
    async () => {
      const server = await startGuarded()
      await done(server, 'POST', '/indexes/films/documents', FILMS)
      const { details } = await done(server, 'POST', '/dumps')
      const { dumpUid } = details as { dumpUid: string }
      expect(existsSync(join(server.folder, 'dumps', `${dumpUid}.dump`))).toBe(true)
      await server.stop('SIGTERM')
      cpSync(join(server.folder, 'data.ms'), join(server.folder, 'kept.ms'), { recursive: true })
      writeFileSync(join(server.folder, 'data.ms', 'VERSION'), '9.9.9')
      rmSync(join(server.folder, 'data.ms'), { recursive: true })
      renameSync(join(server.folder, 'kept.ms'), join(server.folder, 'data.ms'))
      await server.restart()
      expect((await server.request('GET', '/indexes/films/documents')).body).toMatchObject({ total: 2 })
    },
    LIMIT_MS,
  )
})

describe('9.2 Dumpless upgrade', () => {
  test(
    'L256 to L258: a snapshot first, then the flag; the task comes at once and searches work meanwhile',
    async () => {
      const server = await onOlderFolder()
      await startWith(server, UPGRADE, ...HELD)
      expect(await server.request('GET', '/indexes/movies/search?q=lion')).toMatchObject({ status: 200 })
      await startWith(server, UPGRADE)
      const task = await server.waitTask(UPGRADE_TASK)
      expect(task).toMatchObject({ type: 'upgradeDatabase', status: 'succeeded' })
      const listed = await server.request<{ results: { uid: number }[] }>('GET', '/tasks?types=UpgradeDatabase')
      expect(listed.body.results.map(({ uid }) => uid)).toEqual([UPGRADE_TASK])
      expect(await done(server, 'POST', '/snapshots')).toMatchObject({ status: 'succeeded' })
    },
    LIMIT_MS,
  )

  test(
    'L259: a failed upgrade is rolled back by starting again, canceling it, and going back to the older version',
    async () => {
      const server = await onOlderFolder()
      const restore = damageOneIndex(server)
      await startWith(server, UPGRADE)
      expect(await server.waitTask(UPGRADE_TASK)).toMatchObject({ status: 'failed' })
      await startWith(server, UPGRADE)
      const cancelation = await done(server, 'POST', `/tasks/cancel?uids=${UPGRADE_TASK}`)
      expect(cancelation).toMatchObject({ status: 'succeeded' })
      await server.stop('SIGTERM')
      restore()
      expect(versionOf(server)).toBe(FIXTURE_VERSION)
    },
    LIMIT_MS,
  )
})
