import type { WordIndex } from '../../index/index.js'
import { MAX_WORD_BYTES } from '../../text/index.js'
import type { FieldScope } from '../rank/field-scope.js'
import { countNeighbours } from '../rank/phrase-docs.js'
import type { Phrase } from './parse-query.js'
import type { QueryTerm } from './query-term.js'
import type { Synonyms } from './synonyms.js'

/** What of the index a term may stand for (spec 5 §4). Level 0 costs no typo, level 1 one, level 2 two. */
export interface Derivations {
  /** The word as typed, when some document has it. */
  readonly exact: string | null
  /** Level 0: other words that begin with it, in byte order. Empty when `prefix` stands for them. */
  readonly completions: readonly string[]
  /** Level 0: a beginning shared by so many words that they are not told apart. */
  readonly prefix: string | null
  readonly oneTypo: readonly string[]
  readonly twoTypos: readonly string[]
  /** Level 0. */
  readonly synonyms: readonly Phrase[]
  /** Level 1: the word cut in two. */
  readonly split: Phrase | null
}

const MAX_COMPLETIONS = 1000
const MAX_CACHED_PREFIX_BYTES = 4
const MIN_CACHED_PREFIX_WORDS = 100

const NOTHING: Derivations = {
  exact: null,
  completions: [],
  prefix: null,
  oneTypo: [],
  twoTypos: [],
  synonyms: [],
  split: null,
}

/** Derivations of words, without synonyms: the same for all searches in one version of an index. */
export type DerivationCache = Map<string, Derivations>

/** Searches come back to the same words while somebody types; beyond this many the cache starts anew. */
const MAX_CACHED = 4096

export interface DerivationSource {
  readonly words: WordIndex
  readonly cache: DerivationCache
  readonly scope: FieldScope
  readonly synonyms: Synonyms
  readonly isByAttribute: boolean
  readonly locales: readonly string[] | undefined
}

/** Finds the derivations of a word or n-gram; a quoted phrase has none but itself. */
export function derive(source: DerivationSource, term: QueryTerm): Derivations {
  if (term.phrase !== null || Buffer.byteLength(term.word) > MAX_WORD_BYTES) return NOTHING
  const found = cachedDerivations(source, term)
  const synonyms = synonymsOf(source, term)
  const split = isSplitIntoParts(found.split, term) ? null : found.split
  return synonyms.length === 0 && split === found.split ? found : { ...found, synonyms, split }
}

function cachedDerivations(source: DerivationSource, term: QueryTerm): Derivations {
  const key = `${term.typos}${term.isPrefix ? 'p' : 'w'}${term.word}`
  const known = source.cache.get(key)
  if (known !== undefined) return known
  if (source.cache.size >= MAX_CACHED) source.cache.clear()
  const found = findDerivations(source, term)
  source.cache.set(key, found)
  return found
}

function findDerivations(source: DerivationSource, { word, typos, isPrefix }: QueryTerm): Derivations {
  const { dictionary } = source.words
  const isCached = isPrefix && isCachedPrefix(source, word)
  const near =
    typos === 0
      ? { one: [], two: [] }
      : dictionary.near({ word, typos, isPrefix, isTolerant: (near) => source.scope.isTolerant(near) })
  return {
    exact: dictionary.has(word) ? word : null,
    completions: isPrefix && !isCached ? completionsOf(source, word) : [],
    prefix: isCached ? word : null,
    oneTypo: near.one,
    twoTypos: near.two,
    synonyms: [],
    split: splitOf(source, word),
  }
}

/** Two words that were glued are not taken apart again. */
function isSplitIntoParts(split: Phrase | null, { parts }: QueryTerm): boolean {
  return split !== null && parts.length === 2 && parts[0] === split[0] && parts[1] === split[1]
}

function completionsOf({ words: { dictionary } }: DerivationSource, word: string): string[] {
  const found = dictionary.startingWith(word, MAX_COMPLETIONS)
  return found[0] === word ? found.slice(1) : found
}

/** Spec 5 §4.4: a short beginning of at least a hundred words of which typos are tolerated. */
function isCachedPrefix({ words: { dictionary }, scope }: DerivationSource, prefix: string): boolean {
  if (Buffer.byteLength(prefix) > MAX_CACHED_PREFIX_BYTES) return false
  const count = dictionary.countStartingWith(prefix)
  if (count < MIN_CACHED_PREFIX_WORDS || scope.isEveryWordTolerant) return count >= MIN_CACHED_PREFIX_WORDS
  let tolerant = 0
  for (const word of dictionary.startingWith(prefix, count)) {
    if (scope.isTolerant(word) && ++tolerant >= MIN_CACHED_PREFIX_WORDS) return true
  }
  return false
}

function synonymsOf({ synonyms, locales }: DerivationSource, { word, parts }: QueryTerm): readonly Phrase[] {
  if (synonyms.isEmpty) return []
  const ofWord = synonyms.ofWord(word, locales)
  return parts.length === 1 ? ofWord : [...ofWord, ...synonyms.ofWords(parts, locales)]
}

interface Cut {
  readonly left: string
  readonly right: string
  readonly at: number
  /** No more documents than this can have both parts. */
  readonly bound: number
}

/** The cut whose two parts are neighbours in most documents, the leftmost of equals (spec 5 §4.6). */
function splitOf(source: DerivationSource, word: string): Phrase | null {
  let best: { readonly cut: Cut; readonly count: number } | undefined
  for (const cut of cutsOf(source.words, word).sort((a, b) => b.bound - a.bound)) {
    if (best !== undefined && cut.bound < best.count) break
    const count = countNeighbours(source, cut.left, cut.right)
    const isBetter = best === undefined || count > best.count || (count === best.count && cut.at < best.cut.at)
    if (count > 0 && isBetter) best = { cut, count }
  }
  return best === undefined ? null : [best.cut.left, best.cut.right]
}

function cutsOf(words: WordIndex, word: string): Cut[] {
  const cuts: Cut[] = []
  const characters = [...word]
  let at = 0
  for (const character of characters.slice(0, -1)) {
    at += character.length
    const [left, right] = [word.slice(0, at), word.slice(at)]
    if (!words.dictionary.has(left) || !words.dictionary.has(right)) continue
    const bound = Math.min(words.postings(left)!.docIds.length, words.postings(right)!.docIds.length)
    cuts.push({ left, right, at, bound })
  }
  return cuts
}
