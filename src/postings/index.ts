/** Which words stand where: the dictionary, the postings of words and prefixes, their writers and readers. */

export type { DocIdSource, Postings, PostingsPiece, TermSets, WordIndex, WordPostings } from './model.js'
export { MAX_ONE_TYPO, MAX_TWO_TYPOS } from './near-words.js'
export { WordThread, WordThreadLost } from './parallel/word-thread.js'
export { followPrefixes, type PrefixNeeds } from './prefixes/follow-prefixes.js'
export { ReadingMemory } from './reading-memory.js'
export { isOfSets } from './sets/clear-sets.js'
export {
  chooseIfOutgrown,
  followSets,
  isRefreshDue,
  refreshSteps,
  type SetNeeds,
} from './sets/follow-sets.js'
export { StoredWords, type StoredWordsOptions } from './stored-words.js'
export { documentAnalyzer, WordRules } from './word-rules.js'
export { clearWords, WordSink, type WordSinkOptions } from './word-sink.js'
