import { sortedUnique } from '../../byte-order/index.js'
import type { WordForms } from '../../settings/index.js'
import { type Analyzer, createAnalyzer, normalizeStopWord } from '../../text/index.js'

let plainAnalyzer: Analyzer | undefined

/** Words of settings in the form in which text analysis compares them (spec 5 §1.8, §4.1). */
export const analyzedForms: WordForms = {
  stopWords: (words) => sortedUnique(words.map(normalizeStopWord)),
  exactWords: (words) => sortedUnique(words.map(wholeLemma)),
}

/** Lemmas of all tokens, separators included: `Half-Blood` is `half-blood`, which no query word equals. */
function wholeLemma(text: string): string {
  plainAnalyzer ??= createAnalyzer({})
  return plainAnalyzer.lemmaOf(text)
}
