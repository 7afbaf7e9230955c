import { type EnqueuedTaskPromise, Meilisearch, MeilisearchApiError, type Task } from 'meilisearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestServer } from './server.js'

const masterKey = 'a-master-key-of-enough-bytes'
let server: TestServer
let client: Meilisearch

beforeAll(async () => {
  server = await TestServer.start({ masterKey })
  client = new Meilisearch({
    host: server.url,
    apiKey: masterKey,
    defaultWaitOptions: { interval: 10, timeout: 20_000 },
  })
})

afterAll(() => server.close())

/** The code of the error that the client reports. */
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.catch((reason: unknown) => reason)
  return error instanceof MeilisearchApiError ? error.cause?.code : undefined
}

async function succeeded(call: EnqueuedTaskPromise): Promise<Task> {
  const task = await call.waitTask()
  expect([task.type, task.error]).toEqual([task.type, null])
  return task
}

const books = [
  { id: 1, title: 'Emma', year: 1815, tags: ['love'] },
  { id: 2, title: 'Ulysses', year: 1922, tags: [] },
  { id: 3, title: 'Beloved', year: 1987, tags: ['love', 'ghosts'] },
]

describe('indexes', () => {
  test('are created, found, listed, changed, renamed and deleted', async () => {
    const created = await succeeded(client.createIndex('films', { primaryKey: 'id' }))
    expect(created).toMatchObject({ status: 'succeeded', type: 'indexCreation', indexUid: 'films' })
    expect((await client.createIndex('films').waitTask()).error?.code).toBe('index_already_exists')
    const films = await client.getIndex('films')
    expect([films.uid, films.primaryKey, films.createdAt]).toEqual(['films', 'id', expect.any(Date)])

    await succeeded(client.createIndex('actors'))
    const { results, total } = await client.getIndexes({ limit: 2 })
    expect([results.map(({ uid }) => uid), total]).toEqual([['actors', 'films'], 2])

    await succeeded(client.updateIndex('actors', { primaryKey: 'name' }))
    expect(await client.index('actors').fetchPrimaryKey()).toBe('name')
    await succeeded(client.updateIndex('actors', { uid: 'players' }))
    expect(await codeOf(client.getRawIndex('actors'))).toBe('index_not_found')
    expect(await client.getRawIndex('players')).toMatchObject({ uid: 'players', primaryKey: 'name' })

    await succeeded(client.deleteIndex('players'))
    expect((await client.deleteIndex('players').waitTask()).error?.code).toBe('index_not_found')
    await succeeded(client.deleteIndex('films'))
    expect(await codeOf(client.createIndex('not a uid'))).toBe('invalid_index_uid')
  })

  test('exchange their documents', async () => {
    await succeeded(client.index('left').addDocuments([{ id: 'l' }]))
    await succeeded(client.index('right').addDocuments([{ id: 'r' }]))
    await succeeded(client.swapIndexes([{ indexes: ['left', 'right'], rename: false }]))
    expect(await client.index('left').getDocument('r')).toEqual({ id: 'r' })
    expect((await client.index('right').getDocuments()).results).toEqual([{ id: 'l' }])
    const missing = await client.swapIndexes([{ indexes: ['left', 'nowhere'], rename: false }]).waitTask()
    expect(missing.error?.code).toBe('index_not_found')
  })

  test('are compacted and counted', async () => {
    await succeeded(client.index('counted').addDocuments(books))
    const { details } = await succeeded(client.index('counted').compact())
    expect(details).toHaveProperty('preCompactionSize')
    expect(await client.index('counted').getStats()).toMatchObject({
      numberOfDocuments: 3,
      isIndexing: false,
      fieldDistribution: { id: 3, tags: 3, title: 3, year: 3 },
    })
    expect((await client.getStats()).indexes).toHaveProperty('counted')
  })
})

