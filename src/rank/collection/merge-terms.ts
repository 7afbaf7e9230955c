import { compareBytes, sortedUnique } from '../../byte-order/index.js'
import {
  MAX_CACHED_PREFIX_BYTES,
  MAX_COMPLETIONS,
  MIN_CACHED_PREFIX_WORDS,
  type Phrase,
  type SplitCount,
} from '../../match/index.js'
import { MAX_ONE_TYPO, MAX_TWO_TYPOS } from '../../postings/index.js'
import type { KnownTerm, TermFindings } from './knowledge.js'

/** What the words of all indexes together say about a term, each of which told what its own say (spec 5 §4). */
export function mergeTerm(parts: readonly TermFindings[]): KnownTerm {
  const { key } = parts[0]!
  const isCachedPrefix = isCached(parts)
  const split = bestOf(parts)
  return {
    key,
    isKnown: parts.some(({ isKnown }) => isKnown),
    isCachedPrefix,
    lastCompletion: isCachedPrefix ? null : lastCompletion(parts),
    ...nearWords(parts),
    split,
    isSplitCounted: split === undefined,
  }
}

/** The word of a key, behind the allowed typos and a letter for what it is. */
const wordOf = ({ key }: Pick<TermFindings, 'key'>): string => key.slice(2)

function isCached(parts: readonly TermFindings[]): boolean {
  if (parts.some((part) => part.isCachedPrefix)) return true
  const word = wordOf(parts[0]!)
  if (parts[0]!.key[1] !== 'p' || Buffer.byteLength(word) > MAX_CACHED_PREFIX_BYTES) return false
  const begun = parts.flatMap(
    ({ tolerant, completions, isKnown }) => tolerant ?? [...completions, ...(isKnown ? [word] : [])],
  )
  return new Set(begun).size >= MIN_CACHED_PREFIX_WORDS
}

/** The word itself is one of those that may stand for it. */
function lastCompletion(parts: readonly TermFindings[]): string | null {
  const most = MAX_COMPLETIONS - Number(parts.some(({ isKnown }) => isKnown))
  const listed = parts.reduce((sum, { completions }) => sum + completions.length, 0)
  if (listed < most) return null
  const all = sortedUnique(parts.flatMap(({ completions }) => completions))
  return all.length < most ? null : all[most - 1]!
}

type NearWords = Pick<KnownTerm, 'oneTypo' | 'twoTypos'>

/**
 * As one dictionary would list them, in byte order: words that begin otherwise have two typos as long as there is room
 * for such words, and one from then on. An index with fewer words has room for longer, so the lists of all of them
 * together have every word that counts.
 */
function nearWords(parts: readonly TermFindings[]): NearWords {
  const [first] = wordOf(parts[0]!)
  const typosOf = new Map<string, 1 | 2>()
  for (const { oneTypo, twoTypos } of parts) {
    for (const word of twoTypos) typosOf.set(word, 2)
    for (const word of oneTypo) typosOf.set(word, 1)
  }
  const [oneTypo, twoTypos]: [string[], string[]] = [[], []]
  for (const word of [...typosOf.keys()].sort(compareBytes)) {
    const [begins] = word
    const isTwo = begins === first ? typosOf.get(word) === 2 : twoTypos.length < MAX_TWO_TYPOS
    const [list, most] = isTwo ? [twoTypos, MAX_TWO_TYPOS] : [oneTypo, MAX_ONE_TYPO]
    if (list.length < most) list.push(word)
  }
  return { oneTypo, twoTypos }
}

/**
 * What is the best cut for all that have one is the best of all together: the counts of each add up. Undefined where they
 * do not agree, and have not counted all.
 */
function bestOf(parts: readonly TermFindings[]): Phrase | null | undefined {
  const having = parts.filter(({ split }) => split !== null)
  const [first] = having
  if (first === undefined) return null
  if (having.every(({ split }) => split![0] === first.split![0])) return first.split
  if (having.some(({ splits }) => splits === null)) return undefined
  const at = mostFrequent(having.flatMap(({ splits }) => splits!))
  const word = wordOf(first)
  return [word.slice(0, at), word.slice(at)]
}

/** The leftmost of equals. */
function mostFrequent(splits: readonly SplitCount[]): number {
  const counts = new Map<number, number>()
  for (const { at, count } of splits) counts.set(at, (counts.get(at) ?? 0) + count)
  const [best] = [...counts].sort(([a, x], [b, y]) => y - x || a - b)
  return best![0]
}
