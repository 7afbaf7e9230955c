import { describe, expect, test } from 'vitest'
import type { Task, TaskContent, TaskResults } from '../model/task.js'
import {
  compactIndex,
  createIndex,
  deleteAll,
  deleteByFilter,
  deleteIds,
  deleteIndex,
  editOf,
  importOf,
  settingsOf,
  swapOf,
  taskOf,
  updateIndex,
} from '../task.fixture.js'
import { detailsOf } from './details.js'

const enqueued = (content: TaskContent) => detailsOf(taskOf(0, content))
const succeeded = (content: TaskContent, results: TaskResults = {}) =>
  detailsOf(taskOf(0, content, { status: 'succeeded', results }))

/** A failed or canceled task has no results. */
function unsuccessful(content: TaskContent) {
  const failed = detailsOf(taskOf(0, content, { status: 'failed' }))
  expect(detailsOf(taskOf(0, content, { status: 'canceled' }))).toEqual(failed)
  return failed
}

const contents: TaskContent[] = [
  importOf('m'),
  deleteIds('m'),
  deleteByFilter('m'),
  deleteAll('m'),
  editOf('m'),
  settingsOf('m'),
  createIndex('m'),
  updateIndex('m'),
  deleteIndex('m'),
  compactIndex('m'),
  swapOf(['a', 'b']),
  { type: 'taskCancelation', query: '?uids=1', matched: 1, tasks: '' },
  { type: 'taskDeletion', query: '?uids=1', matched: 1, tasks: '' },
]

test.each(contents)('a $type that is being processed shows the details it was enqueued with', (content) => {
  const task: Task = taskOf(0, content)
  expect(detailsOf(task, 'processing')).toEqual(detailsOf(task))
})

describe('an addition', () => {
  const content = importOf('m', { documentsCount: 3 })

  test('counts what was received, and what was indexed once that is known', () => {
    expect(enqueued(content)).toEqual({ receivedDocuments: 3, indexedDocuments: null })
    expect(succeeded(content, { indexedDocuments: 2 })).toEqual({ receivedDocuments: 3, indexedDocuments: 2 })
    expect(unsuccessful(content)).toEqual({ receivedDocuments: 3, indexedDocuments: 0 })
  })

  test('has no count when a deletion of all documents absorbed it', () => {
    expect(succeeded(content)).toEqual({ receivedDocuments: 3, indexedDocuments: null })
  })
})

describe('a deletion of documents', () => {
  test('by ids counts the ids given', () => {
    const content = deleteIds('m', ['1', '2', '2'])
    const details = { providedIds: 3, originalFilter: null }
    expect(enqueued(content)).toEqual({ ...details, deletedDocuments: null })
    expect(succeeded(content, { deletedDocuments: 2 })).toEqual({ ...details, deletedDocuments: 2 })
    expect(unsuccessful(content)).toEqual({ ...details, deletedDocuments: 0 })
  })

  test('by filter shows the filter as JSON text', () => {
    const content = deleteByFilter('m', '"genre = x"')
    const details = { providedIds: 0, originalFilter: '"genre = x"' }
    expect(enqueued(content)).toEqual({ ...details, deletedDocuments: null })
    expect(succeeded(content, { deletedDocuments: 7 })).toEqual({ ...details, deletedDocuments: 7 })
    expect(unsuccessful(content)).toEqual({ ...details, deletedDocuments: 0 })
  })

  test('of all documents has its count only', () => {
    expect(enqueued(deleteAll('m'))).toEqual({ deletedDocuments: null })
    expect(succeeded(deleteAll('m'), { deletedDocuments: 5 })).toEqual({ deletedDocuments: 5 })
    expect(unsuccessful(deleteAll('m'))).toEqual({ deletedDocuments: 0 })
  })
})

test('an edition shows its request, and keeps an unknown number of deletions when it fails', () => {
  const content: TaskContent = { ...editOf('m'), filter: '"a = 1"', context: '{"n":[1.0,2]}' }
  const request = { originalFilter: '"a = 1"', context: new Map([['n', expect.anything()]]), function: 'doc.a = 1' }
  expect(enqueued(content)).toEqual({ deletedDocuments: null, editedDocuments: null, ...request })
  expect(succeeded(content, { editedDocuments: 4, deletedDocuments: 4 })).toEqual({
    deletedDocuments: 4,
    editedDocuments: 4,
    ...request,
  })
  expect(unsuccessful(content)).toEqual({ deletedDocuments: null, editedDocuments: 0, ...request })
  expect(enqueued(editOf('m'))).toMatchObject({ originalFilter: null, context: null })
})

test('settings show what was sent, resets as null and lists of all attributes as a star', () => {
  const content = settingsOf('m', { rankingRules: ['words'], stopWords: null, displayedAttributes: null })
  const details = { displayedAttributes: ['*'], rankingRules: ['words'], stopWords: null }
  expect(enqueued(content)).toEqual(details)
  expect(succeeded(content)).toEqual(details)
  expect(unsuccessful(content)).toEqual(details)
})

