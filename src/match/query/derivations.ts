import type { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import type { WordIndex } from '../../postings/index.js'
import { MAX_WORD_BYTES } from '../../text/index.js'
import type { Phrase } from '../terms/phrase.js'
import { countNeighbours, type PhraseSearch } from '../terms/phrase-docs.js'
import type { QueryTerm } from './query-term.js'
import type { SharedTerm } from './shared-term.js'
import type { Synonyms } from './synonyms.js'

/** What of the index a term may stand for (spec 5 §4). Level 0 costs no typo, level 1 one, level 2 two. */
export interface Derivations {
  /** The word as typed, when some document has it. */
  readonly exact: string | null
  /** Level 0: other words that begin with it, in byte order. Empty when `prefix` stands for them. */
  readonly completions: readonly string[]
  /** There are more that begin with it than may stand for it. */
  readonly isCutShort: boolean
  /** Level 0: a prefix shared by so many words that they are not told apart. */
  readonly prefix: string | null
  readonly oneTypo: readonly string[]
  readonly twoTypos: readonly string[]
  /** Level 0. */
  readonly synonyms: readonly Phrase[]
  /** Level 1: the word cut in two. */
  readonly split: Phrase | null
}

/** Of more words that begin alike the others do not count. */
export const MAX_COMPLETIONS = 1000
export const MAX_CACHED_PREFIX_BYTES = 4
export const MIN_CACHED_PREFIX_WORDS = 100

const NOTHING: Derivations = {
  exact: null,
  completions: [],
  isCutShort: false,
  prefix: null,
  oneTypo: [],
  twoTypos: [],
  synonyms: [],
  split: null,
}

/** The same for all searches in one version of an index. */
export class DerivationCache {
  /** Derivations of words, without synonyms and splits. */
  readonly words = new Map<string, Derivations>()
  readonly splits = new Map<string, Splits>()
}

/** Searches come back to the same words while somebody types; beyond this many the cache starts anew. */
const MAX_CACHED = 4096

export interface DerivationSource extends PhraseSearch {
  readonly cache: DerivationCache
  readonly synonyms: Synonyms
  readonly locales: readonly string[] | undefined
  /** By the keys of terms, where the index holds a part of a collection only. */
  readonly shared?: ReadonlyMap<string, SharedTerm> | undefined
  /** The documents that count for the choice of a split, where not all of the index do; null where they do. */
  readonly counted?: (() => Bitmap | null) | undefined
}

/** Finds the derivations of a word or n-gram; a quoted phrase has none but itself. */
export function derive(source: DerivationSource, term: QueryTerm): Derivations {
  if (!isDerivable(term)) return NOTHING
  const key = termKey(term)
  const own = cached(source.cache.words, key, () => findDerivations(source, term))
  const shared = source.shared?.get(key)
  const found = shared === undefined ? own : asShared(own, term, shared)
  const split = shared?.split === undefined ? splitOf(source, term) : unlessOfParts(shared.split, term)
  return { ...found, synonyms: synonymsOf(source, term), split }
}

/** Other words may stand for it. */
export function isDerivable({ phrase, word }: QueryTerm): boolean {
  return phrase === null && Buffer.byteLength(word) <= MAX_WORD_BYTES
}

/** Terms with the same key have the same words standing for them. */
export const termKey = ({ typos, isPrefix, word }: QueryTerm): string => `${typos}${isPrefix ? 'p' : 'w'}${word}`

/** Words of the collection that this index does not have are among them: they find nothing, but texts may begin so. */
function asShared(own: Derivations, { word }: QueryTerm, shared: SharedTerm): Derivations {
  const { isKnown, isCachedPrefix, lastCompletion, oneTypo, twoTypos } = shared
  const isLeft = (completion: string) => lastCompletion === null || compareBytes(completion, lastCompletion) <= 0
  return {
    ...own,
    exact: isKnown ? word : null,
    completions: isCachedPrefix ? [] : own.completions.filter(isLeft),
    isCutShort: lastCompletion !== null,
    prefix: isCachedPrefix ? word : null,
    oneTypo,
    twoTypos,
  }
}

function cached<T>(cache: Map<string, T>, key: string, find: () => T): T {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= MAX_CACHED) cache.clear()
  const found = find()
  cache.set(key, found)
  return found
}

