import { describe, expect, test } from 'vitest'
import { details, errorCodes, openQueue, queueAfter, statuses, views } from '../queue.fixture.js'
import { createIndex, swapOf, updateIndex } from '../task.fixture.js'

describe('swaps and renames', () => {
  test('indexes and the history of older tasks change names', async () => {
    const run = await queueAfter(createIndex('a', 'x'), createIndex('b', 'y'))
    await run.put(swapOf(['a', 'b']))
    await run.put(createIndex('c'))
    await run.settle()
    expect(views(run, 'indexUid')).toEqual([
      { indexUid: 'b' },
      { indexUid: 'a' },
      { indexUid: null },
      { indexUid: 'c' },
    ])
    expect(run.queue.catalogue.get('a')?.stats.primaryKey).toBe('y')
    expect(run.queue.batch(0, null)).toMatchObject({ stats: { indexUids: { a: 1 } } })
    await run.close()
  })

  test('a rename by swap leaves one name, and the swap itself still counts for the other', async () => {
    const run = await queueAfter(createIndex('a'))
    await run.put(swapOf(['a', 'b', true]))
    await run.settle()
    const page = { limit: 20, from: null, reverse: false }
    expect(run.queue.tasks({ indexUids: ['a'] }, page, null)).toEqual({
      results: [],
      total: 1,
      limit: 20,
      from: null,
      next: null,
    })
    expect(run.queue.tasks({ indexUids: ['b'] }, page, null)).toMatchObject({
      results: [{ uid: 0, indexUid: 'b' }],
      total: 2,
    })
    expect(run.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await run.close()
  })

  test('earlier swaps show the new names', async () => {
    const run = await queueAfter(createIndex('a'), createIndex('b'), createIndex('c'))
    await run.put(swapOf(['a', 'b']))
    await run.put(swapOf(['b', 'c']))
    await run.settle()
    expect(details(run, 3)).toEqual({ swaps: [{ indexes: ['a', 'c'], rename: false }] })
    expect(details(run, 4)).toEqual({ swaps: [{ indexes: ['b', 'c'], rename: false }] })
    await run.close()
  })

  test('a swap without pairs succeeds', async () => {
    const run = await queueAfter(swapOf())
    expect(run.queue.task(0, null)).toMatchObject({ status: 'succeeded', details: { swaps: [] } })
    await run.close()
  })

  test('missing indexes fail the swap, all of them named', async () => {
    const run = await queueAfter(swapOf(['b', 'a']))
    expect(run.queue.task(0, null)).toMatchObject({ status: 'failed', error: { code: 'index_not_found' } })
    expect(run.queue.task(0, null)).toMatchObject({ error: { message: expect.stringMatching(/a.*b/) } })
    await run.close()
  })

  test('a rename onto an index that exists fails', async () => {
    const run = await queueAfter(createIndex('a'), createIndex('b'), swapOf(['a', 'b', true]), swapOf(['x', 'b', true]))
    expect(errorCodes(run).slice(2)).toEqual(['index_already_exists', 'index_not_found'])
    await run.close()
  })

  test('a rename by update moves the index and its history, and shows both names', async () => {
    const run = await queueAfter(createIndex('a'), updateIndex('a', 'b'))
    expect(views(run, 'indexUid', 'details')).toEqual([
      { indexUid: 'b', details: { primaryKey: null } },
      { indexUid: 'a', details: { primaryKey: null, oldIndexUid: 'a', newIndexUid: 'b' } },
    ])
    expect(run.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await run.close()
  })

  test('the names in the details of a rename outlive a later swap', async () => {
    const run = await queueAfter(
      createIndex('a'),
      createIndex('z'),
      updateIndex('a', 'b'),
      createIndex('a'),
      swapOf(['a', 'z']),
    )
    expect(run.queue.task(2, null)).toMatchObject({ indexUid: 'z', details: { oldIndexUid: 'a', newIndexUid: 'b' } })
    await run.close()
  })

  test('22.4.10: of the old name the rename alone is left, other tasks go to the new one', async () => {
    const run = await queueAfter(
      createIndex('x'),
      updateIndex('x', 'old'),
      updateIndex('old', 'old'),
      updateIndex('old'),
      updateIndex('missing', 'old'),
      updateIndex('old', 'new'),
    )
    const listed = (uid: string) =>
      run.queue
        .tasks({ indexUids: [uid] }, { limit: 20, from: null, reverse: true }, null)
        .results.map((task) => task.uid)
    expect(listed('old')).toEqual([5])
    expect(listed('new')).toEqual([0, 1, 2, 3, 4, 5])
    expect(listed('x')).toEqual([1])
    expect(run.queue.task(2, null)).toMatchObject({
      indexUid: 'new',
      details: { oldIndexUid: 'old', newIndexUid: 'old' },
    })
    expect(run.queue.task(1, null)).toMatchObject({ indexUid: 'x', details: { oldIndexUid: 'x', newIndexUid: 'old' } })
    await run.close()
  })

  test('a rename to the same name changes nothing', async () => {
    const run = await queueAfter(createIndex('a'), updateIndex('a', 'a'))
    expect(statuses(run)).toEqual(['succeeded', 'succeeded'])
    expect(run.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['a'])
    await run.close()
  })

  test('a refused primary key leaves the new name', async () => {
    const run = openQueue()
    await run.add('a', [{ id: 1 }])
    await run.put({ ...updateIndex('a', 'b'), primaryKey: 'other' })
    await run.settle()
    expect(errorCodes(run)).toEqual([null, 'index_primary_key_already_exists'])
    expect(run.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await run.close()
  })
})
