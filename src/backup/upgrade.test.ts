import { expect, test } from 'vitest'
import { type BackupServer, type BackupServerOptions, openBackupServer } from './backup-server.cases.js'

const UPGRADE = { type: 'upgradeDatabase', from: '1.48.2', to: '1.49.0' } as const

const views = ({ queue }: BackupServer) => queue.tasks({}, { limit: 100, from: null, reverse: true }, null).results
const batches = ({ queue }: BackupServer) => queue.batches({}, { limit: 100, from: null, reverse: true }, null).results

/** Until a task is finished and its batch over. */
async function ended({ queue }: BackupServer, uid: number): Promise<void> {
  queue.start()
  const isOver = () => queue.runningBatch === undefined && queue.store.get(uid)?.status !== 'enqueued'
  while (!isOver()) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets everything happen that is going to. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const cancel = (server: BackupServer, uid: number) =>
  server.queue.enqueueAboutTasks('taskCancelation', { filter: { uids: [uid] }, scope: null, query: `?uids=${uid}` })

/** A server with an index, a task that waits and an upgrade behind it, before anything of it is processed. */
async function interrupted(): Promise<string> {
  const server = openBackupServer()
  await server.add('movies', [{ id: 1 }])
  await server.settle()
  await server.close()
  const held = openBackupServer({ folder: server.folder, isHeld: true })
  await held.add('movies', [{ id: 2 }])
  await held.put(UPGRADE)
  await held.close()
  return server.folder
}

const broken: Pick<BackupServerOptions, 'checkIndex'> = {
  checkIndex: () => {
    throw new Error('cannot be read')
  },
}

test('an upgrade comes before older tasks', async () => {
  const server = openBackupServer({ folder: await interrupted() })
  await server.settle()
  expect(views(server)).toMatchObject([
    { uid: 0, batchUid: 0 },
    { uid: 1, batchUid: 2, status: 'succeeded' },
    {
      uid: 2,
      batchUid: 1,
      type: 'upgradeDatabase',
      indexUid: null,
      status: 'succeeded',
      details: { upgradeFrom: 'v1.48.2', upgradeTo: 'v1.49.0' },
    },
  ])
})

test('after an upgrade that fails nothing is processed until the next start, which tries it again in its batch', async () => {
  const folder = await interrupted()
  const server = openBackupServer({ folder, ...broken })
  await ended(server, 2)
  await server.put({ type: 'indexCreation', indexUid: 'later', primaryKey: null })
  await idle()
  expect(views(server)).toMatchObject([
    { uid: 0 },
    { uid: 1, status: 'enqueued' },
    { uid: 2, status: 'failed', batchUid: 1, error: { code: 'internal' } },
    { uid: 3, status: 'enqueued' },
  ])
  await server.close()
  const next = openBackupServer({ folder })
  await next.settle()
  expect(views(next)).toMatchObject([
    { uid: 0 },
    { uid: 1, status: 'succeeded', batchUid: 2 },
    { uid: 2, status: 'succeeded', batchUid: 1, error: null },
    { uid: 3, status: 'succeeded' },
  ])
  expect(batches(next).map(({ uid }) => uid)).toEqual([0, 1, 2, 3])
})

test('whoever cancels a failed upgrade gets the old version back, and nothing is processed any more', async () => {
  const folder = await interrupted()
  const failed = openBackupServer({ folder, ...broken })
  await ended(failed, 2)
  await failed.close()
  // Cancelations come before the next try.
  const held = openBackupServer({ folder, isHeld: true })
  await cancel(held, 2)
  await held.close()
  const server = openBackupServer({ folder })
  await ended(server, 3)
  await idle()
  expect(server.versions).toEqual(['1.48.2'])
  expect(views(server)).toMatchObject([
    { uid: 0 },
    { uid: 1, status: 'enqueued' },
    { uid: 2, status: 'canceled', canceledBy: 3, error: null },
    { uid: 3, status: 'succeeded', details: { canceledTasks: 1 } },
  ])
})

test('an upgrade that succeeded stays', async () => {
  const server = openBackupServer()
  await server.put(UPGRADE)
  await server.settle()
  await cancel(server, 0)
  await server.settle()
  expect(server.versions).toEqual([])
  expect(views(server)).toMatchObject([
    { uid: 0, status: 'succeeded' },
    { uid: 1, details: { canceledTasks: 0 } },
  ])
})
