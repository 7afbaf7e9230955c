import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import {
  batchUids,
  countOf,
  details,
  openQueue,
  queueAfter,
  runTogether,
  statuses,
  until,
  views,
} from '../queue.fixture.js'
import { createIndex, deleteIds, swapOf } from '../task.fixture.js'

describe('cancelations', () => {
  test('a task that waits is canceled, and belongs to the batch of the cancelation', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.cancel([0])
    })
    expect(run.queue.task(0, null)).toMatchObject({
      status: 'canceled',
      canceledBy: 1,
      batchUid: 0,
      error: null,
      details: { receivedDocuments: 1, indexedDocuments: 0 },
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(details(run, 1)).toEqual({ matchedTasks: 1, canceledTasks: 1, originalFilter: '?uids=0' })
    expect(run.queue.batch(0, null)).toMatchObject({
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
    expect(run.queue.store.payload(0)).toBeUndefined()
    await run.close()
  })

  test('a finished task stays as it is', async () => {
    const run = await queueAfter(createIndex('a'))
    const before = run.queue.task(0, null)
    await run.cancel([0])
    await run.settle()
    expect(run.queue.task(0, null)).toEqual(before)
    expect(details(run, 1)).toEqual({ matchedTasks: 1, canceledTasks: 0, originalFilter: '?uids=0' })
    await run.close()
  })

  test('the running batch is rolled back; what was not meant is processed again', async () => {
    const run = openQueue()
    run.indexing.hold()
    await run.put(createIndex('b'))
    await until(() => run.queue.runningBatch !== undefined)
    await run.add('a', [{ id: 1 }])
    await run.add('a', [{ id: 2 }])
    run.indexing.release()
    run.indexing.hold()
    await until(() => run.queue.runningBatch?.tasks.length === 2)
    await run.cancel([1])
    run.indexing.release()
    await run.settle()
    expect(statuses(run)).toEqual(['succeeded', 'canceled', 'succeeded', 'succeeded'])
    expect(batchUids(run)).toEqual([0, 1, 2, 1])
    expect(countOf(run, 'a')).toBe(1)
    await run.close()
  })

  test('an index made for an addition that is canceled stays, empty', async () => {
    const run = openQueue()
    run.indexing.hold()
    await run.add('a', [{ id: 1 }])
    await until(() => run.queue.runningBatch !== undefined)
    await run.cancel([0])
    run.indexing.release()
    await run.settle()
    expect(statuses(run)).toEqual(['canceled', 'succeeded'])
    expect(countOf(run, 'a')).toBe(0)
    await run.close()
  })

  test('the last one runs first and can cancel the ones before', async () => {
    const run = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.cancel([0])
      await held.cancel([1])
    })
    expect(statuses(run)).toEqual(['succeeded', 'canceled', 'succeeded'])
    expect(views(run, 'canceledBy')).toEqual([{ canceledBy: null }, { canceledBy: 2 }, { canceledBy: null }])
    expect(details(run, 1)).toEqual({ matchedTasks: 1, canceledTasks: 0, originalFilter: '?uids=0' })
    await run.close()
  })

  test('one never matches itself or later tasks', async () => {
    const run = await queueAfter(createIndex('a'))
    await run.cancel([0, 1, 2])
    expect(details(run, 1)).toMatchObject({ matchedTasks: 1 })
    await run.close()
  })

  test('only tasks that the caller may see are matched', async () => {
    const run = openQueue({ limits: { maxTasks: 0, maxPayloadBytes: 0 } })
    await run.put(createIndex('a'))
    await run.put(createIndex('b'))
    await run.put(swapOf(['a', 'b']))
    const request = { filter: { statuses: null }, scope: (uid: string) => uid === 'a', query: '?statuses=*' }
    const enqueued = await run.queue.enqueueAboutTasks('taskCancelation', request)
    expect(enqueued).toMatchObject({ ok: true, value: { content: { matched: 1 } } })
    await run.close()
  })
})

describe('deletions of tasks', () => {
  test('a finished task and its batch are gone', async () => {
    const run = await queueAfter(createIndex('a'))
    await run.forget([0])
    await run.settle()
    expect([run.queue.task(0, null), run.queue.batch(0, null)]).toEqual([undefined, undefined])
    expect(details(run, 1)).toEqual({ matchedTasks: 1, deletedTasks: 1, originalFilter: '?uids=0' })
    await run.close()
  })

  test('two at once share a batch, and what is deleted counts once', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.put(createIndex('a'))
    await first.settle()
    await first.close()
    const run = await runTogether(async (held) => {
      await held.forget([0])
      await held.forget([0])
    }, folder)
    expect(views(run, 'uid', 'batchUid', 'details')).toEqual([
      { uid: 1, batchUid: 1, details: { matchedTasks: 1, deletedTasks: 1, originalFilter: '?uids=0' } },
      { uid: 2, batchUid: 1, details: { matchedTasks: 1, deletedTasks: 0, originalFilter: '?uids=0' } },
    ])
    expect(run.queue.batch(1, null)).toMatchObject({
      details: { matchedTasks: 2, deletedTasks: 1, originalFilter: '?uids=0&?uids=0' },
    })
    await run.close()
  })

  test('a task that waits is not deleted', async () => {
    const run = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.forget([0])
    })
    expect(statuses(run)).toEqual(['succeeded', 'succeeded'])
    expect(details(run, 1)).toEqual({ matchedTasks: 1, deletedTasks: 0, originalFilter: '?uids=0' })
    await run.close()
  })

  test('a batch that loses some of its tasks keeps its numbers, and is found by what is left', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(deleteIds('a', ['7']))
    })
    await run.forget([1])
    await run.settle()
    const found = (filter: object) =>
      run.queue.batches(filter, { limit: 9, from: null, reverse: true }, null).results.map((b) => b.uid)
    expect(run.queue.batch(0, null)).toMatchObject({ stats: { totalNbTasks: 2 } })
    expect([found({ types: ['documentDeletion'] }), found({ types: ['documentAdditionOrUpdate'] })]).toEqual([[], [0]])
    await run.close()
  })

  test('uids are not used again', async () => {
    const run = await queueAfter(createIndex('a'), createIndex('b'))
    await run.forget([0, 1])
    await run.settle()
    expect((await run.put(createIndex('c'))).uid).toBe(3)
    await run.close()
  })
})
