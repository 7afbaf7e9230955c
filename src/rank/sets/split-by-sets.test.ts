import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { WordResources } from '../../index/index.js'
import { SearchIndex } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'
import { requestOf } from '../examples/example-checks.fixture.js'
import type { RankRequest } from '../model.js'
import { rank } from '../rank.js'

type RarityLimits = NonNullable<Extract<WordResources['sets'], object>['rarityLimits']>

/** Numbers from 0 up to 1 that look random, the same ones each time. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = randomNumbers(7)
const VOCABULARY = [
  ...['the', 'of', 'a', 'is', 'sun', 'film', 'snow', 'board', 'snowboard', 'ofthe', 'sunflower', 'flower', 'director'],
  ...Array.from({ length: 130 }, (_, i) => `s${String.fromCharCode(97 + (i % 7))}${i}`),
]
/** The first ones come much more often. */
const someWord = () => VOCABULARY[Math.floor(random() ** 3 * VOCABULARY.length)]!
const someText = (longest: number) => Array.from({ length: Math.floor(random() * longest) }, someWord).join(' ')

const documents = Array.from({ length: 5000 }, (_, id) => ({
  id,
  title: someText(5),
  text: someText(25),
  tags: [someText(3), someText(3)],
  color: ['red', 'blue', 'green'][id % 3],
}))

const SETTINGS = JSON.stringify({ filterableAttributes: ['color'], sortableAttributes: ['color'] })

/** The same documents, of which sets are kept or not; the last ones came when those had been made. */
async function filled(sets: WordResources['sets']): Promise<{ stored: TestIndex; index: SearchIndex }> {
  const stored = new TestIndex()
  stored.run({ kind: 'settings', patches: [SETTINGS] })
  for (const [from, to] of [
    [0, 4300],
    [4300, 5000],
  ]) {
    const payload = await payloadOf(documents.slice(from, to))
    const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
    stored.run({ kind: 'documents', operations: [operation] }, { sets })
  }
  const index = new SearchIndex('shop', stored.folder)
  index.refresh()
  return { stored, index }
}

const indexes: { stored: TestIndex; index: SearchIndex }[] = []
beforeAll(async () => {
  indexes.push(await filled('later'), await filled({ manyDocuments: 1 }))
}, 60_000)
afterAll(async () => {
  for (const { stored } of indexes) await stored.delete()
})

function queryOf(): string {
  const words = Array.from({ length: 1 + Math.floor(random() * 3) }, someWord)
  const kind = random()
  if (kind < 0.15) return `"${words.join(' ')}"`
  if (kind < 0.25) return `${words.join(' ')} -${someWord()}`
  if (kind < 0.6) return `${words.join(' ')} ${someWord().slice(0, 1 + Math.floor(random() * 3))}`
  return words.join(' ')
}

const oneOf = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!

function someRequest(): RankRequest {
  return requestOf({
    q: queryOf(),
    matchingStrategy: oneOf('last', 'last', 'all', 'frequency'),
    attributesToSearchOn: oneOf(null, null, null, ['title'], ['text', 'tags']),
    distinct: oneOf(null, null, null, 'color'),
    threshold: oneOf(null, null, 0.5, 0.9),
    depth: oneOf(1, 20, 20, 300),
  })
}

function answerOf(index: SearchIndex, request: RankRequest): object {
  const { documents, candidates } = rank(index, request)
  return { documents, candidates: [...candidates()] }
}

test('thousands of documents are ranked by sets as they are one by one', () => {
  const [plain, withSets] = indexes
  expect(plain!.index.words.sets.isKept).toBe(false)
  expect(withSets!.index.words.sets.stale).toHaveLength(700)
  for (let i = 0; i < 400; i++) {
    const request = someRequest()
    expect(answerOf(withSets!.index, request), JSON.stringify(request)).toEqual(answerOf(plain!.index, request))
  }
}, 300_000)

/** Sets are kept of all these documents, as far as terms and pairs are not too rare. */
async function withSets(documents: readonly object[], rarityLimits: RarityLimits): Promise<SearchIndex> {
  const stored = new TestIndex()
  onTestFinished(() => stored.delete())
  const payload = await payloadOf(documents)
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  const sets = { manyDocuments: 1, mostChanged: 0, rarityLimits }
  stored.run({ kind: 'documents', operations: [operation] }, { sets })
  const index = new SearchIndex('shop', stored.folder)
  index.refresh()
  return index
}

/** Both words stand better here, but far from each other. */
const far = Array.from({ length: 30 }, (_, id) => ({ id, text: 'film one two three four sun' }))

const bestOf = (index: SearchIndex, q: string): number =>
  rank(index, requestOf({ q, fewByDocument: 0 })).documents[0]!.docId

test('a rare word that begins as what was typed counts before the other word too', async () => {
  const index = await withSets([...far, { id: 30, text: 'one two three four sunny film' }], {
    term: 1,
    longPrefix: 4,
    pair: 9,
  })
  expect(index.words.sets.wordTerm('sunny')).toBeUndefined()
  expect(index.words.sets.prefixTerm('sun')).toBeDefined()
  expect(bestOf(index, 'film sun')).toBe(30)
})

test('words that hardly ever meet are looked at one by one, though each of them is frequent', async () => {
  const others = Array.from({ length: 90 }, (_, id) => ({ id: 100 + id, text: 'film' }))
  const index = await withSets([...far, ...others, { id: 30, text: 'one two three four film sun' }], {
    term: 4,
    longPrefix: 0,
    pair: 0,
  })
  const { sets } = index.words
  expect(sets.hasPairs(sets.wordTerm('film')!, sets.wordTerm('sun')!)).toBe(false)
  expect(bestOf(index, 'film sun ')).toBe(120)
})
