/**
 * Text in, words out: segmenting, normalizing, positions, and how many typos two words are apart. Pure: nothing is
 * stored, and the same text gives the same words in documents, queries and highlights. Dictionaries of Chinese,
 * Japanese and Korean are read when the first text in them comes.
 */
export {
  Analyzer,
  type AnalyzerOptions,
  createAnalyzer,
  type NumberSink,
  type ValueText,
  type WordSink,
} from './analyzer.js'
export { foldText } from './fold-text.js'
export type { AllowedLanguages, Language } from './languages.js'
export { type WordNumbering, wordNumbering } from './lemma-cache.js'
export { normalizeStopWord } from './normalize.js'
export { isNumeric } from './numeric.js'
export { POSITION_STEPS, stepOf } from './position-steps.js'
export type { Script } from './scripts.js'
export { originalEnd, type Token, type TokenKind } from './token.js'
export { buildTypoAutomaton, type TypoAutomaton } from './typo-automaton.js'
export { prefixTypoDistance, typoDistance } from './typo-distance.js'
export { valueText } from './value-text.js'
export { WordBeginnings } from './word-beginnings.js'
export type { FoundWord, WantedWords } from './word-finder.js'
export { coarsePosition, MAX_WORD_BYTES, nextStart, POSITION_LIMIT } from './word-positions.js'
