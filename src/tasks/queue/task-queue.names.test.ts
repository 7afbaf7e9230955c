import { describe, expect, test } from 'vitest'
import { after, details, errorCodes, openQueue, statuses, views } from '../queue.cases.js'
import { createIndex, swapOf, updateIndex } from '../task.cases.js'

describe('swaps and renames', () => {
  test('indexes and the history of older tasks change names', async () => {
    const test = await after(createIndex('a', 'x'), createIndex('b', 'y'))
    await test.put(swapOf(['a', 'b']))
    await test.put(createIndex('c'))
    await test.settle()
    expect(views(test, 'indexUid')).toEqual([
      { indexUid: 'b' },
      { indexUid: 'a' },
      { indexUid: null },
      { indexUid: 'c' },
    ])
    expect(test.queue.catalogue.get('a')?.stats.primaryKey).toBe('y')
    expect(test.queue.batch(0, null)).toMatchObject({ stats: { indexUids: { a: 1 } } })
    await test.close()
  })

  test('a rename by swap leaves one name, and the swap itself still counts for the other', async () => {
    const test = await after(createIndex('a'))
    await test.put(swapOf(['a', 'b', true]))
    await test.settle()
    const page = { limit: 20, from: null, reverse: false }
    expect(test.queue.tasks({ indexUids: ['a'] }, page, null)).toEqual({
      results: [],
      total: 1,
      limit: 20,
      from: null,
      next: null,
    })
    expect(test.queue.tasks({ indexUids: ['b'] }, page, null)).toMatchObject({
      results: [{ uid: 0, indexUid: 'b' }],
      total: 2,
    })
    expect(test.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await test.close()
  })

  test('earlier swaps show the new names', async () => {
    const test = await after(createIndex('a'), createIndex('b'), createIndex('c'))
    await test.put(swapOf(['a', 'b']))
    await test.put(swapOf(['b', 'c']))
    await test.settle()
    expect(details(test, 3)).toEqual({ swaps: [{ indexes: ['a', 'c'], rename: false }] })
    expect(details(test, 4)).toEqual({ swaps: [{ indexes: ['b', 'c'], rename: false }] })
    await test.close()
  })

  test('a swap without pairs succeeds', async () => {
    const test = await after(swapOf())
    expect(test.queue.task(0, null)).toMatchObject({ status: 'succeeded', details: { swaps: [] } })
    await test.close()
  })

  test('missing indexes fail the swap, all of them named', async () => {
    const test = await after(swapOf(['b', 'a']))
    expect(test.queue.task(0, null)).toMatchObject({ status: 'failed', error: { code: 'index_not_found' } })
    expect((test.queue.task(0, null)?.error as { message: string }).message).toMatch(/a.*b/)
    await test.close()
  })

  test('a rename onto an index that exists fails', async () => {
    const test = await after(createIndex('a'), createIndex('b'), swapOf(['a', 'b', true]), swapOf(['x', 'b', true]))
    expect(errorCodes(test).slice(2)).toEqual(['index_already_exists', 'index_not_found'])
    await test.close()
  })

  test('a rename by update moves the index and its history, and shows both names', async () => {
    const test = await after(createIndex('a'), updateIndex('a', 'b'))
    expect(views(test, 'indexUid', 'details')).toEqual([
      { indexUid: 'b', details: { primaryKey: null } },
      { indexUid: 'a', details: { primaryKey: null, oldIndexUid: 'a', newIndexUid: 'b' } },
    ])
    expect(test.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await test.close()
  })

  test('the names in the details of a rename outlive a later swap', async () => {
    const test = await after(
      createIndex('a'),
      createIndex('z'),
      updateIndex('a', 'b'),
      createIndex('a'),
      swapOf(['a', 'z']),
    )
    expect(test.queue.task(2, null)).toMatchObject({ indexUid: 'z', details: { oldIndexUid: 'a', newIndexUid: 'b' } })
    await test.close()
  })

  test('a rename to the same name changes nothing', async () => {
    const test = await after(createIndex('a'), updateIndex('a', 'a'))
    expect(statuses(test)).toEqual(['succeeded', 'succeeded'])
    expect(test.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['a'])
    await test.close()
  })

  test('a refused primary key leaves the new name', async () => {
    const test = openQueue()
    await test.add('a', [{ id: 1 }])
    await test.put({ ...updateIndex('a', 'b'), primaryKey: 'other' })
    await test.settle()
    expect(errorCodes(test)).toEqual([null, 'index_primary_key_already_exists'])
    expect(test.queue.catalogue.list().map((entry) => entry.uid)).toEqual(['b'])
    await test.close()
  })
})
