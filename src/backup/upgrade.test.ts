import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInlineIndexing, type Indexing, jobServices } from '../tasks/index.js'
import { type BackupServer, type BackupServerOptions, openBackupServer } from './backup-server.fixture.js'
import { formatsIn, makeOlder } from './older-format.fixture.js'

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

/** Indexing whose upgrades are done by `upgrade`, which is told how many came before. */
function upgradingBy(upgrade: (inner: Indexing, count: number) => Indexing['upgrade']): { indexing: Indexing } {
  const inner = createInlineIndexing(jobServices)
  let count = 0
  return { indexing: { ...inner, upgrade: (...paths) => upgrade(inner, count++)(...paths) } }
}

const failing: Indexing['upgrade'] = () => ({ done: Promise.reject(new Error('cannot be read')), cancel: () => {} })
const broken = (): Pick<BackupServerOptions, 'indexing'> => upgradingBy(() => failing)

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
  const server = openBackupServer({ folder, ...broken() })
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
  const failed = openBackupServer({ folder, ...broken() })
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

test('21.11 L259: a failed upgrade can be canceled in the run in which it failed again', async () => {
  const folder = await interrupted()
  const first = openBackupServer({ folder, ...broken() })
  await ended(first, 2)
  await first.close()
  const again = openBackupServer({ folder, ...broken() })
  await ended(again, 2)
  await again.put({ type: 'indexCreation', indexUid: 'later', primaryKey: null })
  await cancel(again, 1)
  await cancel(again, 2)
  await ended(again, 5)
  await idle()
  expect(again.versions).toEqual(['1.48.2'])
  expect(views(again)).toMatchObject([
    { uid: 0 },
    { uid: 1, status: 'canceled', canceledBy: 4 },
    { uid: 2, status: 'canceled', canceledBy: 5, error: null },
    { uid: 3, status: 'enqueued' },
    { uid: 4, status: 'succeeded' },
    { uid: 5, status: 'succeeded', details: { canceledTasks: 1 } },
  ])
  // The folder is one of the older version again: nothing is processed, not even cancelations.
  await cancel(again, 3)
  await idle()
  expect(views(again)[6]).toMatchObject({ status: 'enqueued' })
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

/** A server with three indexes of the first format and an upgrade that waits. */
async function olderServer(): Promise<string> {
  const server = openBackupServer()
  for (const uid of ['a', 'b', 'c']) await server.add(uid, [{ id: uid, text: `${uid} `.repeat(200) }])
  await server.settle()
  await server.close()
  await makeOlder(server.dbPath)
  const held = openBackupServer({ folder: server.folder, isHeld: true })
  await held.put(UPGRADE)
  await held.close()
  return server.folder
}

const OLD = [undefined, undefined, undefined]

function checkContent(server: BackupServer): void {
  for (const uid of ['a', 'b', 'c']) expect(server.documents(uid)).toEqual([{ id: uid, text: `${uid} `.repeat(200) }])
}

test('an upgrade moves all indexes to folders of the newest format at once, and can be watched', async () => {
  const folder = await olderServer()
  const steps: unknown[] = []
  const watched = upgradingBy((inner) => (from, to) => {
    const { steps: shown } = server.queue.runningBatch!
    steps.push(shown.at(-1))
    // Until the end everything is where it was.
    expect(from.endsWith(server.queue.catalogue.list()[steps.length - 1]!.folder)).toBe(true)
    return inner.upgrade(from, to)
  })
  const server = openBackupServer({ folder, ...watched })
  const before = readdirSync(join(server.dbPath, 'indexes'))
  await server.settle()
  expect(steps).toEqual(
    ['a', 'b', 'c'].map((uid, finished) => ({ currentStep: `upgrading the index ${uid}`, finished, total: 3 })),
  )
  checkContent(server)
  const { stats } = server.queue.catalogue.get('a')!
  expect(stats).toMatchObject({ numberOfDocuments: 1, primaryKey: 'id' })
  await server.add('a', [{ id: 'more' }])
  await server.settle()
  expect(server.documents('a')).toHaveLength(2)
  await server.close()
  expect(await formatsIn(server.dbPath)).toEqual([2, 2, 2])
  expect(readdirSync(join(server.dbPath, 'indexes')).filter((name) => before.includes(name))).toEqual([])
})

test('an upgrade that fails at one index leaves all as they were, and no copies', async () => {
  const folder = await olderServer()
  const server = openBackupServer({
    folder,
    ...upgradingBy((inner, count) => (count === 1 ? failing : inner.upgrade)),
  })
  await ended(server, 3)
  expect(views(server)[3]).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  checkContent(server)
  await server.close()
  expect(await formatsIn(server.dbPath)).toEqual(OLD)
  const next = openBackupServer({ folder })
  next.queue.start()
  while (next.queue.store.get(3)?.status !== 'succeeded') await new Promise((resolve) => setImmediate(resolve))
  checkContent(next)
  await next.close()
  expect(await formatsIn(server.dbPath)).toEqual([2, 2, 2])
})

test('an upgrade that is canceled in its midst leaves all as they were, and no copies', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  const holding = upgradingBy((inner, count) => (from, to) => {
    if (count !== 1) return inner.upgrade(from, to)
    isHeld = true
    return { done: gate.then(() => inner.upgrade(from, to).done), cancel: () => {} }
  })
  const server = openBackupServer({ folder: await olderServer(), ...holding })
  server.queue.start()
  while (!isHeld) await new Promise((resolve) => setImmediate(resolve))
  await cancel(server, 3)
  expect(readdirSync(join(server.dbPath, 'indexes')).length).toBeGreaterThan(3)
  release()
  await ended(server, 4)
  await idle()
  expect(server.versions).toEqual(['1.48.2'])
  expect(views(server).slice(3)).toMatchObject([
    { uid: 3, status: 'canceled', canceledBy: 4 },
    { uid: 4, status: 'succeeded', details: { canceledTasks: 1 } },
  ])
  checkContent(server)
  await server.close()
  expect(await formatsIn(server.dbPath)).toEqual(OLD)
})

test('a server that is stopped in the midst of an upgrade does it again after the next start', async () => {
  const folder = await olderServer()
  let stopped: Promise<void> | undefined
  const stopping = upgradingBy((inner, count) => (from, to) => {
    if (count === 1) stopped = server.queue.stop()
    return inner.upgrade(from, to)
  })
  const server = openBackupServer({ folder, ...stopping })
  server.queue.start()
  while (stopped === undefined) await new Promise((resolve) => setImmediate(resolve))
  await stopped
  await server.close()
  expect(await formatsIn(server.dbPath)).toEqual(OLD)
  const next = openBackupServer({ folder })
  await next.settle()
  expect(views(next)[3]).toMatchObject({ status: 'succeeded' })
  await next.close()
  expect(await formatsIn(server.dbPath)).toEqual([2, 2, 2])
})
