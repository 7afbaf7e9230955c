import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INLINE_BYTES } from '../../payload/index.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import {
  batchUids,
  countOf,
  details,
  errorCodes,
  openQueue,
  queueAfter,
  runTogether,
  statuses,
  until,
  views,
} from '../queue.fixture.js'
import { compactIndex, createIndex, deleteAll, deleteIndex, settingsOf, swapOf, updateIndex } from '../task.fixture.js'

test('the first task of a new queue has uid 0 and ends in batch 0', async () => {
  const run = openQueue()
  const task = await run.put(createIndex('movies'))
  expect(task).toMatchObject({ uid: 0, status: 'enqueued', batchUid: null })
  await run.settle()
  expect(run.queue.task(0, null)).toMatchObject({
    uid: 0,
    batchUid: 0,
    indexUid: 'movies',
    status: 'succeeded',
    type: 'indexCreation',
    details: { primaryKey: null },
    error: null,
  })
  await run.close()
})

test('all tasks of a batch share its times', async () => {
  const run = await runTogether(async (held) => {
    await held.put(createIndex('a'))
    await held.add('a', [{ id: 1 }])
    await held.add('a', [{ id: 2 }])
  })
  expect(batchUids(run)).toEqual([0, 1, 1])
  const times = views(run, 'startedAt', 'finishedAt', 'duration')
  expect(times[1]).toEqual(times[2])
  expect(run.queue.batch(1, null)).toMatchObject(times[1] as object)
  await run.close()
})

test('a finished creation without a key leaves a batch without details', async () => {
  const run = await queueAfter(createIndex('a'))
  expect(run.queue.batch(0, null)).toMatchObject({
    progress: null,
    details: {},
    stats: { totalNbTasks: 1, status: { succeeded: 1 }, types: { indexCreation: 1 }, indexUids: { a: 1 } },
  })
  await run.close()
})

describe('while a batch runs', () => {
  test('its tasks are processing and its progress has an outermost step of two', async () => {
    const run = await queueAfter(createIndex('a'))
    run.indexing.hold()
    await run.add('a', [{ id: 1 }])
    await until(() => run.queue.runningBatch !== undefined)
    expect(run.queue.task(1, null)).toMatchObject({
      status: 'processing',
      batchUid: 1,
      startedAt: expect.any(String),
      finishedAt: null,
      duration: null,
      details: { receivedDocuments: 1, indexedDocuments: null },
    })
    expect(run.queue.batch(1, null)).toMatchObject({
      progress: { steps: [{ currentStep: 'processing tasks', finished: 0, total: 2 }], percentage: 0 },
      stats: { status: { processing: 1 } },
      finishedAt: null,
    })
    expect(run.queue.isIndexing('a')).toBe(true)
    const uids = (filter: object) =>
      run.queue.tasks(filter, { limit: 9, from: null, reverse: false }, null).results.map((r) => r.uid)
    expect([uids({ statuses: ['processing'] }), uids({ statuses: ['enqueued'] }), uids({ batchUids: [1] })]).toEqual([
      [1],
      [],
      [1],
    ])
    run.indexing.release()
    await run.settle()
    expect(run.queue.isIndexing('a')).toBe(false)
    await run.close()
  })

  test('its tasks stay processing until their end is on disk', async () => {
    const run = await queueAfter(createIndex('a'))
    const seen: unknown[] = []
    const { write } = run.queue.store
    run.queue.store.write = async function <T>(work: () => T): Promise<T> {
      return write.call(this, () => {
        const value = work()
        if (run.queue.runningBatch) seen.push(run.queue.task(1, null))
        return value
      }) as Promise<T>
    }
    await run.put(deleteAll('a'))
    await run.settle()
    expect(seen).toMatchObject([{ status: 'processing', finishedAt: null, details: { deletedDocuments: null } }])
    await run.close()
  })
})

