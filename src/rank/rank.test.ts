import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Bitmap } from '../bitmap/index.js'
import { readSettings } from '../folder/index.js'
import type { TaskOutcome, WordResources } from '../index/index.js'
import { SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import { settingNames } from '../settings/index.js'
import { rankExamples } from './examples/all-examples.fixture.js'
import { type Answer, expectAnswer, requestOf } from './examples/example-checks.fixture.js'
import type { RankRequest } from './model.js'
import { type PlainRequest, someDocuments, someRequest, someSettings } from './rank.arbitrary.js'
import { rank } from './rank.js'
import { rankingScore } from './score.js'
import { NoPath } from './twin/buckets.twin.js'
import type { Collection, PlainDocument } from './twin/index.twin.js'
import { type TwinRanking, twinRank } from './twin/rank.twin.js'

const stored = new TestIndex()
afterAll(() => stored.delete())
const index = new SearchIndex('shop', stored.folder)

const RESET = JSON.stringify(Object.fromEntries(settingNames.map((name) => [name, null])))

/**
 * Makes the index hold these documents, and no others, under these settings. Of the first `inSets` of them sets are kept:
 * the others came later.
 */
async function fill(
  documents: readonly PlainDocument[],
  settings: Readonly<Record<string, unknown>>,
  { inSets, rarityLimits }: SetsOf = { inSets: 0 },
): Promise<void> {
  const outcomes = [...stored.run({ kind: 'clear', patches: [RESET, JSON.stringify(settings)] })]
  if (inSets > 0) outcomes.push(...(await add(documents.slice(0, inSets), { mostChanged: 0, rarityLimits })))
  outcomes.push(...(await add(documents.slice(inSets), { mostChanged: Number.POSITIVE_INFINITY, rarityLimits })))
  for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true })
  index.refresh()
}

type SetPolicy = Extract<WordResources['sets'], object>

/** Sets are kept of the first documents, and of terms that are not too rare. */
interface SetsOf extends Pick<SetPolicy, 'rarityLimits'> {
  readonly inSets: number
}

const someSets: fc.Arbitrary<SetsOf> = fc.record({
  inSets: fc.nat(14),
  rarityLimits: fc.record({ term: fc.nat(4), longPrefix: fc.nat(4), pair: fc.nat(5) }),
})

async function add(documents: readonly PlainDocument[], sets: SetPolicy): Promise<readonly TaskOutcome[]> {
  const payload = await payloadOf(documents)
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  return stored.run({ kind: 'documents', operations: [operation] }, { sets: { manyDocuments: 1, ...sets } })
}

function answerOf(request: RankRequest): Answer {
  const { documents, candidateCount, candidates } = rank(index, request)
  expect(candidates().size).toBe(candidateCount)
  return {
    ids: documents.map(({ docId }) => docId),
    scores: documents.map(({ details }) => rankingScore(details)),
    details: documents.map(({ details }) => details),
    candidates: [...candidates()],
  }
}

for (const example of rankExamples) {
  test(example.name, async () => {
    const documents = example.documents.map((document, id) =>
      typeof document === 'string' ? { id, text: document } : { id, ...document },
    )
    await fill(documents, example.settings ?? {})
    for (const query of example.queries) expectAnswer(query, answerOf(requestOf(query.request)))
  })
}

function toBitmap(filter: PlainRequest['filter'], count: number): Bitmap | null {
  return filter === null ? null : Bitmap.fromSorted(filter.filter((docId) => docId < count))
}

/** What passes is told of lists of documents; of other sets it is found before. */
function withLateFilter(request: RankRequest, passing: Bitmap): RankRequest {
  const among = (docIds: Uint32Array) => docIds.filter((docId) => passing.has(docId))
  return { ...request, filter: null, lateFilter: { all: () => passing, among } }
}

/** Words that are one change away, at each place with each of some letters. */
function changesOf(word: string): string[] {
  const letters = [...'abcdefwxyz']
  return Array.from(word, (_, i) => {
    const [head, tail] = [word.slice(0, i), word.slice(i)]
    return letters.flatMap((letter) => [`${head}${letter}${tail}`, `${head}${letter}${tail.slice(1)}`])
  }).flat()
}

