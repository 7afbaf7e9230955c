import { afterAll, beforeAll, expect, test } from 'vitest'
import { Description, type Document, type Operation } from './fuzz/description.js'
import { TestServer } from './server.js'

/** Answers with all that can be in them, held against the description of the interface. Fuzzing sees the plainer ones. */
let server: TestServer
let description: Description

beforeAll(async () => {
  server = await TestServer.start({ masterKey: 'a-master-key-of-enough-bytes' })
  description = new Description((await server.request<Document>('GET', '/openapi.json')).body)
  await answer('PATCH', '/experimental-features', { foreignKeys: true, network: true, getTaskDocumentsRoute: true })
  await done('PATCH', '/indexes/books/settings', {
    filterableAttributes: ['genre', 'year', '_geo'],
    sortableAttributes: ['_geo'],
    embedders: { own: { source: 'userProvided', dimensions: 2 } },
    localizedAttributes: [{ attributePatterns: ['*'], locales: ['eng'] }],
  })
  await done('POST', '/indexes/books/documents', [
    { id: 1, title: 'red fox', genre: 'a', year: 1999, _geo: { lat: 1, lng: 2 }, _vectors: { own: [0, 1] } },
    { id: 2, title: 'blue fox', genre: 'b', year: 2001, _geo: { lat: 3, lng: 4 }, _vectors: { own: [1, 0] } },
  ])
})

afterAll(() => server.close())

function operationOf(method: string, path: string): Operation {
  const [bare = ''] = path.split('?')
  const matches = description.operations.filter((operation) => {
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return operation.method === method && pattern.test(bare)
  })
  // A fixed name wins over a parameter.
  return matches.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]!
}

/** Sends a request that must succeed, and be answered as described. */
async function answer(method: string, path: string, body?: object, headers = {}): Promise<Record<string, unknown>> {
  const { status, headers: received, text, body: json } = await server.request(method, path, body, headers)
  expect([path, status < 300 ? 'success' : text]).toEqual([path, 'success'])
  const request = {
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: body && Buffer.from(JSON.stringify(body)),
  }
  const got = { status, contentType: received['content-type'] ?? '', text }
  expect(description.contradiction(operationOf(method, path), request, got)).toBeUndefined()
  return json
}

async function done(method: string, path: string, body: object): Promise<void> {
  const { taskUid } = await answer(method, path, body)
  expect((await server.waitTask(taskUid as number)).error).toBeNull()
}

const EVERYTHING = {
  q: 'fox',
  attributesToHighlight: ['*'],
  attributesToCrop: ['title:1'],
  showMatchesPosition: true,
  showRankingScore: true,
  showRankingScoreDetails: true,
  retrieveVectors: true,
  sort: ['_geoPoint(1,2):asc'],
}

test('searches with everything that can be asked for', async () => {
  const hybrid = { embedder: 'own', semanticRatio: 0.5 }
  const facets = ['genre', 'year']
  const more = { facets, hybrid, vector: [0, 1], showPerformanceDetails: true }
  const metadata = { 'meili-include-metadata': 'true' }
  const found = await answer('POST', '/indexes/books/search', { ...EVERYTHING, ...more }, metadata)
  expect(found.hits).toHaveLength(2)
  await answer('POST', '/indexes/books/search', { ...EVERYTHING, page: 1, hitsPerPage: 1 })
  await answer('GET', '/indexes/books/search?q=fox&facets=genre,year&page=1')
  await answer('POST', '/indexes/books/search', { q: 'fox', useNetwork: true })
  await answer('POST', '/indexes/books/facet-search', { facetName: 'genre', q: 'fox' })
})

test('several searches, one by one and as one list', async () => {
  const queries = [
    { indexUid: 'books', ...EVERYTHING },
    { indexUid: 'books', q: 'red', federationOptions: { weight: 0.5 } },
  ]
  await answer('POST', '/multi-search', { queries: queries.map(({ indexUid, q }) => ({ indexUid, q })) })
  const facetsByIndex = { books: ['genre', 'year'] }
  const metadata = { 'meili-include-metadata': 'true' }
  await answer('POST', '/multi-search', { queries, federation: { facetsByIndex } }, metadata)
  await answer('POST', '/multi-search', { queries, federation: { facetsByIndex, mergeFacets: {}, page: 1 } })
})

test('documents that are like others', async () => {
  const shown = { retrieveVectors: true, showRankingScore: true, showPerformanceDetails: true }
  const found = await answer('POST', '/indexes/books/similar', { id: 1, embedder: 'own', ...shown })
  expect(found.hits).toHaveLength(1)
  await answer('GET', '/indexes/books/similar?id=1&embedder=own&showRankingScoreDetails=true')
})

test('documents, fields, statistics and settings', async () => {
  await answer('POST', '/indexes/books/documents/fetch', { filter: [['year > 1'], 'genre = a'], retrieveVectors: true })
  await answer('GET', '/indexes/books/documents/1?retrieveVectors=true')
  await answer('POST', '/indexes/books/fields', { limit: 100 })
  await answer('GET', '/stats?showInternalDatabaseSizes=true&sizeFormat=human')
  await answer('GET', '/indexes/books/stats?showInternalDatabaseSizes=true')
  await answer('GET', '/indexes/books/settings')
  await answer('GET', '/indexes/books/settings/embedders')
})

test('webhooks', async () => {
  const { uuid } = await answer('POST', '/webhooks', { url: 'http://127.0.0.1:9/', headers: { authorization: 'x' } })
  await answer('GET', `/webhooks/${uuid}`)
  await answer('PATCH', `/webhooks/${uuid}`, { headers: { authorization: null } })
  await answer('GET', '/webhooks')
  await answer('DELETE', `/webhooks/${uuid}`)
})

test('tasks and batches that are done', async () => {
  await answer('GET', '/tasks?statuses=succeeded')
  await answer('GET', '/tasks/0')
  await answer('GET', '/batches')
  await answer('GET', '/batches/0')
})