describe('durability', () => {
  test('tasks, batches and documents are there after a restart, and the counters go on', async () => {
    const first = await queueAfter(createIndex('a', 'id'))
    await first.add('a', [{ id: 1 }, { id: 2 }])
    await first.settle()
    const before = views(first, 'uid', 'batchUid', 'status', 'details', 'startedAt', 'finishedAt')
    await first.close()

    const second = openQueue({ folder: first.folder })
    expect(views(second, 'uid', 'batchUid', 'status', 'details', 'startedAt', 'finishedAt')).toEqual(before)
    expect(countOf(second, 'a')).toBe(2)
    await second.put(deleteAll('a'))
    await second.settle()
    expect(second.queue.task(2, null)).toMatchObject({ batchUid: 2, details: { deletedDocuments: 2 } })
    await second.close()
  })

  test('a payload too large for the task store goes to a file, which goes with its task', async () => {
    const folder = temporaryFolder()
    const documents = [{ id: 1, text: 'x'.repeat(2 * INLINE_BYTES) }]
    const files = () => readdirSync(join(folder, 'updates'))
    const run = await runTogether(async (held) => {
      await held.add('a', documents)
      expect(files()).toHaveLength(1)
    }, folder)
    expect(statuses(run)).toEqual(['succeeded'])
    expect(countOf(run, 'a')).toBe(1)
    await until(() => files().length === 0)
    await run.close()
  })

  test('folders and payloads that nobody refers to are deleted at the start', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'indexes', 'lost'), { recursive: true })
    mkdirSync(join(folder, 'updates'))
    writeFileSync(join(folder, 'updates', 'lost'), '')
    const run = openQueue({ folder })
    expect([readdirSync(join(folder, 'indexes')), readdirSync(join(folder, 'updates'))]).toEqual([[], []])
    await run.close()
  })

  test('a batch whose end cannot be written is done again, and counts once', async () => {
    const run = await queueAfter(createIndex('a'))
    const { write } = run.environment
    let failures = 0
    run.environment.write = async function <T>(work: () => T): Promise<T> {
      if (run.queue.runningBatch && failures++ === 0) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
      return write.call(this, work) as Promise<T>
    }
    await run.add('a', [{ id: 1 }, { id: 2 }])
    await run.settle()
    expect(run.logged.join()).toContain('disk full')
    expect(run.queue.task(1, null)).toMatchObject({
      status: 'succeeded',
      batchUid: 1,
      details: { indexedDocuments: 2 },
    })
    expect(countOf(run, 'a')).toBe(2)
    await run.close()
  })

  test('stopping lets the running batch end and leaves the others enqueued', async () => {
    const run = await queueAfter(createIndex('a'))
    run.indexing.hold()
    await run.add('a', [{ id: 1 }])
    await until(() => run.queue.runningBatch !== undefined)
    await run.put(deleteAll('a'))
    const closed = run.close()
    run.indexing.release()
    await closed
    const reopened = openQueue({ folder: run.folder, limits: { maxTasks: 0, maxPayloadBytes: 0 } })
    expect(statuses(reopened)).toEqual(['succeeded', 'succeeded', 'enqueued'])
    await reopened.close()
  })
})

