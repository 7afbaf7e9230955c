import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/docs/settings', {
    body: { embedders: { e: { source: 'userProvided', dimensions: 2 } }, filterableAttributes: ['tag'] },
  })
  await server.add('docs', [
    { id: 1, tag: 'a', _vectors: { e: [1, 0] } },
    { id: 2, tag: 'b', _vectors: { e: [0.6, 0.8] } },
    { id: 3, tag: 'b', _vectors: { e: [0, 1] } },
    { id: 4, tag: 'c', _vectors: { e: null } },
  ])
})

const post = (body: object, index = 'docs') => server.send('POST', `/indexes/${index}/similar`, { body })
const idsOf = ({ json }: { json: { hits: { id: number }[] } }) => json.hits.map(({ id }) => id)

describe('similar documents', () => {
  test('come by distance; those without vectors do not', async () => {
    const { json } = await post({ id: 1, embedder: 'e', showRankingScore: true, showRankingScoreDetails: true })
    expect(json).toEqual({
      hits: [
        {
          id: 2,
          tag: 'b',
          _rankingScore: 0.800000011920929,
          _rankingScoreDetails: { vectorSort: { order: 0, similarity: 0.800000011920929 } },
        },
        { id: 3, tag: 'b', _rankingScore: 0.5, _rankingScoreDetails: { vectorSort: { order: 0, similarity: 0.5 } } },
      ],
      id: '1',
      processingTimeMs: expect.any(Number),
      limit: 20,
      offset: 0,
      estimatedTotalHits: 3,
    })
  })

  test('end at the threshold, which the total tells', async () => {
    const { json } = await post({ id: '1', embedder: 'e', rankingScoreThreshold: 0.6 })
    expect(json).toMatchObject({ hits: [{ id: 2 }], estimatedTotalHits: 1 })
    const later = await post({ id: '1', embedder: 'e', rankingScoreThreshold: 0.6, offset: 1 })
    expect(later.json).toMatchObject({ hits: [], estimatedTotalHits: 1 })
  })

  test('can be paged, filtered and cut to some attributes', async () => {
    expect(idsOf(await post({ id: 1, embedder: 'e', offset: 1, limit: 1 }))).toEqual([3])
    const filtered = await post({ id: 1, embedder: 'e', filter: 'tag = a OR tag = c' })
    expect(filtered.json).toMatchObject({ hits: [], estimatedTotalHits: 1 })
    const query = 'id=2&embedder=e&attributesToRetrieve=id&retrieveVectors=true&limit=1'
    const { json } = await server.send('GET', `/indexes/docs/similar?${query}`)
    expect(json.hits).toEqual([{ id: 3, _vectors: { e: { embeddings: [[0, 1]], regenerate: false } } }])
  })

  test('tell their stages', async () => {
    const { json } = await post({ id: 1, embedder: 'e', showPerformanceDetails: true })
    expect(Object.keys(json.performanceDetails)).toEqual([
      'wait in queue',
      'search > evaluate filter',
      'search > semantic ranking',
      'search > format',
      'search',
    ])
  })

  test('of a document without vectors are none', async () => {
    expect((await post({ id: 4, embedder: 'e' })).json).toMatchObject({ hits: [], estimatedTotalHits: 3 })
  })

  test('share a slot with the document', async () => {
    await server.done('PATCH', '/indexes/slots/settings', {
      body: { embedders: { e: { source: 'userProvided', dimensions: 2 } } },
    })
    const vectors = (...e: number[][]) => ({ _vectors: { e } })
    await server.add('slots', [
      { id: 1, ...vectors([1, 0], [0, 1]) },
      { id: 2, ...vectors([0, 1]) },
      { id: 3, ...vectors([0, 1], [0, 1]) },
    ])
    const { json } = await post({ id: 1, embedder: 'e', showRankingScore: true }, 'slots')
    expect(json.hits).toEqual([
      { id: 3, _rankingScore: 1 },
      { id: 2, _rankingScore: 0.5 },
    ])
  })
})

test.each<[object, string]>([
  [{ id: 1 }, 'bad_request'],
  [{ embedder: 'e' }, 'bad_request'],
  [{ id: 1, embedder: 42 }, 'invalid_similar_embedder'],
  [{ id: 1, embedder: 'x' }, 'invalid_similar_embedder'],
  [{ id: 'http://x/', embedder: 'e' }, 'invalid_similar_id'],
  [{ id: 1.5, embedder: 'e' }, 'invalid_similar_id'],
  [{ id: null, embedder: 'e' }, 'invalid_similar_id'],
  [{ id: 'unknown', embedder: 'e' }, 'not_found_similar_id'],
  [{ rankingScoreThreshold: 42 }, 'invalid_similar_ranking_score_threshold'],
  [{ id: 'http://x/', embedder: 'e', filter: 'a &' }, 'invalid_similar_filter'],
  [{ id: 1, embedder: 'e', filter: 'other = 1' }, 'invalid_similar_filter'],
  [{ id: 1, embedder: 'e', q: 'no' }, 'bad_request'],
])('%j is %s', async (body, code) => {
  expect(await server.codeOf('POST', '/indexes/docs/similar', { body })).toBe(code)
})

test('22.4.11: a query string whose filter is null has one that is none', async () => {
  expect(await server.codeOf('GET', '/indexes/docs/similar?id=1&embedder=e&filter=null')).toBe('invalid_similar_filter')
})

test('an unknown index is found missing after the parameters were read', async () => {
  expect(await server.codeOf('POST', '/indexes/missing/similar', { body: { id: 1 } })).toBe('bad_request')
  const { status, json } = await post({ id: 1, embedder: 'e' }, 'missing')
  expect([status, json.code]).toEqual([404, 'index_not_found'])
})

test('a tenant token hides documents, as hits and as the one that others are compared with', async () => {
  const { json: parent } = await server.send('POST', '/keys', {
    body: { actions: ['search'], indexes: ['docs'], expiresAt: null },
  })
  const searchRules = { docs: { filter: 'tag = b' } }
  const token = new SignJWT({ apiKeyUid: parent.uid, searchRules }).setProtectedHeader({ alg: 'HS256' })
  const key = await token.sign(Buffer.from(parent.key))
  const find = (id: number) => server.send('POST', '/indexes/docs/similar', { body: { id, embedder: 'e' }, key })
  expect((await find(1)).json.code).toBe('not_found_similar_id')
  expect((await find(2)).json).toMatchObject({ hits: [{ id: 3 }], estimatedTotalHits: 1 })
})
