import { expect, test } from 'vitest'
import { fromPlain } from '../../json/index.js'
import { applyPatch, defaultSettings, readPatch, type Settings } from '../../settings/index.js'
import { normalizeStopWord } from '../../text/index.js'
import { rankExamples } from '../examples/all-examples.fixture.js'
import type { RankExample } from '../examples/example.fixture.js'
import { expectAnswer, requestOf } from '../examples/example-checks.fixture.js'
import { twinRank } from './rank.twin.js'

function settingsOf({ settings = {} }: RankExample): Settings {
  const patch = readPatch(fromPlain(settings))
  if (!patch.ok) throw new Error(patch.failure.message)
  const forms = {
    stopWords: (words: readonly string[]) => words.map(normalizeStopWord),
    exactWords: (words: readonly string[]) => words,
  }
  const applied = applyPatch(defaultSettings, patch.value, forms)
  if (!applied.ok) throw new Error(applied.failure.message)
  return applied.value
}

for (const example of rankExamples) {
  test(`the twin: ${example.name}`, () => {
    const settings = settingsOf(example)
    const documents = example.documents.map((document) =>
      typeof document === 'string' ? { text: document } : document,
    )
    expect(example.queries.length).toBeGreaterThan(0)
    for (const query of example.queries)
      expectAnswer(query, twinRank({ documents, settings }, requestOf(query.request)))
  })
}
