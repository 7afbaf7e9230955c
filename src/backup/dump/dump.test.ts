import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { JobCancelled } from '../../threads/index.js'
import { extractArchive } from '../archive/extract-archive.js'
import { dumpWith, lines } from '../archive/tar.fixture.js'
import { type BackupServer, json, NO_STATE, openBackupServer } from '../backup-server.fixture.js'
import type { ServerState } from './server-state.js'

const STATE: ServerState = {
  instanceUid: '9d02f9a1-0b5e-4c11-a8c6-4a5f7f6ad0b0',
  keys: [],
  features: json({ metrics: true }),
  network: json({ self: null, remotes: {} }),
  webhooks: json({ webhooks: { '04574dab-7e4a-4023-add3-a45e2050e1da': { url: 'http://h/', headers: { a: 'b' } } } }),
  chats: new Map([['guide', json({ source: 'vLlm' })]]),
  rules: [json({ uid: 'pin', active: true })],
}

async function membersOf(path: string): Promise<string[]> {
  const folder = temporaryFolder()
  await extractArchive({ path, folder })
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

const taskViews = ({ queue }: BackupServer) => queue.tasks({}, { limit: 1000, from: null, reverse: true }, null).results
const batchViews = ({ queue }: BackupServer) =>
  queue.batches({}, { limit: 1000, from: null, reverse: true }, null).results

test('a dump has the members that dumps have, folders without content included', async () => {
  const server = openBackupServer({ state: STATE })
  await server.add('movies', [{ id: 1 }])
  await server.settle()
  await server.close()
  const held = openBackupServer({ folder: server.folder, state: STATE, isHeld: true })
  await held.add('movies', [{ id: 2 }])
  await held.put({ type: 'indexDeletion', indexUid: 'movies' })
  expect(await membersOf(await held.dump())).toEqual(
    [
      'batches',
      'batches/queue.jsonl',
      'chat-completions-settings',
      'chat-completions-settings/guide.json',
      'dynamic-search-rules',
      'dynamic-search-rules/000000000.json',
      'experimental-features.json',
      'indexes',
      'indexes/movies',
      'indexes/movies/documents.jsonl',
      'indexes/movies/metadata.json',
      'indexes/movies/settings.json',
      'instance_uid.uuid',
      'keys.jsonl',
      'metadata.json',
      'network.json',
      'tasks',
      'tasks/queue.jsonl',
      'tasks/update_files',
      'tasks/update_files/1.jsonl',
      'webhooks.json',
    ].sort(),
  )
})

test('a dump of an empty server can be imported', async () => {
  const server = openBackupServer()
  const copy = openBackupServer()
  await copy.import(await server.dump())
  expect(copy.queue.catalogue.list()).toEqual([])
  expect(taskViews(copy)).toHaveLength(1)
})

test('what surrounds indexes and tasks comes back as it was', async () => {
  const server = openBackupServer({ state: STATE })
  const copy = openBackupServer()
  await copy.import(await server.dump())
  expect(copy.state).toEqual(STATE)
})

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.integer(), { maxKeys: 3 }),
)
const document = fc.record({ id: fc.nat(50), title: fc.string(), other: value }, { requiredKeys: ['id'] })
const documents = fc.array(document, { minLength: 1, maxLength: 60 })

test('random documents, settings, tasks and batches come back as they were, and what waits is done', async () => {
  await fc.assert(
    fc.asyncProperty(documents, documents, fc.subarray(['title', 'other', 'id']), async (first, later, searchable) => {
      const server = openBackupServer()
      await server.add('movies', first)
      await server.put({
        type: 'settingsUpdate',
        indexUid: 'movies',
        settings: JSON.stringify({ searchableAttributes: searchable, filterableAttributes: ['id'] }),
        isDeletion: false,
        allowIndexCreation: true,
      })
      await server.put({ type: 'indexCreation', indexUid: 'empty', primaryKey: 'key' })
      await server.settle()
      await server.close()
      const held = openBackupServer({ folder: server.folder, isHeld: true })
      await held.add('movies', later)
      await held.add('new', later)
      const path = await held.dump()
      const copy = openBackupServer()
      await copy.import(path)
      expect(copy.documents('movies')).toEqual(held.documents('movies'))
      expect(batchViews(copy)).toEqual(batchViews(held))
      expect(taskViews(copy).slice(0, -1)).toEqual(taskViews(held).slice(0, -1))
      expect(statsOf(copy)).toEqual(statsOf(held))
      await held.close()
      const resumed = openBackupServer({ folder: server.folder })
      await resumed.settle()
      await copy.settle()
      expect(copy.documents('movies')).toEqual(resumed.documents('movies'))
      expect(copy.documents('new')).toEqual(resumed.documents('new'))
      await copy.close()
      await resumed.close()
    }),
    { numRuns: 5 },
  )
}, 60_000)

