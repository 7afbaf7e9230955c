import { beforeAll, expect, test } from 'vitest'
import { startIndexServer } from '../index-server.fixture.js'
import { sizeText } from '../size-text.js'
import type { IndexStatistics, IndexStatisticsSource } from '../statistics.js'
import { startTestServer, type TestServer } from '../test-server.fixture.js'

const statistics = (updatedAt: bigint, fields: Partial<IndexStatistics> = {}): IndexStatistics => ({
  updatedAt: updatedAt as IndexStatistics['updatedAt'],
  numberOfDocuments: 2,
  rawDocumentDbBytes: 10_000,
  avgDocumentBytes: 512,
  isIndexing: false,
  internalDatabaseBytes: {},
  numberOfEmbeddings: 0,
  numberOfEmbeddedDocuments: 0,
  fieldDistribution: new Map([
    ['title', 1],
    ['10', 2],
    ['9', 2],
  ]),
  ...fields,
})

const indexes = new Map([
  ['shop', statistics(1_000_000_000n, { internalDatabaseBytes: { words: 10, documents: 2048, empty: 0 } })],
  ['books', statistics(2_000_000_000n)],
])

const source: IndexStatisticsSource = {
  all: async () => indexes,
  one: async (uid) => indexes.get(uid),
  sizes: async () => ({ fileBytes: 1_000_000_000, usedBytes: 500_000_000 }),
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ context: { indexStatistics: source } })
})

test('an empty server has no indexes and no update', async () => {
  const fresh = await startTestServer()
  const { json } = await fresh.send('GET', '/stats')
  expect(json).toMatchObject({ lastUpdate: null, indexes: {} })
  expect(Object.keys(json)).toEqual(['databaseSize', 'usedDatabaseSize', 'lastUpdate', 'indexes'])
  expect(json.databaseSize).toBeGreaterThan(0)
})

test('all indexes are shown by name, with the latest update', async () => {
  const { text, json } = await server.send('GET', '/stats')
  expect(json.lastUpdate).toBe('1970-01-01T00:00:02Z')
  expect(Object.keys(json.indexes)).toEqual(['books', 'shop'])
  expect(json.databaseSize).toBeGreaterThan(1_000_000_000)
  expect(text).toContain(
    '"books":{"numberOfDocuments":2,"rawDocumentDbSize":10000,"avgDocumentSize":512,"isIndexing":false,' +
      '"numberOfEmbeddings":0,"numberOfEmbeddedDocuments":0,"fieldDistribution":{"10":2,"9":2,"title":1}}',
  )
})

test('a key for some indexes sees only those', async () => {
  const fields = { actions: ['stats.get'], indexes: ['shop'], expiresAt: null }
  const { json: key } = await server.send('POST', '/keys', { body: fields })
  const { json } = await server.send('GET', '/stats', { key: key.key })
  expect(Object.keys(json.indexes)).toEqual(['shop'])
  expect(json.lastUpdate).toBe('1970-01-01T00:00:01Z')
  expect(json.databaseSize).toBeGreaterThan(1_000_000_000)
  expect((await server.send('GET', '/indexes/books/stats', { key: key.key })).status).toBe(403)
})

test('one index has its own route', async () => {
  expect((await server.send('GET', '/indexes/shop/stats')).json).toMatchObject({ numberOfDocuments: 2 })
  expect((await server.send('GET', '/indexes/none/stats')).json.code).toBe('index_not_found')
  expect((await server.send('GET', '/indexes/no%20uid/stats')).json.code).toBe('invalid_index_uid')
})

test('22.4.12: an index without documents has internal databases, and one with some the room that each takes', async () => {
  const indexes = await startIndexServer()
  await indexes.done('POST', '/indexes', { body: { uid: 'a' } })
  const stats = async () => (await indexes.send('GET', '/indexes/a/stats?showInternalDatabaseSizes=true')).json
  expect(await stats()).toMatchObject({ avgDocumentSize: 0, internalDatabaseSizes: { main: 4096 } })
  await indexes.add('a', [{ id: 1 }, { id: 2 }, { id: 3 }])
  const { rawDocumentDbSize, avgDocumentSize, internalDatabaseSizes } = await stats()
  expect([rawDocumentDbSize, avgDocumentSize]).toEqual([4096, Math.floor(4096 / 3) - 8])
  expect(internalDatabaseSizes).toMatchObject({ main: 4096, documents: 4096, externalIds: 4096 })
})

test('sizes can be written for people', async () => {
  const { json } = await server.send('GET', '/indexes/shop/stats?sizeFormat=human&showInternalDatabaseSizes=true')
  expect(json).toMatchObject({ rawDocumentDbSize: '9.77 KiB', avgDocumentSize: '512 B' })
  expect(JSON.stringify(json.internalDatabaseSizes)).toBe('{"documents":"2 KiB","words":"10 B"}')
  expect((await server.send('GET', '/stats?sizeFormat=human')).json.databaseSize).toMatch(/^\d+(\.\d+)? MiB$/)
})

test.each([
  ['sizeFormat=big', 'invalid_stats_size_format'],
  ['showInternalDatabaseSizes=1', 'invalid_stats_show_internal_database_sizes'],
  ['other=1', 'bad_request'],
])('%s is refused as %s', async (query, code) => {
  for (const path of ['/stats', '/indexes/shop/stats']) {
    expect((await server.send('GET', `${path}?${query}`)).json.code).toBe(code)
  }
})

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [10_000, '9.77 KiB'],
  [1_572_864, '1.5 MiB'],
  [2 ** 60, '1 EiB'],
  [2 ** 63, '8 EiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
