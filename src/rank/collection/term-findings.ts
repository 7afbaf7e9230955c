import {
  bestSplit,
  countSplits,
  type DerivationSource,
  derive,
  isDerivable,
  MAX_CACHED_PREFIX_BYTES,
  type QueryTerm,
  termKey,
} from '../../match/index.js'
import type { CollectionKnowledge, TermFindings } from './knowledge.js'

/** What the words of this index say about the terms of a query: all of it, or what is left to be known. */
export function findTerms(
  source: DerivationSource,
  terms: readonly QueryTerm[],
  known: CollectionKnowledge | null,
): TermFindings[] {
  const own = { ...source, shared: undefined }
  const knownTerms = known?.terms ?? null
  const counted = new Set(knownTerms?.filter(({ isSplitCounted }) => isSplitCounted).map(({ key }) => key))
  const asked = new Map<string, QueryTerm>()
  for (const term of terms) {
    const key = termKey(term)
    if (isDerivable(term) && (knownTerms === null || counted.has(key))) asked.set(key, term)
  }
  return Array.from(asked, ([key, term]) => findTerm(own, term, counted.has(key)))
}

function findTerm(source: DerivationSource, term: QueryTerm, isSplitCounted: boolean): TermFindings {
  const { exact, completions, prefix, oneTypo, twoTypos } = derive(source, term)
  return {
    key: termKey(term),
    isKnown: exact !== null,
    isCachedPrefix: prefix !== null,
    completions,
    tolerant:
      prefix === null ? tolerantWords(source, term, exact === null ? completions : [exact, ...completions]) : null,
    oneTypo,
    twoTypos,
    mayHaveMore: source.scope.isToleranceByField,
    split: bestSplit(source, term),
    splits: isSplitCounted ? countSplits(source, term) : null,
  }
}

function tolerantWords(
  { scope }: DerivationSource,
  { word, isPrefix }: QueryTerm,
  begun: readonly string[],
): string[] | null {
  if (!isPrefix || scope.isEveryWordTolerant || Buffer.byteLength(word) > MAX_CACHED_PREFIX_BYTES) return null
  return begun.filter((each) => scope.isTolerant(each))
}