test('settings mask the API keys of embedders', () => {
  const content = settingsOf('m', { embedders: { e: { source: 'openAi', apiKey: 'a-very-secret-key' } } })
  const embedder = new Map([
    ['source', 'openAi'],
    ['apiKey', 'a-XXXX...'],
  ])
  expect(enqueued(content)).toEqual({ embedders: new Map([['e', embedder]]) })
})

test('a creation shows the primary key in every state', () => {
  for (const details of [enqueued, succeeded, unsuccessful]) {
    expect(details(createIndex('m'))).toEqual({ primaryKey: null })
    expect(details(createIndex('m', 'id'))).toEqual({ primaryKey: 'id' })
  }
})

test('an update shows names only when one was sent', () => {
  for (const details of [enqueued, succeeded, unsuccessful]) {
    expect(details({ ...updateIndex('m'), primaryKey: 'id' })).toEqual({ primaryKey: 'id' })
    expect(details(updateIndex('m', 'n'))).toEqual({ primaryKey: null, oldIndexUid: 'm', newIndexUid: 'n' })
  }
})

test('an update whose index was renamed since shows the name that was asked for', () => {
  const content: TaskContent = { ...updateIndex('z', 'n'), oldIndexUid: 'm' }
  expect(succeeded(content)).toEqual({ primaryKey: null, oldIndexUid: 'm', newIndexUid: 'n' })
})

test('a deletion of an index counts its documents', () => {
  expect(enqueued(deleteIndex('m'))).toEqual({ deletedDocuments: null })
  expect(succeeded(deleteIndex('m'), { deletedDocuments: 9 })).toEqual({ deletedDocuments: 9 })
  expect(unsuccessful(deleteIndex('m'))).toEqual({ deletedDocuments: 0 })
})

test('a swap shows its pairs in every state', () => {
  const swaps = [
    { indexes: ['a', 'b'], rename: false },
    { indexes: ['c', 'd'], rename: true },
  ]
  for (const details of [enqueued, succeeded, unsuccessful]) {
    expect(details(swapOf(['a', 'b'], ['c', 'd', true]))).toEqual({ swaps })
  }
})

test.each([
  ['taskCancelation', 'canceledTasks'],
  ['taskDeletion', 'deletedTasks'],
] as const)('a %s counts what matched and, in the end, what was done', (type, counter) => {
  const content: TaskContent = { type, query: '?uids=1%2C2', matched: 2, tasks: '' }
  const details = { matchedTasks: 2, originalFilter: '?uids=1%2C2' }
  expect(enqueued(content)).toEqual({ ...details, [counter]: null })
  expect(succeeded(content, { [counter]: 1 })).toEqual({ ...details, [counter]: 1 })
  expect(unsuccessful(content)).toEqual({ ...details, [counter]: 0 })
})

test('a compaction shows sizes when it is done, and an empty object before', () => {
  expect(enqueued(compactIndex('m'))).toEqual({})
  expect(succeeded(compactIndex('m'), { preCompactionBytes: 884_736, postCompactionBytes: 4096 })).toEqual({
    preCompactionSize: '864 KiB',
    postCompactionSize: '4 KiB',
  })
  expect(unsuccessful(compactIndex('m'))).toEqual({})
})

describe('secrets', () => {
  test('an export shows neither its key nor the password in its URL', () => {
    const url = 'https://anna:pa55@h.example/base?token=t0ken'
    const content: TaskContent = { type: 'export', url, apiKey: 'my-long-key-1', payloadBytes: null, indexes: [] }
    for (const details of [enqueued(content), succeeded(content, { exported: [] }), unsuccessful(content)]) {
      expect(details).toMatchObject({ url: 'https://anna:XXX...@h.example/base?token=XXX...', apiKey: 'myXXXX...' })
    }
  })

  test('settings show neither keys nor headers nor passwords in URLs', () => {
    const url = 'https://anna:pa55@h.example/'
    const e = { source: 'rest', url, apiKey: 'my-long-key-1', headers: { 'X-Api-Key': 'k3y' } }
    const shown = JSON.stringify(enqueued(settingsOf('m', { embedders: { e } }))?.embedders, (_, value) =>
      value instanceof Map ? Object.fromEntries(value) : value,
    )
    expect(JSON.parse(shown).e).toEqual({
      source: 'rest',
      url: 'https://anna:XXX...@h.example/',
      apiKey: 'myXXXX...',
      headers: { 'X-Api-Key': 'XXX...' },
    })
  })

  test('settings of another version are shown without their embedders', () => {
    const settings = { stopWords: ['a'], embedders: { e: { future: 'my-long-key-1' } } }
    expect(enqueued(settingsOf('m', settings))).toEqual({ stopWords: ['a'] })
  })
})
