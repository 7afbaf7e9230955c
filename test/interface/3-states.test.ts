/** Section 3 of the interface document, line by line. */
import { expect, test } from 'vitest'
import { done, send } from '../filled-server.js'
import { FIXTURE_VERSION } from '../upgrade/content.js'
import { HELD, UPGRADE, UPGRADE_TASK, versionOf } from '../upgrade/older-folder.js'
import { onOlderFolder, startGuarded, startWith } from './walk.js'

const LIMIT_MS = 120_000

test('L121: tasks are enqueued, and succeed or fail', async () => {
  const server = await startGuarded()
  const { body } = await server.request('POST', '/indexes/films/documents', [{ id: 1 }])
  expect(body.status).toBe('enqueued')
  expect((await server.waitTask(body.taskUid as number)).status).toBe('succeeded')
  expect((await done(server, 'POST', '/indexes/films/documents', [{ id: 'not an id' }])).status).toBe('failed')
})

test(
  'L124: the upgrade task comes first, and tasks that are enqueued meanwhile wait for it',
  async () => {
    const server = await onOlderFolder()
    await startWith(server, UPGRADE, ...HELD)
    const waiting = await send(server, 'POST', '/indexes/movies/documents', [{ id: 99, _vectors: { manual: null } }])
    await startWith(server, UPGRADE)
    const upgrade = await server.waitTask(UPGRADE_TASK)
    const later = await server.waitTask(waiting)
    expect([upgrade.status, later.status]).toEqual(['succeeded', 'succeeded'])
    expect(later.batchUid).toBeGreaterThan(upgrade.batchUid as number)
  },
  LIMIT_MS,
)

test(
  'L125: canceling the upgrade task leaves the database as it was before',
  async () => {
    const server = await onOlderFolder()
    await startWith(server, UPGRADE, ...HELD)
    const cancelation = await send(server, 'POST', `/tasks/cancel?uids=${UPGRADE_TASK}`)
    await startWith(server, UPGRADE)
    expect(await server.waitTask(cancelation)).toMatchObject({ status: 'succeeded' })
    expect(await server.waitTask(UPGRADE_TASK)).toMatchObject({ status: 'canceled' })
    await server.stop('SIGTERM')
    expect(versionOf(server)).toBe(FIXTURE_VERSION)
  },
  LIMIT_MS,
)
