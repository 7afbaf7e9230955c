import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SearchContext } from '../answer/index.js'
import { readRequest } from '../answer/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import type { EmbeddedQuery } from '../rank/index.js'
import { answerRequest } from './answer-request.js'

const stored = new TestIndex()
let index: SearchIndex
let asked: EmbeddedQuery[]
let answer: Result<Float32Array>

beforeAll(async () => {
  const model = { source: 'rest', url: 'http://model.test/', request: '{{text}}', response: '{{embedding}}' }
  const embedders = { e: { ...model, dimensions: 2 }, user: { source: 'userProvided', dimensions: 2 } }
  stored.run({ kind: 'settings', patches: [JSON.stringify({ embedders })] })
  const payload = await payloadOf([
    { id: 1, title: 'red fox', _vectors: { e: [1, 0], user: null } },
    { id: 2, title: 'blue whale', _vectors: { e: [0, 1], user: null } },
  ])
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  stored.run({ kind: 'documents', operations: [operation] })
  index = new SearchIndex('animals', stored.folder)
})

beforeEach(() => {
  asked = []
  answer = ok(Float32Array.of(0, 1))
})

afterAll(() => stored.delete())

/** What a search needs of its context; the rest is for others. */
const context = {
  gates: { containsFilter: false, foreignKeys: false, network: false, multimodal: true, legacySearch: false },
  open() {
    index.refresh()
    return ok(index)
  },
  wait: <T>(work: Promise<T>) => work,
  tenantFilter: () => null,
  includesMetadata: false,
  network: null,
  isProxied: false,
  isForShards: false,
  rules: [],
  queuedMs: 0,
  embedders: {
    async embed(query: EmbeddedQuery) {
      asked.push(query)
      return answer
    },
  },
} as unknown as SearchContext

async function search(body: object) {
  const request = readRequest('searchBody', Buffer.from(JSON.stringify(body)))
  if (!request.ok) throw new Error(request.failure.message)
  const answered = await answerRequest(request.value, 'animals', context)
  if (!answered.ok) return { code: answered.failure.code }
  const { hits, semanticHitCount, queryVector } = JSON.parse(
    Buffer.from(answered.value.body as Uint8Array).toString('utf8'),
  )
  return { ids: hits.map(({ id }: { id: number }) => id), semanticHitCount, queryVector }
}

const hybrid = (semanticRatio: number) => ({ embedder: 'e', semanticRatio })

test('the query is embedded as it was typed, and its vector is searched by', async () => {
  const found = await search({ q: ' "fox" -x', hybrid: hybrid(1), media: { a: 1 }, retrieveVectors: true })
  expect(found).toEqual({ ids: [2, 1], semanticHitCount: 2, queryVector: [0, 1] })
  expect(asked).toMatchObject([{ name: 'e', q: ' "fox" -x' }])
  expect([...asked[0]!.embedders.keys()]).toEqual(['e', 'user'])
  expect(asked[0]!.deadline).toBeGreaterThan(performance.now())
})

test('nobody is asked where that changes nothing', async () => {
  expect(await search({ q: 'fox', hybrid: hybrid(0) })).toMatchObject({ ids: [1] })
  expect(await search({ hybrid: hybrid(0.5) })).toMatchObject({ ids: [1, 2] })
  expect(await search({ q: 'fox', hybrid: hybrid(1), vector: [1, 1] })).toMatchObject({ semanticHitCount: 2 })
  // One hit is wanted, and words found one that is good enough.
  const good = await search({ q: 'red fox', hybrid: hybrid(0.5), limit: 1, retrieveVectors: true })
  expect(good).toEqual({ ids: [1], semanticHitCount: 0, queryVector: undefined })
  expect(asked).toEqual([])
})

test('a failure is told where meaning alone decides; else words decide', async () => {
  answer = fail('vector_embedding_error', 'the model is asleep')
  expect(await search({ q: 'fox', hybrid: hybrid(1) })).toEqual({ code: 'vector_embedding_error' })
  expect(await search({ q: 'fox', hybrid: hybrid(0.99) })).toEqual({ ids: [1], semanticHitCount: 0 })
  expect(asked).toHaveLength(2)
})

test('a vector of another size than those of the documents is a failure', async () => {
  answer = ok(Float32Array.of(1, 2, 3))
  expect(await search({ q: 'fox', hybrid: hybrid(1) })).toEqual({ code: 'vector_embedding_error' })
})

test('what is wrong with the search is told before anybody is asked', async () => {
  expect(await search({ q: 'fox', hybrid: hybrid(1), filter: 'title = x' })).toEqual({ code: 'invalid_search_filter' })
  expect(await search({ q: 'fox', hybrid: { embedder: 'unknown' } })).toEqual({ code: 'invalid_search_embedder' })
  expect(asked).toEqual([])
})
