import { expect, test } from 'vitest'
import { toPlain } from '../../../json/index.js'
import { dumpWith, lines } from '../../archive/tar.fixture.js'
import { type BackupServer, openBackupServer } from '../../backup-server.fixture.js'

async function importing(members: Record<string, unknown>): Promise<BackupServer> {
  const server = openBackupServer()
  await server.import(await dumpWith(members))
  return server
}

const tasksOf = ({ queue }: BackupServer) => queue.tasks({}, { limit: 100, from: null, reverse: true }, null).results
const datesOf = ({ queue }: BackupServer) =>
  queue.catalogue.list().map(({ uid, stats: { primaryKey, createdAt, updatedAt } }) => ({
    uid,
    primaryKey,
    createdAt,
    updatedAt,
  }))

const at = (second: number) => `2022-10-06T12:53:${String(second).padStart(2, '0')}Z`
const U = '16edd94b-7e9e-4e7b-8b8c-2b5b0a0a0a0a'
const P = '01d7dd17-8241-4f1f-a7d1-2d1cb255f5b0'

const settings = {
  displayedAttributes: ['*'],
  rankingRules: ['words', 'typo', 'wordsPosition', 'asc(year)', 'year:desc'],
  stopWords: ['the'],
  pagination: { maxTotalHits: 0 },
}

const V5 = {
  'metadata.json': { dumpVersion: 'V5', dbVersion: '0.29.0', indexDbSize: 1, updateDbSize: 1, dumpDate: at(0) },
  'instance-uid': '9e15e977-f2ae-4761-943f-1eaf75fd736d',
  keys: lines({
    name: 'k',
    uid: '0f5b1c1e-3f1a-4a6b-9a55-1d2f7a0b9c11',
    actions: ['search'],
    indexes: ['*'],
    expires_at: null,
    created_at: at(0),
    updated_at: at(0),
  }),
  'index_uuids/data.jsonl': lines({ uid: 'movies', index_meta: { uuid: U, creation_task_id: 0 } }),
  [`indexes/${U}/meta.json`]: { settings, primary_key: 'id' },
  [`indexes/${U}/documents.jsonl`]: lines({ id: 1 }, { id: 2 }),
  [`updates/updates_files/${P}`]: lines({ id: 3 }),
  'updates/data.jsonl': lines(
    { id: 4, content: { Dump: { uid: '20221006-125300000' } }, events: [{ Created: at(9) }, { Processing: at(10) }] },
    {
      id: 3,
      content: {
        DocumentAddition: {
          index_uid: 'movies',
          content_uuid: P,
          merge_strategy: 'ReplaceDocuments',
          primary_key: null,
          documents_count: 1,
          allow_index_creation: true,
        },
      },
      events: [{ Created: at(8) }, { Batched: { timestamp: at(9), batch_id: 1 } }],
    },
    {
      id: 2,
      content: { DocumentDeletion: { index_uid: 'movies', deletion: { Ids: ['9'] } } },
      events: [
        { Created: at(6) },
        { Processing: at(7) },
        {
          Failed: {
            error: { message: 'm', code: 'invalid_filter', type: 'invalid_request', link: 'l' },
            timestamp: at(8),
          },
        },
      ],
    },
    {
      id: 1,
      content: {
        SettingsUpdate: { index_uid: 'movies', settings: { stopWords: ['a'] }, is_deletion: false },
      },
      events: [{ Created: at(4) }, { Processing: at(5) }, { Succeeded: { result: 'Other', timestamp: at(6) } }],
    },
    {
      id: 0,
      content: {
        DocumentAddition: {
          index_uid: 'movies',
          content_uuid: 'gone',
          merge_strategy: 'UpdateDocuments',
          documents_count: 2,
        },
      },
      events: [
        { Created: at(1) },
        { Processing: at(2) },
        { Succeeded: { result: { DocumentAddition: { indexed_documents: 2 } }, timestamp: at(3) } },
      ],
    },
  ),
}

