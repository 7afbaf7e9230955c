import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Pairs, SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import { requestOf } from './examples/example-checks.fixture.js'
import type { RankedDocument } from './model.js'
import { rank } from './rank.js'
import { rankInSlices, type SliceJob } from './slices.js'

const stored = new TestIndex()
afterAll(() => stored.delete())
const index = new SearchIndex('shop', stored.folder)

const word = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('sun', 'sun', 'sun', 'snow', 'snow', 'sunny', 'snowman', 'suns') },
  // What is typed mostly as a prefix.
  { weight: 1, arbitrary: fc.constantFrom('su', 'sno', 's') },
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const documents = fc.array(fc.record({ title: text, overview: fc.option(text, { nil: '' }) }), {
  minLength: 20,
  maxLength: 60,
})
const search = fc.record({
  q: fc.array(fc.constantFrom('sun', 'snow', 'su', 'sno', 'sunny', '"sun snow"', 's'), { minLength: 1, maxLength: 3 }),
  attributesToSearchOn: fc.constantFrom(null, null, ['title'], ['overview']),
  depth: fc.integer({ min: 1, max: 5 }),
  firstSlice: fc.constantFrom(2, 3, 5),
})

const WHOLE = Number.POSITIVE_INFINITY

async function fill(list: readonly object[], settings: object): Promise<void> {
  stored.run({ kind: 'clear', patches: [JSON.stringify(settings)] })
  const payload = await payloadOf(list.map((document, id) => ({ id, ...document })))
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  for (const outcome of stored.run({ kind: 'documents', operations: [operation] })) expect(outcome.ok).toBe(true)
  index.refresh()
}

const rankingRules = fc.constantFrom(
  ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'],
  ['words', 'exactness'],
  ['words', 'typo', 'attributeRank', 'exactness', 'wordPosition'],
  ['words', 'typo', 'wordPosition', 'proximity'],
)

test('a page is the same whether documents are looked at in slices or as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(documents, rankingRules, fc.array(search, { minLength: 4 }), async (list, rules, searches) => {
      await fill(list, { rankingRules: rules, searchableAttributes: ['title', 'overview'] })
      for (const { q, ...options } of searches) {
        const request = requestOf({ ...options, q: q.join(' ') })
        const [sliced, whole] = [rank(index, request), rank(index, { ...request, firstSlice: WHOLE })]
        expect(sliced.documents).toEqual(whole.documents)
        expect(sliced.candidateCount).toBe(whole.candidateCount)
      }
    }),
    { numRuns: Number(process.env.RANK_RUNS ?? 60) },
  )
}, 3_600_000)

const WANTED = 2

/** Documents whose loss is given, and which of them were looked at. */
function lossesJob(losses: readonly number[], options: Partial<SliceJob> = {}): { job: SliceJob; seen: number[] } {
  const seen: number[] = []
  const ranked = (docId: number): RankedDocument => ({
    docId,
    details: [{ rule: 'proximity', rank: 9 - losses[docId]!, max: 9 }],
  })
  const rank = (docIds: Uint32Array) => {
    seen.push(...docIds)
    const sorted = [...docIds].sort((a, b) => losses[a]! - losses[b]! || a - b)
    return sorted.slice(0, options.wanted ?? WANTED).map(ranked)
  }
  const docIds = Uint32Array.from(losses.keys())
  const job = {
    docIds,
    wanted: WANTED,
    first: 2,
    losses: [1],
    leastLosses: [0],
    exceptions: () => Uint32Array.of(),
    bounds: NO_BOUNDS,
    pairs: new Pairs(),
    rulesBefore: 0,
    rank,
  }
  return { job: { ...job, ...options }, seen }
}

const NO_BOUNDS: SliceJob['bounds'] = { rules: [], fulfilledBy: () => undefined }

const idsOf = (documents: readonly RankedDocument[]): number[] => documents.map(({ docId }) => docId)

test('nothing is looked at behind documents that cannot be bettered', () => {
  const { job, seen } = lossesJob([3, 1, 2, 1, 4, 1, 1, 1, 1, 1, 1, 1])
  const { documents, isComplete } = rankInSlices(job)
  expect([idsOf(documents), isComplete]).toEqual([[1, 3], true])
  // One of the first two is as good as can be: three more may have the other one.
  expect(seen).toEqual([0, 1, 2, 3, 4])
})

test('exceptions are looked at, wherever they are', () => {
  const { job, seen } = lossesJob([1, 1, 1, 1, 1, 0, 1, 0, 1, 1], {
    exceptions: (docIds) => docIds.filter((docId) => [0, 5, 7].includes(docId)),
  })
  expect(idsOf(rankInSlices(job).documents)).toEqual([5, 7])
  expect(seen).toEqual([0, 1, 5, 7])
})

test('when time is up, what was ranked until then is kept', () => {
  const { job } = lossesJob([3, 2, 1, 1, 1])
  let calls = 0
  const rank = (docIds: Uint32Array) => (++calls === 1 ? job.rank(docIds) : undefined)
  const { documents, isComplete } = rankInSlices({ ...job, rank })
  expect([idsOf(documents), isComplete]).toEqual([[1, 0], false])
  const late = rankInSlices({ ...lossesJob([1, 1, 0, 0]).job, exceptions: () => undefined })
  expect([idsOf(late.documents), late.isComplete]).toEqual([[0, 1], false])
})

test('documents that cannot be among the best are looked at when the best are not enough', () => {
  // By the first of two rules odd documents are worse than even ones.
  const losses = [2, 1, 1, 1, 2, 0, 1, 1]
  const fulfilledBy = (docIds: Uint32Array) => Uint8Array.from(docIds, (docId) => (docId % 2 === 0 ? 1 : 0))
  const few = lossesJob(losses, { bounds: { rules: [0], fulfilledBy }, losses: [1], wanted: 3 })
  expect(idsOf(rankInSlices(few.job).documents)).toEqual([5, 1, 2])
  expect(few.seen).toEqual([0, 2, 4, 6, 1, 3, 5, 7])
  const enough = lossesJob([2, 9, 1, 9, 1, 9, 1, 9], { bounds: { rules: [0], fulfilledBy }, losses: [1] })
  expect(idsOf(rankInSlices(enough.job).documents)).toEqual([2, 4])
  expect(enough.seen).toEqual([0, 2, 4, 6])
})

test('competitive documents wait until they may fill the page', () => {
  const losses = Array.from({ length: 60 }, () => 1)
  const fulfilledBy = (docIds: Uint32Array) => Uint8Array.from(docIds, (docId) => (docId % 8 === 7 ? 1 : 0))
  const { job, seen } = lossesJob(losses, { bounds: { rules: [0], fulfilledBy } })
  const calls: number[] = []
  const rank = (docIds: Uint32Array) => {
    calls.push(docIds.length)
    return job.rank(docIds)
  }
  expect(idsOf(rankInSlices({ ...job, rank }).documents)).toEqual([7, 15])
  expect([calls, seen]).toEqual([[4], [7, 15, 23, 31]])
})

test('exceptions are looked at until enough of them cannot be bettered', () => {
  const exceptions = Uint32Array.of(2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
  const losses = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...Array.from({ length: 20 }, () => 1)]
  const { job, seen } = lossesJob(losses, {
    exceptions: (docIds) => docIds.filter((docId) => exceptions.includes(docId)),
  })
  expect(idsOf(rankInSlices(job).documents)).toEqual([2, 3])
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6])
})
