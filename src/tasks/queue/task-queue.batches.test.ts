import { describe, expect, test } from 'vitest'
import { FailureError, failure } from '../../errors/index.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import {
  batchUids,
  countOf,
  details,
  errorCodes,
  HeldIndexing,
  openQueue,
  queueAfter,
  runTogether,
  statuses,
  until,
  views,
} from '../queue.fixture.js'
import type { Indexing } from '../run/indexing.js'
import { createIndex, deleteAll, deleteByFilter, deleteIds, deleteIndex, settingsOf } from '../task.fixture.js'

describe('documents', () => {
  test('an addition counts documents received and distinct ids indexed', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }, { id: 1 }, { id: 2 }])
    await run.settle()
    expect(details(run, 0)).toEqual({ receivedDocuments: 3, indexedDocuments: 2 })
    await run.close()
  })

  test('a document without an id fails its own task only', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.add('a', [{ name: 'x' }, { id: 9 }])
      await held.add('a', [{ id: 2 }])
    })
    expect(batchUids(run)).toEqual([0, 0, 0])
    expect(errorCodes(run)).toEqual([null, 'missing_document_id', null])
    expect(details(run, 1)).toEqual({ receivedDocuments: 2, indexedDocuments: 0 })
    expect(countOf(run, 'a')).toBe(2)
    expect(run.queue.batch(0, null)).toMatchObject({
      details: { receivedDocuments: 4, indexedDocuments: 2 },
      stats: { status: { succeeded: 2, failed: 1 } },
    })
    await run.close()
  })

  test('a failing filter fails its own deletion only', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }, { id: 2 }])
    await first.settle()
    await first.close()
    const run = await runTogether(async (held) => {
      await held.put(deleteByFilter('a', '"nonsense"'))
      await held.put(deleteByFilter('a', '"0"'))
    }, folder)
    expect(batchUids(run)).toEqual([0, 1, 1])
    expect(errorCodes(run)).toEqual([null, 'invalid_document_filter', null])
    expect(details(run, 1)).toEqual({ providedIds: 0, deletedDocuments: 0, originalFilter: '"nonsense"' })
    expect(details(run, 2)).toEqual({ providedIds: 0, deletedDocuments: 1, originalFilter: '"0"' })
    await run.close()
  })

  test('an addition absorbed by a deletion of all documents succeeds without a count', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }, { id: 2 }])
    await first.settle()
    await first.close()
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 3 }])
      await held.put(deleteIds('a', ['1']))
      await held.put(deleteAll('a'))
      await held.put(deleteAll('a'))
    }, folder)
    expect(statuses(run).slice(1)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    expect(details(run, 1)).toEqual({ receivedDocuments: 1, indexedDocuments: null })
    expect(details(run, 2)).toEqual({ providedIds: 1, deletedDocuments: null, originalFilter: null })
    expect([details(run, 3), details(run, 4)]).toEqual([{ deletedDocuments: 2 }, { deletedDocuments: 0 }])
    expect(countOf(run, 'a')).toBe(0)
    await run.close()
  })

  test('an addition and the deletion of its missing index both succeed', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(deleteIndex('a'))
    })
    expect(views(run, 'batchUid', 'status', 'details')).toEqual([
      { batchUid: 0, status: 'succeeded', details: { receivedDocuments: 1, indexedDocuments: 0 } },
      { batchUid: 0, status: 'succeeded', details: { deletedDocuments: 0 } },
    ])
    expect(run.queue.catalogue.get('a')).toBeUndefined()
    await run.close()
  })

  test('deletions in a missing index fail, together with the deletion of the index', async () => {
    const run = await runTogether(async (held) => {
      await held.put(deleteIds('a'))
      await held.put(deleteIndex('a'))
    })
    expect(batchUids(run)).toEqual([0, 0])
    expect(errorCodes(run)).toEqual(['index_not_found', 'index_not_found'])
    await run.close()
  })

  test("an addition with a primary key that is not the index's fails alone", async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }])
    await first.settle()
    await first.close()
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 2 }], { primaryKey: 'other' })
      await held.add('a', [{ id: 3 }])
    }, folder)
    expect(errorCodes(run)).toEqual([null, 'index_primary_key_already_exists', null])
    expect(batchUids(run)).toEqual([0, 1, 2])
    await run.close()
  })
})

