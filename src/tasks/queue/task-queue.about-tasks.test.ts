import { describe, expect, test } from 'vitest'
import { after, batchUids, countOf, details, openQueue, runTogether, statuses, until, views } from '../queue.cases.js'
import { temporaryFolder } from '../store/temporary-environment.cases.js'
import { createIndex, deleteIds, swapOf } from '../task.cases.js'

describe('cancelations', () => {
  test('a task that waits is canceled, and belongs to the batch of the cancelation', async () => {
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.cancel([0])
    })
    expect(test.queue.task(0, null)).toMatchObject({
      status: 'canceled',
      canceledBy: 1,
      batchUid: 0,
      error: null,
      details: { receivedDocuments: 1, indexedDocuments: 0 },
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(details(test, 1)).toEqual({ matchedTasks: 1, canceledTasks: 1, originalFilter: '?uids=0' })
    expect(test.queue.batch(0, null)).toMatchObject({
      details: {
        receivedDocuments: 1,
        indexedDocuments: 0,
        matchedTasks: 1,
        canceledTasks: 1,
        originalFilter: '?uids=0',
      },
      stats: {
        totalNbTasks: 2,
        status: { succeeded: 1, canceled: 1 },
        types: { documentAdditionOrUpdate: 1, taskCancelation: 1 },
      },
    })
    expect(test.queue.store.payload(0)).toBeUndefined()
    await test.close()
  })

  test('a finished task stays as it is', async () => {
    const test = await after(createIndex('a'))
    const before = test.queue.task(0, null)
    await test.cancel([0])
    await test.settle()
    expect(test.queue.task(0, null)).toEqual(before)
    expect(details(test, 1)).toEqual({ matchedTasks: 1, canceledTasks: 0, originalFilter: '?uids=0' })
    await test.close()
  })

  test('the running batch is rolled back; what was not meant is processed again', async () => {
    const test = openQueue()
    test.indexing.hold()
    await test.put(createIndex('b'))
    await until(() => test.queue.runningBatch !== undefined)
    await test.add('a', [{ id: 1 }])
    await test.add('a', [{ id: 2 }])
    test.indexing.release()
    test.indexing.hold()
    await until(() => test.queue.runningBatch?.tasks.length === 2)
    await test.cancel([1])
    test.indexing.release()
    await test.settle()
    expect(statuses(test)).toEqual(['succeeded', 'canceled', 'succeeded', 'succeeded'])
    expect(batchUids(test)).toEqual([0, 1, 2, 1])
    expect(countOf(test, 'a')).toBe(1)
    await test.close()
  })

  test('an index made for an addition that is canceled stays, empty', async () => {
    const test = openQueue()
    test.indexing.hold()
    await test.add('a', [{ id: 1 }])
    await until(() => test.queue.runningBatch !== undefined)
    await test.cancel([0])
    test.indexing.release()
    await test.settle()
    expect(statuses(test)).toEqual(['canceled', 'succeeded'])
    expect(countOf(test, 'a')).toBe(0)
    await test.close()
  })

  test('the last one runs first and can cancel the ones before', async () => {
    const test = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.cancel([0])
      await held.cancel([1])
    })
    expect(statuses(test)).toEqual(['succeeded', 'canceled', 'succeeded'])
    expect(views(test, 'canceledBy')).toEqual([{ canceledBy: null }, { canceledBy: 2 }, { canceledBy: null }])
    expect(details(test, 1)).toEqual({ matchedTasks: 1, canceledTasks: 0, originalFilter: '?uids=0' })
    await test.close()
  })

  test('one never matches itself or later tasks', async () => {
    const test = await after(createIndex('a'))
    await test.cancel([0, 1, 2])
    expect(details(test, 1)).toMatchObject({ matchedTasks: 1 })
    await test.close()
  })

  test('only tasks that the caller may see are matched', async () => {
    const test = openQueue({ limits: { maxTasks: 0, maxPayloadBytes: 0 } })
    await test.put(createIndex('a'))
    await test.put(createIndex('b'))
    await test.put(swapOf(['a', 'b']))
    const request = { filter: { statuses: null }, scope: (uid: string) => uid === 'a', query: '?statuses=*' }
    const enqueued = await test.queue.enqueueAboutTasks('taskCancelation', request)
    expect(enqueued).toMatchObject({ ok: true, value: { content: { matched: 1 } } })
    await test.close()
  })
})

describe('deletions of tasks', () => {
  test('a finished task and its batch are gone', async () => {
    const test = await after(createIndex('a'))
    await test.forget([0])
    await test.settle()
    expect([test.queue.task(0, null), test.queue.batch(0, null)]).toEqual([undefined, undefined])
    expect(details(test, 1)).toEqual({ matchedTasks: 1, deletedTasks: 1, originalFilter: '?uids=0' })
    await test.close()
  })

  test('two at once share a batch, and what is deleted counts once', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.put(createIndex('a'))
    await first.settle()
    await first.close()
    const test = await runTogether(async (held) => {
      await held.forget([0])
      await held.forget([0])
    }, folder)
    expect(views(test, 'uid', 'batchUid', 'details')).toEqual([
      { uid: 1, batchUid: 1, details: { matchedTasks: 1, deletedTasks: 1, originalFilter: '?uids=0' } },
      { uid: 2, batchUid: 1, details: { matchedTasks: 1, deletedTasks: 0, originalFilter: '?uids=0' } },
    ])
    expect(test.queue.batch(1, null)).toMatchObject({
      details: { matchedTasks: 2, deletedTasks: 1, originalFilter: '?uids=0&?uids=0' },
    })
    await test.close()
  })

  test('a task that waits is not deleted', async () => {
    const test = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.forget([0])
    })
    expect(statuses(test)).toEqual(['succeeded', 'succeeded'])
    expect(details(test, 1)).toEqual({ matchedTasks: 1, deletedTasks: 0, originalFilter: '?uids=0' })
    await test.close()
  })

  test('a batch that loses some of its tasks keeps its numbers, and is found by what is left', async () => {
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(deleteIds('a', ['7']))
    })
    await test.forget([1])
    await test.settle()
    const found = (filter: object) =>
      test.queue.batches(filter, { limit: 9, from: null, reverse: true }, null).results.map((b) => b.uid)
    expect(test.queue.batch(0, null)).toMatchObject({ stats: { totalNbTasks: 2 } })
    expect([found({ types: ['documentDeletion'] }), found({ types: ['documentAdditionOrUpdate'] })]).toEqual([[], [0]])
    await test.close()
  })

  test('uids are not used again', async () => {
    const test = await after(createIndex('a'), createIndex('b'))
    await test.forget([0, 1])
    await test.settle()
    expect((await test.put(createIndex('c'))).uid).toBe(3)
    await test.close()
  })
})