function findDerivations(source: DerivationSource, { word, typos, isPrefix }: QueryTerm): Derivations {
  const { dictionary } = source.words
  const isCached = isPrefix && isCachedPrefix(source, word)
  const near =
    typos === 0
      ? { one: [], two: [] }
      : dictionary.near({ word, typos, isPrefix, isTolerant: (near) => source.scope.isTolerant(near) })
  const begun = isPrefix && !isCached ? dictionary.startingWith(word, MAX_COMPLETIONS) : []
  return {
    exact: dictionary.has(word) ? word : null,
    completions: begun[0] === word ? begun.slice(1) : begun,
    isCutShort: begun.length === MAX_COMPLETIONS,
    prefix: isCached ? word : null,
    oneTypo: near.one,
    twoTypos: near.two,
    synonyms: [],
    split: null,
  }
}

/** Spec 5 §4.4: a short prefix of at least a hundred words of which typos are tolerated. */
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

/** A way to cut a word in two words of the index. */
interface Cut {
  readonly left: string
  readonly right: string
  /** Of the first unit behind the cut. */
  readonly at: number
}

interface Splits {
  readonly cuts: readonly Cut[]
  /** Undefined until somebody asks. */
  best: Phrase | null | undefined
}

/** Two words that were glued are not taken apart again. */
function splitOf(source: DerivationSource, term: QueryTerm): Phrase | null {
  const { cuts } = splitsOf(source, term)
  return cuts.every(({ left, right }) => isOfParts(left, right, term))
    ? null
    : unlessOfParts(bestSplit(source, term), term)
}

const unlessOfParts = (split: Phrase | null, term: QueryTerm): Phrase | null =>
  split === null || isOfParts(split[0]!, split[1]!, term) ? null : split

const isOfParts = (left: string, right: string, { parts }: QueryTerm): boolean =>
  parts.length === 2 && left === parts[0] && right === parts[1]

/** The best cut of all, be it into the words that were glued. */
export function bestSplit(source: DerivationSource, term: QueryTerm): Phrase | null {
  const splits = splitsOf(source, term)
  const counted = countedDocs(source, splits)
  if (counted !== null) return bestCut(source, splits.cuts, counted)
  if (splits.best === undefined) splits.best = bestCut(source, splits.cuts, null)
  return splits.best
}

/** In how many documents the parts of each cut are neighbours, where they are in any. */
export function countSplits(source: DerivationSource, term: QueryTerm): SplitCount[] {
  const splits = splitsOf(source, term)
  const within = countedDocs(source, splits)
  return splits.cuts.flatMap((cut) => {
    const count = countNeighbours(source, cut, { enough: Number.POSITIVE_INFINITY, within })
    return count === 0 ? [] : [{ at: cut.at, count }]
  })
}

export interface SplitCount {
  /** Of the first unit of the word behind the cut. */
  readonly at: number
  readonly count: number
}

function splitsOf(source: DerivationSource, { word }: QueryTerm): Splits {
  return cached(source.cache.splits, word, () => ({ cuts: cutsOf(source.words, word), best: undefined }))
}

/** Null for all. */
const countedDocs = ({ counted }: DerivationSource, { cuts }: Splits): Bitmap | null =>
  counted === undefined || cuts.length === 0 ? null : counted()

/** The cut whose two parts are neighbours in most documents, the leftmost of equals (spec 5 §4.6). */
function bestCut(source: DerivationSource, cuts: readonly Cut[], within: Bitmap | null): Phrase | null {
  let best: { readonly cut: Cut; readonly count: number } | undefined
  const bounded = cuts.map((cut) => ({ cut, bound: mostNeighbours(source.words, cut) }))
  // On its own a cut needs one document only.
  const enough = cuts.length === 1 ? 1 : Number.POSITIVE_INFINITY
  for (const { cut, bound } of bounded.sort((a, b) => b.bound - a.bound)) {
    if (best !== undefined && bound < best.count) break
    const count = countNeighbours(source, cut, { enough, within })
    const isBetter = best === undefined || count > best.count || (count === best.count && cut.at < best.cut.at)
    if (count > 0 && isBetter) best = { cut, count }
  }
  return best === undefined ? null : [best.cut.left, best.cut.right]
}

/** No more documents than this can have both parts. */
function mostNeighbours(words: WordIndex, { left, right }: Cut): number {
  return Math.min(words.postings(left)!.count, words.postings(right)!.count)
}

function cutsOf(words: WordIndex, word: string): Cut[] {
  const cuts: Cut[] = []
  const characters = [...word]
  let at = 0
  for (const character of characters.slice(0, -1)) {
    at += character.length
    const [left, right] = [word.slice(0, at), word.slice(at)]
    if (!words.dictionary.has(left) || !words.dictionary.has(right)) continue
    cuts.push({ left, right, at })
  }
  return cuts
}