const oneChange = changesOf('snowboard')
const crowds = {
  'one typo and two': [...oneChange, ...oneChange.slice(25, 28).flatMap(changesOf), ...changesOf('board')],
  // Words that begin otherwise and come when those with two typos are complete (spec 5 §4.4).
  'two typos': [...changesOf(oneChange[26]!), 'xsnowboard', 'ynowboard', 'snowboards'],
}

for (const [name, crowd] of Object.entries(crowds)) {
  test(`of too many words with ${name} the same ones count as for the plain way`, async () => {
    const documents = [...new Set(crowd)].map((word, id) => ({ id, word }))
    await fill(documents, { rankingRules: ['typo'] })
    const collection = { documents, settings: readSettings(stored.folder) }
    for (const q of ['snowboard ', 'snowboard', 'xnowboard ', 'board ', 'board', 'snow board ']) {
      const request = requestOf({ q, matchingStrategy: 'all' })
      const { ids, details } = twinRank(collection, request)
      expect(answerOf(request)).toMatchObject({ ids, details })
    }
    expect(answerOf(requestOf({ q: 'snowboard ' })).ids.length).toBeGreaterThan(50)
  })
}

/** Each document has the words in some of thousands of attributes, hardly two of them in the same ones. */
function scattered(attributes: readonly string[], count: number): PlainDocument[] {
  const attributeAt = (number: number) => attributes[(number * 7919) % attributes.length]!
  return Array.from({ length: count }, (_, id) => ({
    id,
    [attributeAt(id * 3)]: id % 5 === 0 ? 'snowboard' : 'snow',
    [attributeAt(id * 3 + 1)]: id % 7 === 0 ? 'snow board' : 'board',
    [attributeAt(id * 5 + 2)]: 'sun',
  }))
}

test('with thousands of attributes, the attribute first, any search gives what trying everything gives', async () => {
  const attributes = Array.from({ length: 3000 }, (_, i) => `a${i}`)
  const documents = scattered(attributes, 24)
  const rankingRules = ['attribute', 'words', 'typo', 'proximity', 'exactness']
  await fill(documents, { searchableAttributes: attributes, rankingRules })
  const collection = { documents, settings: readSettings(stored.folder) }
  for (const q of ['snow board', 'sun snwo']) {
    const request = requestOf({ q })
    const { ids, details, candidates } = twinRank(collection, request)
    expect(answerOf(request)).toMatchObject({ ids, details, candidates })
    expect(ids).toHaveLength(24)
  }
})

/** Undefined where the spec does not say what comes out. */
function twinOf(collection: Collection, request: RankRequest): TwinRanking | undefined {
  try {
    return twinRank(collection, request)
  } catch (error) {
    if (error instanceof NoPath) return undefined
    throw error
  }
}

/** How many collections are tried, each with several requests: RANK_RUNS=10000 for a long check. */
const numRuns = Number(process.env.RANK_RUNS ?? 100)

test('any search gives what trying everything gives', async () => {
  const requests = fc.array(someRequest, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(someDocuments, someSettings, requests, someSets, async (documents, settings, asked, sets) => {
      await fill(documents, settings, sets)
      const collection = { documents, settings: readSettings(stored.folder) }
      for (const plain of asked) {
        const request = requestOf({ ...plain, filter: toBitmap(plain.filter, documents.length) })
        const twin = twinOf(collection, request)
        if (twin === undefined) continue
        const found = answerOf(request)
        expect(found).toEqual({ ...twin, scores: found.scores })
        found.scores.forEach((score, i) => {
          expect(score).toBeCloseTo(twin.scores[i]!, 9)
        })
        const { ids, candidates } = answerOf({ ...request, isOrderEnough: true })
        expect({ ids, candidates }).toEqual({ ids: found.ids, candidates: found.candidates })
        const counted = rank(index, { ...request, isCountEnough: true })
        expect(counted.documents.map(({ docId }) => docId)).toEqual(found.ids)
        expect(counted.candidateCount).toBe(found.candidates.length)
        if (request.filter !== null) expect(answerOf(withLateFilter(request, request.filter))).toEqual(found)
      }
    }),
    { numRuns },
  )
}, 3_600_000)
