import { readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { AnswerFiles } from '../answers/answer-files.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { MASTER_KEY, temporaryFolder } from '../test-server.fixture.js'

const overflowPath = temporaryFolder()
const documents = Array.from({ length: 12 }, (_, id) => ({ id, text: `${id} `.repeat(400_000) }))

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer({ executor: { overflowPath }, context: { answerFiles: new AnswerFiles(2) } })
  await server.done('PATCH', '/indexes/texts/settings', { body: { searchableAttributes: ['id'] } })
  await server.add('texts', documents)
  await server.add('small', [{ id: 1 }])
}, 60_000)

const search = (body: object) => server.send('POST', '/indexes/texts/search', { body })

test('what is too large to be held comes through a file, complete and with its length', async () => {
  const { status, json, bytes, headers } = await search({})
  expect(bytes.length).toBeGreaterThan(4 << 20)
  expect([status, Number(headers['content-length']), headers['content-type']]).toEqual([
    200,
    bytes.length,
    'application/json',
  ])
  expect(json).toMatchObject({ query: '', limit: 20, estimatedTotalHits: documents.length })
  expect(json.hits).toEqual(documents)
})

test('lists, several queries and federated ones do as well', async () => {
  const listed = await server.send('GET', '/indexes/texts/documents?limit=100')
  expect(listed.json).toEqual({ results: documents, offset: 0, limit: 100, total: documents.length })
  const queries = [{ indexUid: 'texts' }, { indexUid: 'small' }, { indexUid: 'texts', limit: 3 }]
  const several = await server.send('POST', '/multi-search', { body: { queries } })
  expect(several.json.results.map(({ hits }: { hits: unknown }) => hits)).toEqual([
    documents,
    [{ id: 1 }],
    documents.slice(0, 3),
  ])
  const body = { federation: {}, queries: [{ indexUid: 'texts' }, { indexUid: 'small' }] }
  const federated = await server.send('POST', '/multi-search', { body })
  expect(federated.json.hits).toHaveLength(documents.length + 1)
})

test('it is compressed where the client asks for it', async () => {
  const { bytes, headers } = await server.send('POST', '/indexes/texts/search', {
    body: {},
    headers: { 'accept-encoding': 'gzip' },
  })
  expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', undefined])
  expect(JSON.parse(gunzipSync(bytes).toString()).hits).toEqual(documents)
})

test('a query that fails behind megabytes of others is the answer, as always', async () => {
  const queries = [{ indexUid: 'texts' }, { indexUid: 'texts' }, { indexUid: 'small', filter: 'none = 1' }]
  const { status, json } = await server.send('POST', '/multi-search', { body: { queries } })
  expect([status, json.code]).toEqual([400, 'invalid_search_filter'])
  expect(json.message).toContain('queries[2]')
})

/** A client that reads nothing of its answer. */
function startReading(): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${MASTER_KEY}` }
  const path = '/indexes/texts/documents?limit=100'
  return new Promise((resolve) => request({ port: server.port, path, headers }, resolve).end())
}

test('no more of them than the disk has room for are on their way; whoever leaves makes room', async () => {
  const slow = [await startReading(), await startReading()]
  const refused = await search({})
  expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([
    503,
    'too_many_search_requests',
    '10',
  ])
  expect((await server.send('POST', '/indexes/small/search', { body: {} })).status).toBe(200)
  for (const answer of slow) answer.destroy()
  while ((await search({})).status === 503);
  expect((await search({})).json.hits).toEqual(documents)
})

test('the files have no names', () => {
  expect(readdirSync(overflowPath)).toEqual([])
})
