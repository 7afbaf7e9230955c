import { afterAll, expect, test } from 'vitest'
import { SearchIndex } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'
import { requestOf } from '../../rank/examples/example-checks.fixture.js'
import type { MatchTerms } from '../../rank/index.js'
import { rank } from '../../rank/index.js'
import { formattedText, hit } from './hits.fixture.js'

const stored = new TestIndex()
afterAll(() => stored.delete())
const index = new SearchIndex('shop', stored.folder)

/** What is looked for in texts when these are the documents. */
async function termsOf(q: string, texts: readonly string[], settings: object): Promise<MatchTerms | undefined> {
  stored.run({ kind: 'clear', patches: [JSON.stringify(settings)] })
  const payload = await payloadOf(texts.map((text, id) => ({ id, text })))
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  for (const outcome of stored.run({ kind: 'documents', operations: [operation] })) expect(outcome.ok).toBe(true)
  index.refresh()
  return rank(index, requestOf({ q })).terms
}

async function highlighted(q: string, texts: readonly string[], settings: object): Promise<(string | undefined)[]> {
  const terms = await termsOf(q, texts, settings)
  return texts.map((text) => formattedText(text, { attributesToHighlight: ['t'], terms }))
}

test('of words with one typo and with two, the first in byte order says how much is highlighted', async () => {
  const settings = { typoTolerance: { minWordSizeForTypos: { oneTypo: 5, twoTypos: 6 } } }
  expect(await highlighted('apriee', ['aprine', 'apri'], settings)).toEqual(['<em>apri</em>ne', '<em>apri</em>'])
})

test('words with typos stand in byte order, behind the word as typed and its completions', async () => {
  const settings = { typoTolerance: { minWordSizeForTypos: { oneTypo: 5, twoTypos: 6 } } }
  const words = ['snowed', 'snowedin', 'snoed', 'snawed', 'snaed', 'sowedz', 'snowe', 'znowed']
  const terms = await termsOf('snowed', words, settings)
  expect(terms?.words).toEqual([
    {
      words: ['snowed', 'snowedin', 'snaed', 'snawed', 'snoed', 'snowe', 'sowedz', 'znowed'],
      isPrefix: true,
      length: 6,
      ids: [0],
    },
  ])
})

test('a synonym is highlighted from its first word to its last, without stop words around them', async () => {
  const settings = { stopWords: ['the', 'of'], synonyms: { bay: ['the bay area', 'of the gulf of'] } }
  const texts = ['San Francisco bay area', 'the Bay Area', 'a gulf of its own', 'bay']
  expect(await highlighted('bay', texts, settings)).toEqual([
    'San Francisco <em>bay area</em>',
    'the <em>Bay Area</em>',
    'a <em>gulf</em> of its own',
    '<em>bay</em>',
  ])
  const { terms } = rank(index, requestOf({ q: 'bay' }))
  expect(JSON.parse(hit({ t: 'San Francisco bay area' }, { terms, showMatchesPosition: true }))).toMatchObject({
    _matchesPosition: { t: [{ start: 14, length: 8 }] },
  })
})