const settingsOf = (settings: object) =>
  ({
    type: 'settingsUpdate',
    indexUid: 'movies',
    settings: JSON.stringify(settings),
    isDeletion: false,
    allowIndexCreation: true,
  }) as const

test('vectors come back as they were, whoever made them', async () => {
  const server = openBackupServer()
  await server.put(settingsOf({ embedders: { m: { source: 'userProvided', dimensions: 2 } } }))
  await server.add('movies', [
    { id: 1, _vectors: { m: [0.1, 2] } },
    {
      id: 2,
      _vectors: {
        m: {
          embeddings: [
            [1, 2],
            [3, 4],
          ],
          regenerate: true,
        },
        other: [1],
      },
    },
    { id: 3, _vectors: { m: null } },
  ])
  await server.settle()
  expect(server.documents('movies')).toEqual([
    { id: 1, _vectors: { m: { embeddings: [[Math.fround(0.1), 2]], regenerate: false } } },
    {
      id: 2,
      _vectors: {
        other: [1],
        m: {
          embeddings: [
            [1, 2],
            [3, 4],
          ],
          regenerate: true,
        },
      },
    },
    { id: 3, _vectors: { m: { embeddings: [], regenerate: false } } },
  ])
  const copy = openBackupServer()
  await copy.import(await server.dump())
  expect(copy.documents('movies')).toEqual(server.documents('movies'))
})

/** What indexes tell about themselves, without sizes of files. */
const statsOf = ({ queue }: BackupServer) =>
  queue.catalogue.list().map(({ uid, stats }) => {
    const { primaryKey, createdAt, updatedAt, numberOfDocuments, fieldDistribution } = stats
    return { uid, primaryKey, createdAt, updatedAt, numberOfDocuments, fieldDistribution }
  })

