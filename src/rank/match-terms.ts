import { compareBytes } from '../byte-order/index.js'
import type { QueryGraph } from '../match/index.js'
import { countCharacters, type QueryTerm } from '../match/index.js'
import type { MatchTerms, PhraseEntry, WordEntry } from './model.js'
import type { RankContext } from './rank-context.js'

/** What the highlighter looks for: terms in the order of the query, then the n-grams (spec 5 §6.2). */
export function matchTerms(context: RankContext, { nodes }: QueryGraph): MatchTerms {
  const terms = nodes.map(({ term }) => term)
  const words: WordEntry[] = []
  const phrases: PhraseEntry[] = []
  for (const term of [...terms.filter(isSingle), ...terms.filter((other) => !isSingle(other))]) {
    const entry = wordEntry(context, term)
    if (entry.words.length > 0) words.push(entry)
    phrases.push(...phraseEntries(context, term))
  }
  return { words: words.sort(byPrecedence), phrases }
}

const isSingle = ({ size }: QueryTerm): boolean => size === 1

function wordEntry(context: RankContext, term: QueryTerm): WordEntry {
  const { derivations } = context.matchesOf(term)
  const { exact, prefix, completions, oneTypo, twoTypos } = derivations
  // A prefix of very many words is looked for itself, whether it is a word or not.
  const typed = exact ?? prefix
  return {
    words: [...(typed === null ? [] : [typed]), ...completions, ...inByteOrder(oneTypo, twoTypos)],
    isPrefix: term.isPrefix,
    length: countCharacters(term.word),
    ids: positionsOf(term),
  }
}

/** One list of two that are in byte order: of words that one word of a text begins with, the first is highlighted. */
function inByteOrder(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const words: string[] = []
  let i = 0
  for (const word of b) {
    while (i < a.length && compareBytes(a[i]!, word) < 0) words.push(a[i++]!)
    words.push(word)
  }
  return words.concat(a.slice(i))
}

function phraseEntries(context: RankContext, term: QueryTerm): PhraseEntry[] {
  const { synonyms, split } = context.matchesOf(term).derivations
  const phrases = [...(term.phrase === null ? [] : [term.phrase]), ...synonyms, ...(split === null ? [] : [split])]
  return phrases.map((words) => ({ words, ids: positionsOf(term) }))
}

function positionsOf({ firstPosition, lastPosition }: QueryTerm): number[] {
  return Array.from({ length: lastPosition - firstPosition + 1 }, (_, i) => firstPosition + i)
}

/** Whole words before prefixes, and what covers more of the query first. */
function byPrecedence(a: WordEntry, b: WordEntry): number {
  return Number(a.isPrefix) - Number(b.isPrefix) || b.ids.length - a.ids.length
}