describe('single tasks', () => {
  test('an index that exists is not created again', async () => {
    const run = await queueAfter(createIndex('a'), createIndex('a'))
    expect(errorCodes(run)).toEqual([null, 'index_already_exists'])
    await run.close()
  })

  test('a deleted index is gone from the disk', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }, { id: 2 }])
    await run.put(deleteIndex('a'))
    await run.settle()
    expect(details(run, 1)).toEqual({ deletedDocuments: 2 })
    await until(() => readdirSync(join(run.folder, 'indexes')).length === 0)
    await run.close()
  })

  test('the compaction of a missing index fails with empty details', async () => {
    const run = await queueAfter(compactIndex('missing'))
    expect(run.queue.task(0, null)).toMatchObject({ status: 'failed', error: { code: 'index_not_found' } })
    expect(details(run, 0)).toEqual({})
    await run.close()
  })

  test('a compaction shows both sizes and keeps the documents', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }])
    await run.put(compactIndex('a'))
    await run.settle()
    const size = expect.stringMatching(/^[\d.]+ (B|KB|KiB|MB|MiB)$/)
    expect(details(run, 1)).toEqual({ preCompactionSize: size, postCompactionSize: size })
    await run.add('a', [{ id: 2 }])
    await run.settle()
    expect(countOf(run, 'a')).toBe(2)
    await run.close()
  })

  test('a compaction that fails leaves the index where it was, and no half of a copy', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }])
    await run.settle()
    run.indexing.compact = async (_, toPath) => {
      mkdirSync(toPath)
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    await run.put(compactIndex('a'))
    await run.settle()
    expect(run.queue.task(1, null)).toMatchObject({ status: 'failed', error: { code: 'no_space_left_on_device' } })
    expect(readdirSync(join(run.folder, 'indexes'))).toEqual([run.queue.catalogue.get('a')!.folder])
    expect(countOf(run, 'a')).toBe(1)
    await run.close()
  })

  test('an index whose file is full of holes gets a smaller one, unless more is to come', async () => {
    const run = openQueue()
    const noise = () => randomBytes(12_000).toString('base64')
    await run.put(settingsOf('a', { searchableAttributes: ['id'] }))
    await run.add('a', [{ id: 0 }, ...Array.from({ length: 500 }, (_, i) => ({ id: i + 1, text: noise() }))])
    await run.settle()
    const full = run.queue.catalogue.get('a')!
    expect(full.stats.sizeBytes).toBeGreaterThan(6e6)
    const ids = Array.from({ length: 500 }, (_, i) => String(i + 1))
    await run.put({ type: 'documentDeletion', indexUid: 'a', selection: { by: 'ids', ids } })
    await run.settle()
    const small = run.queue.catalogue.get('a')!
    expect(small.stats.sizeBytes).toBeLessThan(1e6)
    expect(small.stats.usedBytes).toBeLessThanOrEqual(small.stats.sizeBytes)
    expect(countOf(run, 'a')).toBe(1)
    await until(() => readdirSync(join(run.folder, 'indexes')).join() === small.folder)
    await run.add('a', [{ id: 5 }])
    await run.settle()
    expect(run.queue.catalogue.get('a')).toMatchObject({ folder: small.folder, stats: { numberOfDocuments: 2 } })
    await run.close()
  })
})

describe('what a caller may see', () => {
  test('tasks about everything, and tasks of other indexes, are hidden from a caller limited to some', async () => {
    const run = await queueAfter(createIndex('a'), createIndex('b'), swapOf(['a', 'b']), updateIndex('a', 'c'))
    await run.cancel([0])
    await run.settle()
    const scope = (uid: string) => uid === 'b'
    // The swap made the first task one of index "b".
    const page = run.queue.tasks({}, { limit: 20, from: null, reverse: false }, scope)
    expect(page).toMatchObject({ results: [{ uid: 0 }], total: 5, from: 0, next: null })
    expect([0, 1, 2, 3, 4].map((uid) => run.queue.task(uid, scope) !== undefined)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    expect([0, 1, 2, 3, 4].map((uid) => run.queue.batch(uid, scope) !== undefined)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    await run.close()
  })
})

describe('webhooks', () => {
  test('are told once for each batch, of all its tasks in order, the canceled ones included', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(createIndex('b'))
      await held.cancel([0])
    })
    const told = run.notified.map((lines) => lines.map((line) => JSON.parse(line)))
    expect(told.map((batch) => batch.map((task) => [task.uid, task.status]))).toEqual([
      [
        [0, 'canceled'],
        [2, 'succeeded'],
      ],
      [[1, 'succeeded']],
    ])
    expect(told[1]?.[0]).toEqual(run.queue.task(1, null))
    await run.close()
  })
})