describe('batches of several tasks', () => {
  test('a key that would disturb inference waits for a batch of its own, one that comes first does not', async () => {
    const inferred = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.add('a', [{ id: 1, x: 1 }])
      await held.add('a', [{ id: 2, x: 2 }], { primaryKey: 'x' })
    })
    expect(batchUids(inferred)).toEqual([0, 1, 2])
    await inferred.close()
    const named = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.add('a', [{ id: 2, x: 2 }], { primaryKey: 'x' })
      await held.add('a', [{ id: 1, x: 1 }])
    })
    expect(batchUids(named)).toEqual([0, 1, 1])
    expect(named.queue.catalogue.get('a')?.stats.primaryKey).toBe('x')
    await named.close()
  })

  test('without the right to create the index an addition fails, and does not hold back one that has it', async () => {
    const run = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }], { allowIndexCreation: false })
      await held.add('a', [{ id: 2 }])
    })
    expect(batchUids(run)).toEqual([0, 1])
    expect(errorCodes(run)).toEqual(['index_not_found', null])
    await run.close()
  })

  test('settings and additions are not batched; settings, a clear and deletions are', async () => {
    const apart = await runTogether(async (held) => {
      await held.put(settingsOf('a'))
      await held.add('a', [{ id: 1 }])
    })
    expect(batchUids(apart)).toEqual([0, 1])
    await apart.close()
    const together = await runTogether(async (held) => {
      await held.put(settingsOf('a', { stopWords: ['x'] }))
      await held.put(deleteAll('a'))
      await held.put(deleteIds('a'))
      await held.put(settingsOf('a', { stopWords: ['y'] }))
    })
    expect(batchUids(together)).toEqual([0, 0, 0, 0])
    expect(statuses(together)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    expect(together.queue.batch(0, null)).toMatchObject({
      details: { stopWords: ['y'], deletedDocuments: 0, providedIds: 1 },
    })
    await together.close()
  })

  test('a deletion by filter does not follow an addition, but an addition follows it', async () => {
    const apart = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(deleteByFilter('a', '""'))
    })
    expect(batchUids(apart)).toEqual([0, 1])
    await apart.close()
    const together = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.put(deleteByFilter('a', '""'))
      await held.add('a', [{ id: 1 }])
    })
    expect(batchUids(together)).toEqual([0, 1, 1])
    await together.close()
  })

  test('settings that cannot be applied fail all settings of the batch', async () => {
    const run = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.put(settingsOf('a', { stopWords: ['x'] }))
      await held.put(settingsOf('a', { typoTolerance: { minWordSizeForTypos: { oneTypo: 20 } } }))
    })
    expect(batchUids(run)).toEqual([0, 1, 1])
    const errors = views(run, 'error') as { error: unknown }[]
    expect(errors[1]?.error).toEqual(errors[2]?.error)
    expect(errorCodes(run)).toEqual([null, 'invalid_settings_typo_tolerance', 'invalid_settings_typo_tolerance'])
    await run.close()
  })

  test('with no task allowed in a batch everything stays enqueued', async () => {
    const run = openQueue({ limits: { maxTasks: 0, maxPayloadBytes: 0 } })
    await run.put(createIndex('a'))
    await run.cancel([0])
    await run.forget([0])
    await new Promise((resolve) => setImmediate(resolve))
    expect(statuses(run)).toEqual(['enqueued', 'enqueued', 'enqueued'])
    await run.close()
  })
})

test('an import without documents succeeds', async () => {
  const run = await queueAfter(createIndex('a'))
  await run.add('a', [])
  await run.settle()
  expect(details(run, 1)).toEqual({ receivedDocuments: 0, indexedDocuments: 0 })
  await run.close()
})

describe('requests to embedders', () => {
  /** Reports requests in each job that imports documents, and fails it if told so. */
  function asking(isFailing: boolean) {
    const inner = new HeldIndexing()
    const indexing: Indexing = {
      start: () => {},
      run(job, onProgress, onRequests) {
        if (job.work.kind !== 'documents') return inner.run(job, onProgress, onRequests)
        onRequests?.({ total: 1, failed: 0 })
        onRequests?.({ total: 3, failed: 1, lastError: 'busy' })
        if (!isFailing) return inner.run(job, onProgress, onRequests)
        return { done: Promise.reject(new FailureError(failure('vector_embedding_error', 'no'))), cancel: () => {} }
      },
      prepare: (...args) => inner.prepare(...args),
      compact: (...args) => inner.compact(...args),
      upgrade: (...args) => inner.upgrade(...args),
      refreshSets: (path) => inner.refreshSets(path),
      completeNames: (path) => inner.completeNames(path),
      release: (path) => inner.release(path),
      close: () => inner.close(),
    }
    return { inner, indexing }
  }

  const requests = { total: 3, failed: 1, lastError: 'busy' }

  test('are told while the batch runs, and afterwards', async () => {
    const { inner, indexing } = asking(false)
    const run = openQueue({ indexing })
    inner.hold()
    await run.add('a', [{ id: 1 }])
    await until(() => run.queue.runningBatch?.requests !== undefined)
    expect(run.queue.batch(0, null)).toMatchObject({ progress: {}, stats: { embedderRequests: requests } })
    inner.release()
    await run.settle()
    expect(run.queue.batch(0, null)).toMatchObject({ progress: null, stats: { embedderRequests: requests } })
    await run.put(deleteIds('a', ['1']))
    await run.settle()
    expect(run.queue.batch(1, null)?.stats).not.toHaveProperty('embedderRequests')
    await indexing.close()
    await run.close()
  })

  test('are told of a batch that failed too', async () => {
    const { indexing } = asking(true)
    const run = openQueue({ indexing })
    await run.add('a', [{ id: 1 }])
    await run.settle()
    expect(errorCodes(run)).toEqual(['vector_embedding_error'])
    expect(run.queue.batch(0, null)).toMatchObject({ stats: { embedderRequests: requests } })
    await indexing.close()
    await run.close()
  })
})