describe('documents', () => {
  test('are added, changed, read and deleted', async () => {
    const index = client.index<Record<string, unknown>>('books')
    const added = await succeeded(index.addDocuments(books, { primaryKey: 'id' }))
    expect(added.details).toMatchObject({ receivedDocuments: 3, indexedDocuments: 3 })
    expect(await index.getDocument(2)).toEqual(books[1])
    expect(await index.getDocument('1', { fields: ['title'] })).toEqual({ title: 'Emma' })
    expect(await codeOf(index.getDocument(9))).toBe('document_not_found')

    await succeeded(index.updateDocuments([{ id: 2, year: 1920 }]))
    expect(await index.getDocument(2)).toEqual({ ...books[1], year: 1920 })
    await succeeded(index.addDocumentsFromString('id,title\n4,"Jazz, 1992"', 'text/csv'))
    expect(await index.getDocument(4)).toEqual({ id: '4', title: 'Jazz, 1992' })
    await succeeded(index.addDocumentsFromString('{"id":5}\n{"id":6}', 'application/x-ndjson'))

    await succeeded(index.deleteDocument(4))
    const { details } = await succeeded(index.deleteDocuments(['5', '6', '7']))
    expect(details).toMatchObject({ providedIds: 3, deletedDocuments: 2 })
    expect((await index.getDocuments({ fields: ['id'] })).results).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    await succeeded(index.deleteAllDocuments())
    expect(await index.getDocuments()).toEqual({ results: [], offset: 0, limit: 20, total: 0 })
  })

  test('are filtered, sorted and paged', async () => {
    const index = client.index('sorted')
    await succeeded(index.updateFilterableAttributes(['tags', 'year']))
    await succeeded(index.updateSortableAttributes(['year']))
    await succeeded(index.addDocuments(books))
    expect((await index.getDocuments({ filter: 'tags = LOVE', sort: ['year:desc'] })).results).toEqual([
      books[2],
      books[0],
    ])
    expect(await index.getDocuments({ filter: ['year > 1900'], limit: 1, offset: 1 })).toEqual({
      results: [books[2]],
      offset: 1,
      limit: 1,
      total: 2,
    })
    expect((await index.getDocuments({ ids: [3, 1] })).total).toBe(2)
    expect(await codeOf(index.getDocuments({ filter: 'title = x' }))).toBe('invalid_document_filter')
    const { details } = await succeeded(index.deleteDocuments({ filter: 'year < 1900' }))
    expect(details).toMatchObject({ deletedDocuments: 1, originalFilter: '"year < 1900"' })
  })

  test('come in batches, and their fields are described', async () => {
    const index = client.index('wide')
    const documents = Array.from({ length: 25 }, (_, id) => ({ id, nested: { n: id } }))
    await client.tasks.waitForTasks(await Promise.all(index.addDocumentsInBatches(documents, 10)))
    expect((await index.getDocuments({ limit: 0 })).total).toBe(25)
    const { results } = await index.getFields({ filter: { attributePatterns: ['nested*'] } })
    expect(results.map(({ name, searchable }) => [name, searchable?.enabled])).toEqual([
      ['nested', true],
      ['nested.n', true],
    ])
  })

  test('are edited by a function once the feature is on', async () => {
    const index = client.index('edited')
    await succeeded(index.addDocuments(books))
    const edit = () => index.updateDocumentsByFunction({ function: 'doc.title = doc.title.to_upper()' })
    expect(await codeOf(edit())).toBe('feature_not_enabled')
    await client.updateExperimentalFeatures({ editDocumentsByFunction: true })
    await succeeded(edit())
    expect(await index.getDocument(1)).toMatchObject({ title: 'EMMA' })
  })
})

describe('tasks', () => {
  test('are read, listed and waited for', async () => {
    const enqueued = await client.index('tasked').addDocuments([{ id: 1 }], { customMetadata: 'mine' })
    expect(enqueued).toMatchObject({ indexUid: 'tasked', status: 'enqueued', type: 'documentAdditionOrUpdate' })
    const task = await client.tasks.waitForTask(enqueued)
    expect(await client.tasks.getTask(enqueued.taskUid)).toEqual(task)
    const listed = await client.tasks.getTasks({ indexUids: ['tasked'], statuses: ['succeeded'] })
    expect(listed).toMatchObject({ total: 1, results: [task] })
    const batch = await client.batches.getBatch(task.batchUid ?? -1)
    expect(batch).toMatchObject({ uid: task.batchUid, stats: { totalNbTasks: 1, indexUids: { tasked: 1 } } })
  })

  test('are canceled and deleted by filter', async () => {
    const { taskUid } = await client.index('canceled').addDocuments([{ id: 1 }])
    await client.tasks.waitForTask(taskUid)
    const canceled = await succeeded(client.tasks.cancelTasks({ uids: [taskUid] }))
    expect(canceled.details).toMatchObject({ matchedTasks: 1, canceledTasks: 0 })
    const deleted = await succeeded(client.tasks.deleteTasks({ uids: [taskUid] }))
    expect(deleted.details).toMatchObject({ matchedTasks: 1, deletedTasks: 1 })
    expect(await codeOf(client.tasks.getTask(taskUid))).toBe('task_not_found')
  })
})

test('settings are read, changed and reset', async () => {
  const index = client.index('configured')
  await succeeded(client.createIndex('configured'))
  const before = await index.getSettings()
  await succeeded(index.updateSettings({ stopWords: ['the'], synonyms: { a: ['b'] }, distinctAttribute: 'sku' }))
  expect(await index.getSettings()).toEqual({
    ...before,
    stopWords: ['the'],
    synonyms: { a: ['b'] },
    distinctAttribute: 'sku',
  })
  await succeeded(index.updateRankingRules(['words', 'year:desc']))
  expect(await index.getRankingRules()).toEqual(['words', 'year:desc'])
  await succeeded(index.updateTypoTolerance({ enabled: false }))
  expect(await index.getTypoTolerance()).toMatchObject({ enabled: false })
  await succeeded(index.resetSettings())
  expect(await index.getSettings()).toEqual(before)
  expect(await codeOf(index.updateSettings({ stopWords: 3 as never }))).toBe('invalid_settings_stop_words')
})

test('webhooks are created, changed and deleted', async () => {
  const created = await client.createWebhook({ url: 'https://example.org/hook', headers: { 'x-mine': 'yes' } })
  expect(created).toMatchObject({ url: 'https://example.org/hook', isEditable: true, uuid: expect.any(String) })
  expect((await client.getWebhooks()).results).toMatchObject([{ uuid: created.uuid }])
  await client.updateWebhook(created.uuid, { url: 'https://example.org/other' })
  expect(await client.getWebhook(created.uuid)).toMatchObject({ url: 'https://example.org/other' })
  await client.deleteWebhook(created.uuid)
  expect(await codeOf(client.getWebhook(created.uuid))).toBe('webhook_not_found')
})

test('templates are rendered', async () => {
  await client.updateExperimentalFeatures({ renderRoute: true })
  const rendered = await client.renderTemplate({
    template: { kind: 'inlineDocumentTemplate', inline: 'A book called {{ doc.title }}' },
    input: { kind: 'inlineDocument', inline: { title: 'Emma' } },
  })
  expect(rendered).toEqual({ template: 'A book called {{ doc.title }}', rendered: 'A book called Emma' })
})
