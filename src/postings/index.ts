/** Which words stand where: the dictionary, the postings of words and prefixes, their writers and readers. */

export type { DocIdSource, Postings, PostingsPiece, WordIndex, WordPostings } from './model.js'
export { WordThread, WordThreadLost } from './parallel/word-thread.js'
export { followPrefixes } from './prefixes/follow-prefixes.js'
export { ReadingMemory } from './reading-memory.js'
export { StoredWords, type StoredWordsOptions } from './stored-words.js'
export { documentAnalyzer, WordRules } from './word-rules.js'
export { clearWords, WordSink, type WordSinkOptions } from './word-sink.js'
