import type { DocBits } from '../../bitmap/index.js'
import type { ParsedQuery } from '../query/parse-query.js'
import { END, type QueryGraph } from '../query/query-graph.js'
import { KEPT } from '../query/removal.js'
import { phraseDocs } from './phrase-docs.js'
import type { RankContext } from './rank-context.js'

/**
 * Documents that match the query when nodes are left out of it: all whose group is not `KEPT` (spec 5 §5.3). The set is
 * the caller's own.
 */
export function matchingDocs(context: RankContext, graph: QueryGraph, groups: readonly number[]): DocBits {
  // For each node what reached it; null stands for all documents.
  const reached: (DocBits | null | undefined)[] = []
  const result = context.newBits()
  for (const node of graph.first) reached[node] = null
  for (const [id, { term, next }] of graph.nodes.entries()) {
    const before = reached[id]
    if (before === undefined) continue
    const docs = groups[id] === KEPT ? narrowed(context.matchesOf(term).docs(), before) : before
    for (const to of next) {
      if (to !== END) reached[to] = either(reached[to], docs)
      // Every path has a node that is kept, so that something narrowed the set.
      else result.or(docs!)
    }
  }
  return result
}

/** The sets given stay as they are. */
function narrowed(docs: DocBits, by: DocBits | null): DocBits {
  return by === null ? docs : docs.within(by)
}

function either(a: DocBits | null | undefined, b: DocBits | null): DocBits | null {
  if (a === undefined) return b
  if (a === null || b === null) return null
  const both = a.copy()
  both.or(b)
  return both
}

/** Documents that a negative word or phrase takes out (spec 5 §3.4). */
export function excludedDocs(context: RankContext, { negativeWords, negativePhrases }: ParsedQuery): Uint32Array[] {
  return [
    ...negativeWords.map((word) => context.scope.docsOfExact(word).docIds),
    ...negativePhrases.map((phrase) => phraseDocs(context, phrase)),
  ]
}
