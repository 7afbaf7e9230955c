import { sortedUnique } from '../../byte-order/index.js'
import type { Phrase, Term } from '../../match/index.js'
import { prefixTypoDistance, typoDistance } from '../../text/index.js'
import type { Derivation, Matcher } from './matcher.twin.js'

/** Which derivations of a term are left after a rule: all, those of one level, or only the exact form. */
export type Subset = 'all' | 'exact' | 0 | 1 | 2

/** A word, a phrase or an n-gram with all it may stand for (spec 5 §4). */
export interface TwinTerm {
  /** Indexes of the terms it covers. */
  readonly ids: readonly number[]
  /** Query positions it covers. */
  readonly first: number
  readonly last: number
  readonly isPhrase: boolean
  /** The phrase, or the word as typed when it is indexed; n-grams have none. */
  readonly exactForm: Derivation | undefined
  /** The number of typos that the typo rule counts with, whatever exactness left (spec 6 §4.9). */
  readonly maxLevel: number
  /** Its prefix is cached: the exact form brings all words that begin with it (spec 6 §4.9). */
  readonly isOpen: boolean
  readonly levels: readonly [readonly Derivation[], readonly Derivation[], readonly Derivation[]]
}

const MAX_COMPLETIONS = 1000
const MAX_ONE_TYPO = 150
const MAX_TWO_TYPOS = 50
const MAX_SYNONYMS = 50
const MAX_SYNONYM_WORDS = 100
const MAX_CACHED_BYTES = 4
const MIN_CACHED_WORDS = 100
const MAX_WORD_BYTES = 250

/** What is left of a term. Synonyms and the phrase itself always remain (spec 6 §3). */
export function remaining({ levels, exactForm, isOpen }: TwinTerm, subset: Subset): readonly Derivation[] {
  if (subset === 'all') return levels.flat()
  const synonyms = levels[0].filter((derivation) => derivation.kind === 'phrase')
  const exact = isOpen ? levels[0] : [exactForm!]
  return [...new Set([...(subset === 'exact' ? exact : levels[subset]), ...synonyms])]
}

export function phraseTerm(term: Extract<Term, { kind: 'phrase' }>, id: number): TwinTerm {
  const phrase: Derivation = { kind: 'phrase', words: term.words }
  const { first, last } = term
  const levels = [[phrase], [], []] as const
  return { ids: [id], first, last, isPhrase: true, exactForm: phrase, maxLevel: 0, isOpen: false, levels }
}

type WordTerm = Extract<Term, { kind: 'word' }>

/** The term of one word, or of two or three that are read as one. `id` is the one of the first. */
export function wordTerm(matcher: Matcher, words: readonly WordTerm[], id: number): TwinTerm {
  const { index } = matcher
  const word = words.map((term) => term.word).join('')
  const isPrefix = words.at(-1)!.isPrefix
  const isNgram = words.length > 1
  const typos = Math.max(0, typosAllowed(matcher, word) - (words.length - 1))
  const [one, two] = nearWords(matcher, { word, isPrefix, typos })
  const exact: Derivation = { kind: 'word', word, isTolerant: isNgram, isOneWay: false }
  const typed = index.has(word) ? [exact] : []
  const isOpen = isPrefix && isCached(matcher, word)
  const level0 = [...typed, ...completions(matcher, { word, isPrefix, isNgram }), ...synonymsOf(matcher, words)]
  return {
    ids: words.map((_, i) => id + i),
    first: words[0]!.position,
    last: words.at(-1)!.position,
    isPhrase: false,
    exactForm: isNgram ? undefined : typed[0],
    maxLevel: Math.max(1, typos),
    isOpen,
    levels: isTooLong(word) ? [[], [], []] : [level0, [...one, ...splitOf(matcher, words)], two],
  }
}

export function isTooLong(word: string): boolean {
  return Buffer.byteLength(word) > MAX_WORD_BYTES
}

function typosAllowed({ index }: Matcher, word: string): number {
  const { enabled, oneTypo, twoTypos, disableOnWords } = index.settings.typoTolerance
  const length = [...word].length
  if (!enabled || length < oneTypo || disableOnWords.includes(word)) return 0
  return length < twoTypos ? 1 : 2
}

interface Typed {
  readonly word: string
  readonly isPrefix: boolean
}

/** Words that begin as typed, apart from the word itself. */
function completions(matcher: Matcher, { word, isPrefix, isNgram }: Typed & { isNgram: boolean }): Derivation[] {
  if (!isPrefix) return []
  const isOneWay = isCached(matcher, word)
  const all = wordsFrom(matcher, word)
  return all
    .slice(0, isOneWay ? all.length : MAX_COMPLETIONS)
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ kind: 'word', word: candidate, isTolerant: isNgram, isOneWay }))
}

function wordsFrom({ index }: Matcher, prefix: string): string[] {
  return index.words.filter((candidate) => candidate.startsWith(prefix))
}

/** Spec 5 §4.4. */
function isCached(matcher: Matcher, prefix: string): boolean {
  if (Buffer.byteLength(prefix) > MAX_CACHED_BYTES) return false
  return wordsFrom(matcher, prefix).filter((word) => matcher.index.isTolerant(word)).length >= MIN_CACHED_WORDS
}

