import { expect, test } from 'vitest'
import { mergeDetails, withoutNulls } from './batch-details.js'

test.each(['receivedDocuments', 'movedDocuments', 'providedIds', 'matchedTasks'])('%s is summed up', (name) => {
  expect(mergeDetails([{ [name]: 1 }, {}, { [name]: 2 }, undefined, { [name]: 4 }])).toEqual({ [name]: 7 })
})

test.each(['indexedDocuments', 'editedDocuments', 'deletedDocuments', 'canceledTasks', 'deletedTasks'])(
  '%s is summed up as far as it is known',
  (name) => {
    expect(mergeDetails([{ [name]: null }, { [name]: 2 }, { [name]: null }, { [name]: 3 }])).toEqual({ [name]: 5 })
    expect(mergeDetails([{ [name]: null }, { [name]: null }])).toEqual({ [name]: null })
  },
)

test('original filters are joined by an ampersand', () => {
  const filters = ['?uids=0', null, '?uids=1'].map((originalFilter) => ({ originalFilter }))
  expect(mergeDetails(filters)).toEqual({ originalFilter: '?uids=0&?uids=1' })
  expect(mergeDetails([{ originalFilter: null }, { originalFilter: null }])).toEqual({ originalFilter: null })
})

test.each(['primaryKey', 'dumpUid', 'context'])('of %s the first that is known counts', (name) => {
  expect(mergeDetails([{ [name]: null }, { [name]: 'a' }, { [name]: 'b' }])).toEqual({ [name]: 'a' })
})

test.each(['function', 'oldIndexUid', 'newIndexUid', 'upgradeFrom'])('of %s the first counts', (name) => {
  expect(mergeDetails([{ [name]: 'a' }, { [name]: 'b' }])).toEqual({ [name]: 'a' })
})

test('of upgradeTo the last counts', () => {
  expect(mergeDetails([{ upgradeTo: 'a' }, { upgradeTo: 'b' }])).toEqual({ upgradeTo: 'b' })
})

test('swaps are put one after the other', () => {
  expect(mergeDetails([{ swaps: [1] }, { swaps: [2, 3] }])).toEqual({ swaps: [1, 2, 3] })
})

test('later settings override earlier ones, key by key', () => {
  const first = { stopWords: ['a'], synonyms: new Map() }
  const second = { stopWords: null, rankingRules: ['words'] }
  expect(mergeDetails([first, second])).toEqual({ stopWords: null, synonyms: new Map(), rankingRules: ['words'] })
})

test('embedders are overridden by their names', () => {
  const embedders = (...entries: [string, string | null][]) => ({ embedders: new Map(entries) })
  const merged = mergeDetails([embedders(['a', 'one'], ['b', 'two']), embedders(['b', null], ['c', 'three'])])
  expect(merged).toEqual(embedders(['a', 'one'], ['b', null], ['c', 'three']))
  expect(mergeDetails([embedders(['a', 'one']), { embedders: null }])).toEqual({ embedders: null })
})

test('a finished batch drops counters that are not known, and keeps settings that were reset', () => {
  const counters = {
    indexedDocuments: null,
    deletedDocuments: null,
    originalFilter: null,
    primaryKey: null,
    context: null,
  }
  expect(withoutNulls({ ...counters, stopWords: null, receivedDocuments: 0 })).toEqual({
    stopWords: null,
    receivedDocuments: 0,
  })
})
