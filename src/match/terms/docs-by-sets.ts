import { DenseDocSet } from '../../bitmap/index.js'
import type { TermSets } from '../../postings/index.js'
import type { Pairs } from '../doc-lists.js'

/** Fewer documents are sooner looked at one by one than told from stored sets. */
export const MANY_DOCS = 1024

/** Documents of a list, ascending, for which stored sets and, where those do not speak of them, the documents themselves say yes. */
export interface SetTest {
  readonly docIds: Uint32Array
  /** Adds those for which the sets say yes, and maybe others. */
  readonly addStored: (docs: DenseDocSet) => void
  /** Of documents that the sets do not speak of: those for which it holds. */
  readonly lookAt: (docIds: Uint32Array) => Uint32Array
}

export function docsBySets(sets: TermSets, pairs: Pairs, { docIds, addStored, lookAt }: SetTest): Uint32Array {
  const limit = docIds.length === 0 ? 0 : docIds[docIds.length - 1]! + 1
  const docs = new DenseDocSet(limit)
  addStored(docs)
  const stale = sets.staleBelow(limit)
  docs.removeAll(stale)
  const changed = pairs.commonOf(stale, docIds)
  if (changed.length > 0) docs.addAll(lookAt(changed))
  return docs.membersOf(docIds)
}