/** Words with one and with two typos, by distance and first character (spec 5 §4.3). */
function nearWords(
  { index }: Matcher,
  { word, isPrefix, typos }: Typed & { typos: number },
): [Derivation[], Derivation[]] {
  const one: Derivation[] = []
  const two: Derivation[] = []
  const distanceTo = isPrefix ? prefixTypoDistance : typoDistance
  for (const candidate of typos === 0 ? [] : index.words) {
    if (!index.isTolerant(candidate)) continue
    const distance = distanceTo(word, candidate, 2)
    const isSameFirst = [...candidate][0] === [...word][0]
    const found: Derivation = { kind: 'word', word: candidate, isTolerant: true, isOneWay: false }
    const isOne = distance === 1 && (isSameFirst || (typos === 2 && two.length >= MAX_TWO_TYPOS))
    const isTwo = typos === 2 && distance === (isSameFirst ? 2 : 1)
    if (isOne && one.length < MAX_ONE_TYPO) one.push(found)
    else if (isTwo && two.length < MAX_TWO_TYPOS) two.push(found)
  }
  return [one, two]
}

/** The cut into two neighbours that most documents have, the leftmost of equals (spec 5 §4.6). */
function splitOf(matcher: Matcher, words: readonly WordTerm[]): Derivation[] {
  const letters = [...words.map(({ word }) => word).join('')]
  let best: Phrase | undefined
  let bestCount = 0
  for (let cut = 1; cut < letters.length; cut++) {
    const parts = [letters.slice(0, cut).join(''), letters.slice(cut).join('')] as const
    const count = pairFrequency(matcher, parts)
    if (count > bestCount) [best, bestCount] = [parts, count]
  }
  if (best === undefined) return []
  const isAsTyped = words.length === 2 && words.every(({ word }, i) => word === best[i])
  return isAsTyped ? [] : [{ kind: 'phrase', words: best }]
}

function pairFrequency(matcher: Matcher, [left, right]: readonly [string, string]): number {
  const isPair = (docId: number): boolean =>
    matcher.isByAttribute ? matcher.shareField(docId, left, right) : matcher.distance(docId, left, right) === 1
  return [...matcher.index.docIds].filter(isPair).length
}

/** Synonyms by the word, or by the words joined and the list of words (spec 5 §4.5). */
function synonymsOf(matcher: Matcher, words: readonly WordTerm[]): Derivation[] {
  const lemmas = words.map(({ word }) => word)
  const joined = limitWords(phrasesOf(matcher, synonymValues(matcher, [lemmas.join('')]).slice(0, MAX_SYNONYMS)))
  const list = words.length === 1 ? [] : phrasesOf(matcher, synonymValues(matcher, lemmas))
  return [...joined, ...list].map((value) => ({ kind: 'phrase', words: value }))
}

/** In the order of the raw strings. */
function synonymValues(matcher: Matcher, key: readonly string[]): string[] {
  const isKey = (text: string): boolean => {
    const lemmas = slotsOf(matcher, text).filter((lemma) => lemma !== null)
    return lemmas.length === key.length && lemmas.every((lemma, i) => lemma === key[i])
  }
  const { synonyms } = matcher.index.settings
  return sortedUnique([...synonyms].filter(([text]) => isKey(text)).flatMap(([, values]) => values))
}

function phrasesOf(matcher: Matcher, values: readonly string[]): Phrase[] {
  return values.map((value) => trimmed(slotsOf(matcher, value))).filter((slots) => slots.length > 0)
}

/** Without the stop words around its words. */
function trimmed(slots: Phrase): Phrase {
  const isWord = (slot: string | null): boolean => slot !== null
  return slots.slice(Math.max(0, slots.findIndex(isWord)), slots.findLastIndex(isWord) + 1)
}

function limitWords(values: readonly Phrase[]): Phrase[] {
  const kept: Phrase[] = []
  let total = 0
  for (const value of values) {
    if (total + value.length > MAX_SYNONYM_WORDS) continue
    total += value.length
    kept.push(value)
  }
  return kept
}

/** Words, and null for each stop word. */
function slotsOf({ index }: Matcher, text: string): Phrase {
  return index.analyzer
    .tokenize(text)
    .filter(({ kind }) => kind === 'word' || kind === 'stopWord')
    .map(({ kind, lemma }) => (kind === 'word' ? lemma.trim() : null))
}

/** Subsets of one term stand in this order in a graph: as the rules that make them list their edges. */
const SUBSET_ORDER: readonly Subset[] = ['exact', 'all', 0, 1, 2]

/** Graph order: by the last term covered, short before long (spec 6 §4.3). */
export function compareTerms(a: TwinTerm, b: TwinTerm): number {
  return a.ids.at(-1)! - b.ids.at(-1)! || a.ids.length - b.ids.length
}

export function compareSubsets(a: Subset, b: Subset): number {
  return SUBSET_ORDER.indexOf(a) - SUBSET_ORDER.indexOf(b)
}