test('documents that no task can store make their task fail after an import too', async () => {
  const server = openBackupServer({ isHeld: true })
  const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`)
  await server.add('movies', [{ id: 1, deep }])
  const copy = openBackupServer()
  await copy.import(await server.dump())
  await copy.settle()
  expect(taskViews(copy)[0]).toMatchObject({ uid: 0, status: 'failed', details: { receivedDocuments: 1 } })
})

test('22.2.1: a long list of ids that waits is in the dump', async () => {
  const server = openBackupServer({ isHeld: true })
  await server.add('movies', [{ id: 1 }, { id: 2 }])
  const receiver = server.queue.receivePayload()
  await receiver.write(Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, (_, i) => `${i + 2}`))))
  const selection = { by: 'idList', count: 10_000, payload: await receiver.finish() } as const
  await server.put({ type: 'documentDeletion', indexUid: 'movies', selection })
  const copy = openBackupServer()
  await copy.import(await server.dump())
  await copy.settle()
  expect(taskViews(copy)[1]).toMatchObject({ status: 'succeeded', details: { providedIds: 10_000 } })
  expect(copy.documents('movies')).toEqual([{ id: 1 }])
})

test('a dump that is stopped leaves no file', async () => {
  const server = openBackupServer()
  await server.add('movies', [{ id: 1 }])
  await server.settle()
  const task = await server.put({ type: 'dumpCreation', keys: '[]', instanceUid: null })
  await server.settle()
  expect(readdirSync(join(server.folder, 'dumps'))).toHaveLength(1)
  const { backups } = server
  const indexes = server.queue.catalogue.list()
  const now = '2026-01-05T10:00:00Z'
  const job = backups.run({ kind: 'dump', task, now, indexes, nextTaskUid: 2 }, () => {})
  job.cancel()
  await expect(job.done).rejects.toThrow(JobCancelled)
  expect(readdirSync(join(server.folder, 'dumps'))).toHaveLength(1)
})

const MINIMAL = {
  'metadata.json': { dumpVersion: 'V6', dbVersion: '1.49.0' },
  'keys.jsonl': '',
  'tasks/queue.jsonl': '',
}

const importing = async (members: Record<string, unknown>): Promise<BackupServer> => {
  const server = openBackupServer()
  await server.import(await dumpWith(members))
  return server
}

test('the smallest dump there can be is one', async () => {
  const server = await importing(MINIMAL)
  expect(server.state).toEqual(NO_STATE)
})

test.each(['metadata.json', 'keys.jsonl', 'tasks/queue.jsonl'])('a dump without %s is refused', async (name) => {
  const { [name as keyof typeof MINIMAL]: _, ...rest } = MINIMAL
  await expect(importing(rest)).rejects.toThrow(`${name} is missing`)
})

const INDEX = {
  'indexes/some-folder/metadata.json': {
    uid: 'movies',
    primaryKey: 'id',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02T00:00:00Z',
  },
  'indexes/some-folder/settings.json': {},
  'indexes/some-folder/documents.jsonl': lines({ id: 1 }, { id: 2 }),
}

test.each(Object.keys(INDEX))('an index without %s is refused', async (name) => {
  const { [name as keyof typeof INDEX]: _, ...rest } = INDEX
  await expect(importing({ ...MINIMAL, ...rest })).rejects.toThrow(`${name} is missing`)
})

test('an index has the name in its metadata, the dates of the dump, and what it knows of its settings', async () => {
  const settings = { stopWords: ['the'], settingOfTheFuture: true }
  const server = await importing({ ...MINIMAL, ...INDEX, 'indexes/some-folder/settings.json': settings })
  expect(statsOf(server)).toEqual([
    {
      uid: 'movies',
      primaryKey: 'id',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
      numberOfDocuments: 2,
      fieldDistribution: [['id', 2]],
    },
  ])
})

test.each([
  ['indexes/some-folder/documents.jsonl', '{"id":1', /documents\.jsonl/],
  ['indexes/some-folder/documents.jsonl', lines({ noId: 1 }), /the index movies cannot be made/],
  ['indexes/some-folder/settings.json', { stopWords: 5 }, /the index movies cannot be made/],
  ['indexes/some-folder/settings.json', '{', /settings\.json is not JSON/],
  ['tasks/queue.jsonl', 'nonsense', /tasks\/queue\.jsonl, line 1 is not JSON/],
  ['keys.jsonl', '5\n', /keys\.jsonl, line 1: an object was expected/],
  ['metadata.json', { dumpVersion: 'V7' }, /"V7" are not known/],
  ['dynamic-search-rules/000000000.json', '{"active":true}', /dynamic-search-rules.*"uid"/],
])('a dump whose %s is %j is refused', async (name, content, message) => {
  await expect(importing({ ...MINIMAL, ...INDEX, [name]: content })).rejects.toThrow(message)
})

const WAITING = {
  uid: 3,
  indexUid: 'movies',
  status: 'enqueued',
  type: { documentImport: { primary_key: null, method: 'ReplaceDocuments', documents_count: 1 } },
  enqueuedAt: '2026-01-01T00:00:00Z',
}

test('a task that waits for documents which are not there is refused, without documents it is done', async () => {
  await expect(importing({ ...MINIMAL, 'tasks/queue.jsonl': lines(WAITING) })).rejects.toThrow(/update_files\/3\.jsonl/)
  const empty = { ...WAITING, type: { documentImport: { method: 'ReplaceDocuments', documents_count: 0 } } }
  const server = await importing({ ...MINIMAL, ...INDEX, 'tasks/queue.jsonl': lines(empty) })
  await server.settle()
  expect(taskViews(server)).toMatchObject([{ uid: 3, status: 'succeeded', batchUid: 0 }])
  expect(server.documents('movies')).toHaveLength(2)
})

test('files of macOS in a dump change nothing, and its task is done after the start', async () => {
  const server = await importing({
    ...MINIMAL,
    ...INDEX,
    './._metadata.json': 'junk',
    'indexes/._some-folder': 'junk',
    'dynamic-search-rules/._000000000.json': 'junk',
    'tasks/queue.jsonl': lines(WAITING),
    'tasks/update_files/3.jsonl': lines({ id: 9 }),
  })
  await server.settle()
  expect(server.documents('movies')).toEqual([{ id: 1 }, { id: 2 }, { id: 9 }])
  expect((await server.put({ type: 'indexCreation', indexUid: 'x', primaryKey: null })).uid).toBe(4)
})

test('a task that is in a dump twice is refused', async () => {
  const twice = lines({ ...WAITING, status: 'succeeded' }, { ...WAITING, status: 'succeeded' })
  await expect(importing({ ...MINIMAL, 'tasks/queue.jsonl': twice })).rejects.toThrow(/task 3 is in it twice/)
})
