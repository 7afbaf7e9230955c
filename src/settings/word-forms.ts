/**
 * What text analysis has to say about words in settings. Lists come in byte order and without duplicates, and must go
 * out so.
 */
export interface WordForms {
  /** Stop words as they are stored and compared (spec 4 §3.6). */
  stopWords(words: readonly string[]): readonly string[]
  /** `disableOnWords` as lemmas (spec 4 §3.12). */
  exactWords(words: readonly string[]): readonly string[]
}

/** For words that have their stored form already. */
export const storedForms: WordForms = { stopWords: (words) => words, exactWords: (words) => words }
