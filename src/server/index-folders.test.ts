import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { IndexFolder } from '../folder/index.js'
import type { IndexJob, JobOutcome } from '../index/index.js'
import type { Indexing } from '../tasks/index.js'
import { IndexFolders } from './index-folders.js'
import { temporaryFolder } from './test-server.fixture.js'

const NOW = '2026-01-05T10:00:00Z'

function openFolders(): { folders: IndexFolders; released: string[] } {
  const released: string[] = []
  const release = async (path: string) => void released.push(path)
  return { folders: new IndexFolders({ release }), released }
}

const IDLE: Indexing = {
  start: () => {},
  run: () => ({ done: new Promise(() => {}), cancel: () => {} }),
  prepare: () => ({ done: new Promise(() => {}), cancel: () => {} }),
  compact: async () => ({ before: 0, after: 0 }),
  upgrade: () => ({ done: Promise.resolve(undefined), cancel: () => {} }),
  refreshSets: () => ({ done: new Promise(() => {}), cancel: () => {} }),
  completeNames: async () => {},
  release: async () => {},
  close: async () => {},
}

/** A batch on another thread: it keeps the writer's lock of a folder until the flag is raised. */
const WRITER = `
const { parentPort, workerData } = require('node:worker_threads')
const { path, flag } = workerData
const root = require('lmdb').open({ path, maxDbs: 32, encoding: 'binary', keyEncoding: 'binary', overlappingSync: false })
root.transactionSync(() => {
  parentPort.postMessage('writing')
  Atomics.wait(flag, 0, 0)
})`

/** A folder of an index, not open. */
async function made(path: string): Promise<string> {
  await IndexFolder.open(path).close()
  return path
}

test('21.17: a folder that is not there any more is damaged, unless a batch makes it', async () => {
  const path = join(temporaryFolder(), 'index')
  const { folders } = openFolders()
  expect(() => folders.get(path)).toThrow('is missing or empty')
  folders.heldBy(IDLE).run({ path } as IndexJob, () => {})
  expect(folders.get(path).meta()).toBeUndefined()
  await folders.closeAll()
})

test('a folder is opened for reading while a batch writes to it', async () => {
  const path = await made(join(temporaryFolder(), 'index'))
  const { folders } = openFolders()
  folders.get(path).write(() => folders.get(path).create(NOW, 'id'))
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const writer = new Worker(WRITER, { eval: true, workerData: { path, flag } })
  await once(writer, 'message')
  const reader = IndexFolder.openForReading(path)
  expect(reader.meta()?.primaryKey).toBe('id')
  await reader.close()
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
  await once(writer, 'exit')
  await folders.closeAll()
})

test('whoever reads a folder leaves it before it is closed', async () => {
  const path = await made(join(temporaryFolder(), 'index'))
  const { folders, released } = openFolders()
  const folder = folders.get(path)
  expect(folders.get(path)).toBe(folder)
  await folders.release(path)
  expect(released).toEqual([path])
  expect(folders.get(path)).not.toBe(folder)
  await folders.closeAll()
})

test('the folders used longest ago are closed when there are many, but none that a batch works on', async () => {
  const root = temporaryFolder()
  const paths = await Promise.all(Array.from({ length: 35 }, (_, i) => made(join(root, String(i)))))
  const { folders, released } = openFolders()
  let finish: (outcome: JobOutcome) => void = () => {}
  const done = new Promise<JobOutcome>((resolve) => {
    finish = resolve
  })
  folders.heldBy({ ...IDLE, run: () => ({ done, cancel: () => {} }) }).run({ path: paths[0]! } as IndexJob, () => {})
  for (const path of paths) folders.get(path)
  folders.get(paths[1]!)
  await folders.closeSurplus()
  expect(released).toEqual([paths[2], paths[3], paths[4]])
  finish({ outcomes: [] } as unknown as JobOutcome)
  await done
  folders.get(await made(join(root, 'one more')))
  await folders.closeSurplus()
  expect(released.at(-1)).toBe(paths[0])
  await folders.closeAll()
})

test.each(['commit', 'abort'] as const)('a folder stays open until a prepared batch has ended: %s', async (verdict) => {
  const root = temporaryFolder()
  const paths = await Promise.all(Array.from({ length: 34 }, (_, i) => made(join(root, String(i)))))
  const { folders, released } = openFolders()
  const outcome = { outcomes: [] } as unknown as JobOutcome
  const job = { outcome, commit: async () => outcome, abort: async () => {} }
  const indexing = folders.heldBy({ ...IDLE, prepare: () => ({ done: Promise.resolve(job), cancel: () => {} }) })
  const held = await indexing.prepare({ path: paths[0]! } as IndexJob, () => {}).done
  for (const path of paths) folders.get(path)
  await folders.closeSurplus()
  expect(released).toEqual([paths[1], paths[2]])
  await held[verdict]()
  folders.get(await made(join(root, 'one more')))
  await folders.closeSurplus()
  expect(released.at(-1)).toBe(paths[0])
  await held.abort()
  await folders.closeAll()
})

test('a folder that lacks names is told of when it is opened, and not again', async () => {
  const path = await made(join(temporaryFolder(), 'index'))
  const told: string[] = []
  const folders = new IndexFolders({ release: async () => {} }, (old) => told.push(old))
  const folder = folders.get(path)
  folder.write(() => folder.create(NOW, 'id'))
  await folders.release(path)
  folders
    .get(path)
    .write(() => folders.get(path).putMeta({ ...folders.get(path).meta()!, hasAllNames: undefined as never }))
  expect(told).toEqual([])
  await folders.release(path)
  folders.get(path)
  folders.get(path)
  expect(told).toEqual([path])
  await folders.closeAll()
})
