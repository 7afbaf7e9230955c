import type { DocSet } from '../bitmap/index.js'
import type { ParsedQuery } from '../match/index.js'
import { END, KEPT, ListedDocIds, phraseDocs, type QueryGraph } from '../match/index.js'
import type { DocIdSource } from '../postings/index.js'
import type { RankContext } from './rank-context.js'
import type { TermMatches } from './term-matches.js'

/**
 * Documents that match the query when nodes are left out of it: all whose group is not `KEPT` (spec 5 §5.3). Only those
 * of the universe, or of the index where that is null. The set may be shared: it must not be changed.
 */
export function matchingDocs(
  context: RankContext,
  graph: QueryGraph,
  groups: readonly number[],
  universe: DocSet | null,
): DocSet {
  // For each node what reached it; null stands for all documents.
  const reached: (DocSet | null | undefined)[] = []
  let result: DocSet | undefined
  for (const node of graph.first) reached[node] = universe
  for (const [id, { term, next }] of graph.nodes.entries()) {
    const before = reached[id]
    if (before === undefined) continue
    const docs = groups[id] === KEPT ? narrowed(context.matchesOf(term), before) : before
    if (docs === undefined) continue
    for (const to of next) {
      if (to !== END) reached[to] = either(reached[to], docs)
      // Every path has a node that is kept, so that something narrowed the set.
      else result = either(result, docs) as DocSet
    }
  }
  return result ?? (universe === null ? context.newBits() : universe.without(universe))
}

/** Undefined when no document has the term: most words that were glued are nowhere. */
function narrowed(matches: TermMatches, by: DocSet | null): DocSet | undefined {
  if (matches.isNowhere) return undefined
  return by === null ? matches.docs() : matches.docsWithin(by, 'any')
}

/** Paths that differ only in nodes that are left out bring the very same set. */
function either(a: DocSet | null | undefined, b: DocSet | null): DocSet | null {
  if (a === undefined || a === b) return b
  return a === null || b === null ? null : a.with(b)
}

/** Documents that a negative word or phrase takes out (spec 5 §3.4). */
export function excludedDocs(context: RankContext, { negativeWords, negativePhrases }: ParsedQuery): DocIdSource[] {
  return [
    ...negativeWords.map((word) => context.scope.docsOfExact(word)),
    ...negativePhrases.map((phrase) => new ListedDocIds(phraseDocs(context, phrase))),
  ]
}
