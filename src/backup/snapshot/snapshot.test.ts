import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { extractArchive } from '../archive/extract-archive.js'
import { ownerMark, removeUnfinished } from '../archive/unfinished-file.js'
import { type BackupServer, openBackupServer } from '../backup-server.fixture.js'

const snapshotOf = ({ folder }: BackupServer): string => join(folder, 'snapshots', 'db.snapshot')
const taskViews = ({ queue }: BackupServer) => queue.tasks({}, { limit: 1000, from: null, reverse: true }, null).results

/** A server on a copy of the data folder. */
async function restored(path: string): Promise<BackupServer> {
  const folder = temporaryFolder()
  await extractArchive({ path, folder: join(folder, 'db'), isDurable: true })
  return openBackupServer({ folder })
}

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, title: `number ${from + i}`, filler: 'x'.repeat(40) }))

test('a restored server has the same indexes, and neither the snapshot task nor its batch', async () => {
  const server = openBackupServer()
  await server.add('movies', many(50))
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  const copy = await restored(snapshotOf(server))
  expect(copy.documents('movies')).toEqual(server.documents('movies'))
  expect(taskViews(copy)).toEqual(taskViews(server).slice(0, 1))
  expect(copy.queue.batches({}, { limit: 10, from: null, reverse: false }, null).total).toBe(1)
  expect((await copy.put({ type: 'indexDeletion', indexUid: 'movies' })).uid).toBe(1)
})

test('a task that waits comes along with its payload, in a file or not', async () => {
  const held = openBackupServer({ isHeld: true })
  await held.add('movies', many(3))
  await held.add('other', many(2000))
  await held.put({ type: 'snapshotCreation' })
  await held.close()
  // A snapshot comes before tasks of indexes, however old they are.
  const server = openBackupServer({ folder: held.folder })
  await server.settle()
  const copy = await restored(snapshotOf(server))
  expect(taskViews(copy)).toMatchObject([{ status: 'enqueued' }, { status: 'enqueued' }])
  await copy.settle()
  expect(copy.documents('movies')).toEqual(server.documents('movies'))
  expect(copy.documents('other')).toEqual(server.documents('other'))
})

test('a snapshot can only be read, and the next one takes its place', async () => {
  const server = openBackupServer()
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  const first = readFileSync(snapshotOf(server))
  expect(statSync(snapshotOf(server)).mode & 0o777).toBe(0o444)
  await server.add('movies', many(5))
  await server.settle()
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  expect(readFileSync(snapshotOf(server))).not.toEqual(first)
  expect(readdirSync(join(server.folder, 'snapshots'))).toEqual(['db.snapshot'])
})

test('all snapshots that wait are one batch', async () => {
  const server = openBackupServer()
  await Promise.all([server.put({ type: 'snapshotCreation' }), server.put({ type: 'snapshotCreation' })])
  await server.settle()
  expect(taskViews(server)).toMatchObject([
    { uid: 0, batchUid: 0, status: 'succeeded', type: 'snapshotCreation' },
    { uid: 1, batchUid: 0, status: 'succeeded', type: 'snapshotCreation' },
  ])
  expect(taskViews(server)[0]).not.toHaveProperty('details')
})

test('a snapshot that cannot be written fails its task and leaves nothing', async () => {
  const server = openBackupServer()
  writeFileSync(join(server.folder, 'snapshots'), 'a file where a folder should be')
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  expect(taskViews(server)).toMatchObject([{ status: 'failed', error: { type: 'internal' } }])
})

test('what a killed process left of its backups goes with the next start, and nothing else does', async () => {
  const folder = temporaryFolder()
  const mine = ownerMark('/data/mine')
  for (const name of [`a.dump.${mine}.unfinished`, `a.dump.${ownerMark('/data/other')}.unfinished`, 'a.dump']) {
    writeFileSync(join(folder, name), '')
  }
  mkdirSync(join(folder, `db.snapshot.copies.${mine}.unfinished`, 'copy'), { recursive: true })
  await removeUnfinished(folder, mine)
  expect(readdirSync(folder).sort()).toEqual(['a.dump', `a.dump.${ownerMark('/data/other')}.unfinished`])
})