test('V5: indexes have their dates from tasks, and settings in the present form', async () => {
  const server = await importing(V5)
  expect(datesOf(server)).toEqual([{ uid: 'movies', primaryKey: 'id', createdAt: at(1), updatedAt: at(6) }])
  expect(server.documents('movies')).toEqual([{ id: 1 }, { id: 2 }])
  expect(server.reports).toContain('the ranking rule "wordsPosition" is not known and left out')
})

test('V5: tasks are converted, and a dump that was being written is written after the start', async () => {
  const server = await importing(V5)
  expect(tasksOf(server)).toMatchObject([
    {
      uid: 0,
      status: 'succeeded',
      details: { receivedDocuments: 2, indexedDocuments: 2 },
      startedAt: at(2),
      finishedAt: at(3),
    },
    { uid: 1, status: 'succeeded', type: 'settingsUpdate', details: { stopWords: ['a'] } },
    {
      uid: 2,
      status: 'failed',
      details: { deletedDocuments: 0 },
      error: { code: 'invalid_settings_filterable_attributes' },
    },
    { uid: 3, status: 'enqueued', startedAt: null, details: { receivedDocuments: 1 } },
    { uid: 4, status: 'enqueued', type: 'dumpCreation', enqueuedAt: at(9) },
  ])
  await server.settle()
  expect(server.documents('movies')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(server.queue.store.get(4)).toMatchObject({ status: 'succeeded' })
})

test('V5: keys and the uid of the instance are kept', async () => {
  const { state } = await importing(V5)
  expect(state.instanceUid).toBe('9e15e977-f2ae-4761-943f-1eaf75fd736d')
  expect(state.keys.map(toPlain)).toMatchObject([{ name: 'k', uid: '0f5b1c1e-3f1a-4a6b-9a55-1d2f7a0b9c11' }])
})

test('V5: without the documents that a task waits for it is refused', async () => {
  const { [`updates/updates_files/${P}`]: _, ...rest } = V5
  await expect(importing(rest)).rejects.toThrow(/task 3 waits for its documents/)
})

test('V4: tasks have their index beside them, keys get a new uid', async () => {
  const server = await importing({
    'metadata.json': { dumpVersion: 'V4', dbVersion: '0.27.0' },
    keys: lines({
      description: 'd',
      id: [1, 2, 3, 4, 5, 6, 7, 8],
      actions: ['search', 'dumps.get'],
      indexes: ['*'],
      expires_at: null,
      created_at: at(0),
      updated_at: at(0),
    }),
    'index_uuids/data.jsonl': lines({ uid: 'movies', index_meta: { uuid: U, creation_task_id: 0 } }),
    [`indexes/${U}/meta.json`]: { settings: {}, primary_key: null },
    [`indexes/${U}/documents.jsonl`]: '',
    'updates/data.jsonl': lines(
      {
        id: 1,
        index_uid: 'movies',
        content: { DocumentDeletion: 'Clear' },
        events: [
          { Created: at(3) },
          { Succeded: { result: { ClearAll: { deleted_documents: 5 } }, timestamp: at(4) } },
        ],
      },
      {
        id: 0,
        index_uid: 'movies',
        content: 'IndexDeletion',
        events: [{ Created: at(1) }, { Processing: at(2) }],
      },
    ),
  })
  expect(tasksOf(server)).toMatchObject([
    { uid: 0, status: 'enqueued', type: 'indexDeletion', indexUid: 'movies' },
    { uid: 1, status: 'succeeded', type: 'documentDeletion', details: { deletedDocuments: 5 } },
  ])
  expect(server.state.keys.map(toPlain)).toMatchObject([
    { description: 'd', uid: expect.stringMatching(/^[0-9a-f-]{36}$/), actions: ['search'] },
  ])
})

const V3 = {
  'metadata.json': { dumpVersion: 'V3', dbVersion: '0.24.0' },
  'index_uuids/data.jsonl': lines({ uuid: U, uid: 'movies' }),
  [`indexes/${U}/meta.json`]: { settings, primaryKey: 'id' },
  [`indexes/${U}/documents.jsonl`]: lines({ id: 1 }),
  [`updates/updates_files/${P}`]: lines({ id: 2 }),
  'updates/data.jsonl': lines(
    {
      uuid: U,
      update: {
        status: 'processed',
        updateId: 0,
        meta: { DocumentAddition: { primary_key: null, method: 'ReplaceDocuments', content_uuid: 'gone' } },
        success: { DocumentsAddition: { nb_documents: 1 } },
        enqueuedAt: at(1),
        startedProcessingAt: at(2),
        processedAt: at(3),
      },
    },
    {
      uuid: 'no-such-index',
      update: { status: 'aborted', updateId: 0, meta: 'ClearDocuments', enqueuedAt: at(1), abortedAt: at(2) },
    },
    { uuid: 'no-such-index', update: { status: 'enqueued', updateId: 1, meta: 'ClearDocuments', enqueuedAt: at(1) } },
    {
      uuid: U,
      update: {
        status: 'enqueued',
        updateId: 1,
        meta: { DocumentAddition: { primary_key: null, method: 'UpdateDocuments', content_uuid: P } },
        enqueuedAt: at(4),
      },
    },
  ),
}

test('V3: updates get new uids in the order of the file, and there are no keys', async () => {
  const server = await importing(V3)
  expect(server.state.keys).toEqual([])
  expect(tasksOf(server)).toMatchObject([
    { uid: 0, status: 'succeeded', indexUid: 'movies', details: { indexedDocuments: 1 }, finishedAt: at(3) },
    { uid: 1, status: 'failed', indexUid: 'unknown', error: { code: 'unretrievable_error_code' } },
    { uid: 2, status: 'enqueued', indexUid: 'movies' },
  ])
  await server.settle()
  expect(server.documents('movies')).toEqual([{ id: 1 }, { id: 2 }])
})

test('V2: folders and payloads have other names, payloads are JSON', async () => {
  const server = await importing({
    'metadata.json': { dumpVersion: 'V2', dbVersion: '0.22.0' },
    'index_uuids/data.jsonl': lines({ uuid: U, uid: 'movies' }),
    [`indexes/index-${U}/meta.json`]: { settings, primaryKey: 'id' },
    [`indexes/index-${U}/documents.jsonl`]: lines({ id: 1 }),
    [`updates/update_files/update_${P}`]: [{ id: 2 }, { id: 3 }],
    'updates/data.jsonl': lines({
      uuid: U,
      update: {
        status: 'enqueued',
        updateId: 1,
        meta: { type: 'DocumentsAddition', method: 'ReplaceDocuments', format: 'Json', primary_key: null },
        content: P,
        enqueuedAt: at(4),
      },
    }),
  })
  await server.settle()
  expect(server.documents('movies')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('V1: attributes for faceting can be filtered and sorted by, what waited is left out', async () => {
  const server = await importing({
    'metadata.json': {
      dumpVersion: 'V1',
      dbVersion: '0.20.0',
      indexes: [{ name: 'movies', uid: 'movies', createdAt: at(1), updatedAt: at(2), primaryKey: 'id' }],
    },
    'movies/settings.json': { attributesForFaceting: ['year'], rankingRules: ['typo', 'desc(year)'] },
    'movies/documents.jsonl': lines({ id: 1 }),
    'movies/updates.jsonl': lines(
      {
        status: 'processed',
        updateId: 0,
        type: { name: 'DocumentsAddition', number: 1 },
        enqueuedAt: at(1),
        processedAt: at(2),
      },
      { status: 'enqueued', updateId: 1, type: { name: 'ClearAll' }, enqueuedAt: at(3) },
    ),
  })
  expect(datesOf(server)).toEqual([{ uid: 'movies', primaryKey: 'id', createdAt: at(1), updatedAt: at(2) }])
  expect(tasksOf(server)).toMatchObject([{ uid: 0, status: 'succeeded', details: { indexedDocuments: 1 } }])
})
