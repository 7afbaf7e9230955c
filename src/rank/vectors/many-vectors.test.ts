import { afterAll, beforeAll, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { SearchIndex } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'
import { rank } from '../rank.js'
import { findSimilar, slotVectors } from './similar.js'
import { vectorRule } from './vector-rule.js'

/** Enough for lists of neighbours (see `embedder-writer.ts`). */
const COUNT = 5200
const DIMENSIONS = 64

const stored = new TestIndex()
let index: SearchIndex
const vectors: Float32Array[] = []

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

const random = randomNumbers(1)
const middles = Array.from({ length: 30 }, () => Float32Array.from({ length: DIMENSIONS }, random))
const newVector = (i: number) => middles[i % 30]!.map((each) => each + 0.7 * random())

beforeAll(async () => {
  const embedders = { e: { source: 'userProvided', dimensions: DIMENSIONS } }
  stored.run({ kind: 'settings', patches: [JSON.stringify({ embedders })] })
  for (let i = 0; i < COUNT; i++) vectors.push(newVector(i))
  const payload = await payloadOf(vectors.map((vector, id) => ({ id, _vectors: { e: [...vector] } })))
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  stored.run({ kind: 'documents', operations: [operation] })
  index = new SearchIndex('many', stored.folder)
  index.refresh()
}, 60_000)

afterAll(() => stored.delete())

function search(query: Float32Array, options: { depth: number; filter?: Bitmap }) {
  const { depth, filter = null } = options
  const rule = vectorRule({
    embedder: index.vectors.embedder('e')!,
    query,
    similarityOf: (distance) => 1 - distance,
    depth,
    total: COUNT,
    deadline: Number.POSITIVE_INFINITY,
  })
  const found = rank(index, {
    q: null,
    locales: null,
    matchingStrategy: 'last',
    attributesToSearchOn: null,
    sort: [],
    distinct: null,
    filter,
    depth,
    isExhaustive: false,
    threshold: null,
    deadline: Number.POSITIVE_INFINITY,
    vectorRule: rule,
  } as Parameters<typeof rank>[1])
  return found.documents.map(({ docId }) => docId)
}

function exact(query: Float32Array, count: number, isMember = (_docId: number) => true): number[] {
  const from = index.vectors.embedder('e')!.distancesFrom(query)
  return vectors
    .map((_, docId) => docId)
    .filter(isMember)
    .map((docId) => ({ docId, distance: from.to(docId) }))
    .sort((a, b) => a.distance - b.distance || a.docId - b.docId)
    .slice(0, count)
    .map(({ docId }) => docId)
}

const shared = (a: readonly number[], b: readonly number[]) => a.filter((each) => b.includes(each)).length / a.length

test('a page of neighbours is nearly that of looking at everything, with and without a filter', () => {
  const isMember = (docId: number) => docId % 4 !== 0
  const filter = Bitmap.fromSorted(vectors.map((_, docId) => docId).filter(isMember))
  const shares: number[] = []
  for (let i = 0; i < 10; i++) {
    const query = newVector(i)
    shares.push(shared(exact(query, 10), search(query, { depth: 10 })))
    shares.push(shared(exact(query, 10, isMember), search(query, { depth: 10, filter })))
  }
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.95)
})

test('whoever goes on gets every document once', () => {
  const query = newVector(3)
  const few = search(query, { depth: 200 })
  expect(new Set(few).size).toBe(200)
  const all = search(query, { depth: COUNT })
  expect(all).toEqual(exact(query, COUNT))
})

test('similar documents are those that looking at everything finds', () => {
  const universe = Bitmap.range(0, COUNT)
  universe.remove(17)
  const page = findSimilar({
    embedder: index.vectors.embedder('e')!,
    target: slotVectors(index.vectors.embedder('e')!, 17),
    universe,
    similarityOf: (distance) => 1 - distance,
    offset: 0,
    limit: 10,
    threshold: null,
  })
  const expected = exact(vectors[17]!, 11).filter((docId) => docId !== 17)
  expect(
    shared(
      expected,
      page.documents.map(({ docId }) => docId),
    ),
  ).toBeGreaterThan(0.85)
})

test('a search sees vectors that came, went or changed since the last one', async () => {
  const [before, after] = [newVector(5), newVector(6)]
  const put = async (vector: Float32Array) => {
    const payload = await payloadOf([{ id: COUNT, _vectors: { e: [...vector] } }])
    const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
    stored.run({ kind: 'documents', operations: [operation] })
    index.refresh()
  }
  expect(search(before, { depth: 10 })).not.toContain(COUNT)
  await put(before)
  expect([search(before, { depth: 10 })[0], search(after, { depth: 10 }).includes(COUNT)]).toEqual([COUNT, false])
  await put(after)
  expect([search(after, { depth: 10 })[0], search(before, { depth: 10 }).includes(COUNT)]).toEqual([COUNT, false])
})