describe('options of enqueuing', () => {
  test('metadata is kept word for word', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }], {}, { customMetadata: ' x=1 ' })
    await run.settle()
    expect(run.queue.task(0, null)).toMatchObject({ customMetadata: ' x=1 ' })
    await run.close()
  })

  test('a uid can be given when it is not below the next, which then follows it', async () => {
    const run = await queueAfter(createIndex('a'))
    expect((await run.put(createIndex('b'), { taskId: 44 })).uid).toBe(44)
    const refused = await run.queue.enqueue(createIndex('c'), { taskId: 44 })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'bad_request' } })
    expect(refused.ok ? '' : refused.failure.message).toMatch(/45.*44/)
    expect((await run.put(createIndex('c'))).uid).toBe(45)
    await run.settle()
    await run.close()
  })

  test('a dry run answers as usual and leaves nothing, not even the file of its payload', async () => {
    const run = openQueue()
    const task = await run.add('a', [{ id: 1, text: 'x'.repeat(2 * INLINE_BYTES) }], {}, { dryRun: true })
    expect(task).toMatchObject({ uid: 0, status: 'enqueued' })
    expect(run.queue.task(0, null)).toBeUndefined()
    expect(readdirSync(join(run.folder, 'updates'))).toEqual([])
    await run.close()
  })

  test('a dry run of a cancelation stops nothing', async () => {
    const run = await queueAfter(createIndex('a'))
    run.indexing.hold()
    await run.add('a', [{ id: 1 }])
    await until(() => run.queue.runningBatch !== undefined)
    const request = { filter: { uids: [1] }, scope: null, query: '?uids=1' }
    await run.queue.enqueueAboutTasks('taskCancelation', request, { dryRun: true })
    run.indexing.release()
    await run.settle()
    expect(batchUids(run)).toEqual([0, 1])
    await run.close()
  })
})

describe('a queue that is too long', () => {
  test('deletes its oldest finished tasks by itself', async () => {
    const run = openQueue({ cleanUp: { maxTasks: 4, deleteCount: 3 } })
    for (const uid of ['a', 'b', 'c', 'd']) {
      await run.put(createIndex(uid))
      await run.settle()
    }
    await run.put(createIndex('e'))
    await run.settle()
    const uids = (views(run, 'uid') as { uid: number }[]).map(({ uid }) => uid)
    expect(uids).toEqual([3, 4, 5])
    // Task 2 was enqueued at the seventh tick of the clock; one nanosecond later nothing else was.
    expect(details(run, 4)).toEqual({
      matchedTasks: 3,
      deletedTasks: 3,
      originalFilter: expect.stringMatching(
        /^\?beforeEnqueuedAt=2026-01-05T10:00:00\.\d{3}000001Z&statuses=succeeded,failed,canceled$/,
      ),
    })
    await run.close()
  })

  test('refuses everything but what makes room when its store is full', async () => {
    const run = await queueAfter(createIndex('a'))
    const full = openQueue({ folder: temporaryFolder(), maxStoreBytes: 0 })
    expect(await full.queue.enqueue(createIndex('a'))).toMatchObject({
      ok: false,
      failure: { code: 'no_space_left_on_device' },
    })
    const nothing = { filter: { uids: [7] }, scope: null, query: '?uids=7' }
    expect(await full.queue.enqueueAboutTasks('taskDeletion', nothing)).toMatchObject({ ok: false })
    await full.close()
    await run.close()

    const again = openQueue({ folder: run.folder, maxStoreBytes: 0 })
    expect(await again.queue.enqueue(createIndex('b'))).toMatchObject({
      ok: false,
      failure: { code: 'no_space_left_on_device' },
    })
    await again.forget([0])
    await again.settle()
    expect(again.queue.task(0, null)).toBeUndefined()
    await again.close()
  })
})

test('a payload is there as long as its task is not finished', async () => {
  const run = openQueue({ limits: { maxTasks: 0, maxPayloadBytes: 0 } })
  const small = await run.add('a', [{ id: 1 }])
  const large = await run.add('a', [{ id: 1, text: 'x'.repeat(2 * INLINE_BYTES) }])
  expect(run.queue.payloadOf(small)).toMatchObject({ bytes: expect.any(Uint8Array) })
  expect(run.queue.payloadOf(large)).toMatchObject({ path: expect.any(String) })
  expect(run.queue.payloadOf({ ...small, status: 'succeeded' })).toBeUndefined()
  expect(run.queue.payloadOf({ ...small, content: createIndex('a') })).toBeUndefined()
  await run.close()
})

test('many additions at once are all registered, in one order, and processed once', async () => {
  const run = await queueAfter(createIndex('a'))
  const tasks = await Promise.all(Array.from({ length: 60 }, (_, id) => run.add('a', [{ id }])))
  expect(new Set(tasks.map((task) => task.uid)).size).toBe(60)
  await run.settle()
  expect(new Set(statuses(run))).toEqual(new Set(['succeeded']))
  expect(countOf(run, 'a')).toBe(60)
  expect(run.notified.flat()).toHaveLength(61)
  await run.close()
})
