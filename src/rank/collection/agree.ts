import { sortedUnique } from '../../byte-order/index.js'
import { weightsByFrequency } from '../../match/index.js'
import {
  type CollectionKnowledge,
  type KnownTerm,
  NO_PATHS,
  type PartFindings,
  type PathsOfBuckets,
  type TermFindings,
} from './knowledge.js'
import { mergeTerm } from './merge-terms.js'
import { skeletonOf, typedSteps } from './path-exchange.js'

/**
 * What the indexes of a collection know together, made of what each of them found out when it knew `before`. Undefined
 * when that tells none of them anything new: all have ranked as one index with all documents would.
 */
export function agree(
  parts: readonly PartFindings[],
  before: CollectionKnowledge | null,
): CollectionKnowledge | undefined {
  const languages = mergeLanguages(parts)
  // Words of a query that was read in other languages are others.
  if (!parts.every((part) => isSameSet((before ?? part).languages, languages))) {
    return { languages, terms: null, frequencies: null, paths: NO_PATHS }
  }
  const [terms, frequencies] = [mergeTerms(parts, before), mergeFrequencies(parts)]
  const words = { languages, terms, frequencies, paths: NO_PATHS }
  // Documents that were looked for by other words took other ways.
  if (!parts.every((part) => areWordsAsAssumed(part, words, before))) return words
  const paths = mergePaths(parts)
  const assumed = before?.paths ?? NO_PATHS
  return parts.every((part) => arePathsAsAssumed(part, paths, assumed)) ? undefined : { ...words, paths }
}

/** What they know together, be it news for none of them. */
export function knowTogether(parts: readonly PartFindings[], before: CollectionKnowledge | null): CollectionKnowledge {
  const languages = mergeLanguages(parts)
  return { languages, terms: mergeTerms(parts, before), frequencies: mergeFrequencies(parts), paths: mergePaths(parts) }
}

function mergeLanguages(parts: readonly PartFindings[]): readonly string[] | null {
  const all = sortedUnique(parts.flatMap(({ languages }) => languages ?? []))
  return all.length === 0 ? null : all
}

const isSameSet = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  isSameList(sortedUnique(a ?? []), sortedUnique(b ?? []))

/** Of the second time on only terms are told of which something was open. */
function mergeTerms(parts: readonly PartFindings[], before: CollectionKnowledge | null): KnownTerm[] {
  const told = new Map<string, TermFindings[]>()
  for (const { terms } of parts) {
    for (const term of terms) {
      const known = told.get(term.key)
      if (known === undefined) told.set(term.key, [term])
      else known.push(term)
    }
  }
  const merged = Array.from(told.values(), mergeTerm)
  return [...(before?.terms?.filter(({ key }) => !told.has(key)) ?? []), ...merged]
}

function mergeFrequencies(parts: readonly PartFindings[]): readonly number[] | null {
  const lists = parts.flatMap(({ frequencies }) => (frequencies === null ? [] : [frequencies]))
  const [first] = lists
  return first === undefined ? null : first.map((_, i) => lists.reduce((sum, list) => sum + (list[i] ?? 0), 0))
}

function mergePaths(parts: readonly PartFindings[]): PathsOfBuckets {
  const merged = new Map<string, Set<string>>()
  for (const { paths } of parts) {
    for (const [costs, found] of paths) {
      const known = merged.get(costs)
      if (known === undefined) merged.set(costs, new Set(found))
      else for (const path of found) known.add(path)
    }
  }
  return new Map(Array.from(merged, ([costs, found]) => [costs, [...found].sort()]))
}

/** An index that knew what it knows now would have looked for the same words. */
function areWordsAsAssumed(
  part: PartFindings,
  { terms, frequencies }: { readonly terms: readonly KnownTerm[]; readonly frequencies: readonly number[] | null },
  before: CollectionKnowledge | null,
): boolean {
  const known = new Map(terms.map((term) => [term.key, term]))
  const areTermsAsAssumed = part.terms.every((term) => isTermAsAssumed(term, known.get(term.key)!, part))
  return areTermsAsAssumed && isSameOrder(before?.frequencies ?? part.frequencies, frequencies)
}

function isTermAsAssumed(own: TermFindings, whole: KnownTerm, { hasExactAttributes }: PartFindings): boolean {
  // A word that is not here is not looked for in attributes that may be the query, and leaves the others alone.
  if (own.isKnown !== whole.isKnown && hasExactAttributes) return false
  if (own.isCachedPrefix !== whole.isCachedPrefix || whole.isSplitCounted) return false
  if (own.split !== null && own.split[0] !== whole.split?.[0]) return false
  if (own.splits !== null) return false
  return whole.lastCompletion === null && areNearWordsLeft(own, whole)
}

/** All near words of an index count for the whole as well, with as many typos, and it has none of the others. */
function areNearWordsLeft(own: TermFindings, whole: KnownTerm): boolean {
  if (own.mayHaveMore && !(areAmong(whole.oneTypo, own.oneTypo) && areAmong(whole.twoTypos, own.twoTypos))) return false
  return areAmong(own.oneTypo, whole.oneTypo) && areAmong(own.twoTypos, whole.twoTypos) && !isBegunElsewhere(own, whole)
}

function areAmong(words: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all)
  return words.every((word) => known.has(word))
}

/** Of a word that begins with a shorter near word less is highlighted, be that word in other indexes only. */
function isBegunElsewhere({ key, oneTypo, twoTypos }: TermFindings, whole: KnownTerm): boolean {
  const [typed, own] = [key.slice(2), new Set([...oneTypo, ...twoTypos])]
  const shorter = [...whole.oneTypo, ...whole.twoTypos].filter((word) => word.length < typed.length && !own.has(word))
  return key[1] === 'p' && shorter.some((begin) => [...own].some((word) => word.startsWith(begin)))
}

/** Only their order counts. */
function isSameOrder(own: readonly number[] | null, whole: readonly number[] | null): boolean {
  if (own === null || whole === null) return own === whole
  const [a, b] = [weightsByFrequency(own), weightsByFrequency(whole)]
  return a.length === b.length && a.every((weight, i) => weight === b[i])
}

/**
 * Ways of the same terms that differ in what is left of them do not meet: a rule has given each document the least for
 * each term, so that it fits no other way of its bucket. Only where there are ways of other terms do all of them count.
 */
function arePathsAsAssumed(
  { paths, hasExactAttributes }: PartFindings,
  whole: PathsOfBuckets,
  before: PathsOfBuckets,
): boolean {
  return [...paths].every(([costs, found]) => {
    const all = whole.get(costs)!
    const assumed = before.get(costs) ?? found
    const isOneSkeleton = new Set([...all, ...assumed].map(skeletonOf)).size === 1
    // Attributes are compared with all words that some way has as typed: with more of them than this index knew of.
    if (isOneSkeleton && !hasExactAttributes) return true
    const told = isOneSkeleton ? typedSteps : (each: readonly string[]) => each
    return isSameList(told(assumed), told(all))
  })
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i])
