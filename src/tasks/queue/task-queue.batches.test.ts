import { describe, expect, test } from 'vitest'
import {
  after,
  batchUids,
  countOf,
  details,
  errorCodes,
  openQueue,
  runTogether,
  statuses,
  views,
} from '../queue.cases.js'
import { temporaryFolder } from '../store/temporary-environment.cases.js'
import { createIndex, deleteAll, deleteByFilter, deleteIds, deleteIndex, settingsOf } from '../task.cases.js'

describe('documents', () => {
  test('an addition counts documents received and distinct ids indexed', async () => {
    const test = openQueue()
    await test.add('a', [{ id: 1 }, { id: 1 }, { id: 2 }])
    await test.settle()
    expect(details(test, 0)).toEqual({ receivedDocuments: 3, indexedDocuments: 2 })
    await test.close()
  })

  test('a document without an id fails its own task only', async () => {
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.add('a', [{ name: 'x' }, { id: 9 }])
      await held.add('a', [{ id: 2 }])
    })
    expect(batchUids(test)).toEqual([0, 0, 0])
    expect(errorCodes(test)).toEqual([null, 'missing_document_id', null])
    expect(details(test, 1)).toEqual({ receivedDocuments: 2, indexedDocuments: 0 })
    expect(countOf(test, 'a')).toBe(2)
    expect(test.queue.batch(0, null)).toMatchObject({
      details: { receivedDocuments: 4, indexedDocuments: 2 },
      stats: { status: { succeeded: 2, failed: 1 } },
    })
    await test.close()
  })

  test('a failing filter fails its own deletion only', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }, { id: 2 }])
    await first.settle()
    await first.close()
    const test = await runTogether(async (held) => {
      await held.put(deleteByFilter('a', '"nonsense"'))
      await held.put(deleteByFilter('a', '"0"'))
    }, folder)
    expect(batchUids(test)).toEqual([0, 1, 1])
    expect(errorCodes(test)).toEqual([null, 'invalid_document_filter', null])
    expect(details(test, 1)).toEqual({ providedIds: 0, deletedDocuments: 0, originalFilter: '"nonsense"' })
    expect(details(test, 2)).toEqual({ providedIds: 0, deletedDocuments: 1, originalFilter: '"0"' })
    await test.close()
  })

  test('an addition absorbed by a deletion of all documents succeeds without a count', async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }, { id: 2 }])
    await first.settle()
    await first.close()
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 3 }])
      await held.put(deleteIds('a', ['1']))
      await held.put(deleteAll('a'))
      await held.put(deleteAll('a'))
    }, folder)
    expect(statuses(test).slice(1)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    expect(details(test, 1)).toEqual({ receivedDocuments: 1, indexedDocuments: null })
    expect(details(test, 2)).toEqual({ providedIds: 1, deletedDocuments: null, originalFilter: null })
    expect([details(test, 3), details(test, 4)]).toEqual([{ deletedDocuments: 2 }, { deletedDocuments: 0 }])
    expect(countOf(test, 'a')).toBe(0)
    await test.close()
  })

  test('an addition and the deletion of its missing index both succeed', async () => {
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }])
      await held.put(deleteIndex('a'))
    })
    expect(views(test, 'batchUid', 'status', 'details')).toEqual([
      { batchUid: 0, status: 'succeeded', details: { receivedDocuments: 1, indexedDocuments: 0 } },
      { batchUid: 0, status: 'succeeded', details: { deletedDocuments: 0 } },
    ])
    expect(test.queue.catalogue.get('a')).toBeUndefined()
    await test.close()
  })

  test('deletions in a missing index fail, together with the deletion of the index', async () => {
    const test = await runTogether(async (held) => {
      await held.put(deleteIds('a'))
      await held.put(deleteIndex('a'))
    })
    expect(batchUids(test)).toEqual([0, 0])
    expect(errorCodes(test)).toEqual(['index_not_found', 'index_not_found'])
    await test.close()
  })

  test("an addition with a primary key that is not the index's fails alone", async () => {
    const folder = temporaryFolder()
    const first = openQueue({ folder })
    await first.add('a', [{ id: 1 }])
    await first.settle()
    await first.close()
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 2 }], { primaryKey: 'other' })
      await held.add('a', [{ id: 3 }])
    }, folder)
    expect(errorCodes(test)).toEqual([null, 'index_primary_key_already_exists', null])
    expect(batchUids(test)).toEqual([0, 1, 2])
    await test.close()
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
    const test = await runTogether(async (held) => {
      await held.add('a', [{ id: 1 }], { allowIndexCreation: false })
      await held.add('a', [{ id: 2 }])
    })
    expect(batchUids(test)).toEqual([0, 1])
    expect(errorCodes(test)).toEqual(['index_not_found', null])
    await test.close()
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
    const test = await runTogether(async (held) => {
      await held.put(createIndex('a'))
      await held.put(settingsOf('a', { stopWords: ['x'] }))
      await held.put(settingsOf('a', { typoTolerance: { minWordSizeForTypos: { oneTypo: 20 } } }))
    })
    expect(batchUids(test)).toEqual([0, 1, 1])
    const errors = views(test, 'error') as { error: unknown }[]
    expect(errors[1]?.error).toEqual(errors[2]?.error)
    expect(errorCodes(test)).toEqual([null, 'invalid_settings_typo_tolerance', 'invalid_settings_typo_tolerance'])
    await test.close()
  })

  test('with no task allowed in a batch everything stays enqueued', async () => {
    const test = openQueue({ limits: { maxTasks: 0, maxPayloadBytes: 0 } })
    await test.put(createIndex('a'))
    await test.cancel([0])
    await test.forget([0])
    await new Promise((resolve) => setImmediate(resolve))
    expect(statuses(test)).toEqual(['enqueued', 'enqueued', 'enqueued'])
    await test.close()
  })
})

test('an import without documents succeeds', async () => {
  const test = await after(createIndex('a'))
  await test.add('a', [])
  await test.settle()
  expect(details(test, 1)).toEqual({ receivedDocuments: 0, indexedDocuments: 0 })
  await test.close()
})
