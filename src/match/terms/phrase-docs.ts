import type { Bitmap, DenseDocSet } from '../../bitmap/index.js'
import type { Postings, WordIndex } from '../../postings/index.js'
import type { Pairs } from '../doc-lists.js'
import { followDistance, shareField } from './distance.js'
import { docsBySets, MANY_DOCS } from './docs-by-sets.js'
import type { FieldScope } from './field-scope.js'
import type { Phrase } from './phrase.js'

export interface PhraseSearch {
  readonly words: WordIndex
  readonly scope: FieldScope
  /** Distances do not count: two words are a pair when they share a field. */
  readonly isByAttribute: boolean
  readonly scratch: { readonly pairs: Pairs }
}

const NONE = new Uint32Array(0)

/**
 * Documents that hold a phrase: all its words, each two neighbours at distance 1 and each two words around one other at
 * distance 1 or 2, wherever in the searchable fields that is (spec 5 §4.7).
 */
export function phraseDocs(search: PhraseSearch, phrase: Phrase): Uint32Array {
  let docIds = candidateDocs(search, phrase)
  for (const [i, left] of phrase.entries()) {
    for (const gap of [1, 2]) {
      const right = phrase[i + gap]
      if (left === null || right === null || right === undefined || docIds.length === 0) continue
      docIds = keepPairs(search, docIds, { left, right, gap })
    }
  }
  return docIds
}

interface Counting {
  /** It may stop when there are so many. */
  readonly enough: number
  /** The documents among which they are counted; null for all. */
  readonly within: Bitmap | null
}

/** How many documents have the two words next to each other (spec 5 §4.6). */
export function countNeighbours(
  search: PhraseSearch,
  { left, right }: { readonly left: string; readonly right: string },
  { enough, within }: Counting,
): number {
  const [a, b] = [search.words.postings(left), search.words.postings(right)]
  if (a === undefined || b === undefined) return 0
  const common = search.scratch.pairs.commonOf(a.docIds, b.docIds)
  const docIds = within === null ? common : common.filter((docId) => within.has(docId))
  let count = 0
  for (let from = 0, size = FIRST_LOOK; from < docIds.length && count < enough; from += size, size *= 4) {
    count += keepPairs(search, docIds.subarray(from, from + size), { left, right, gap: 1 }).length
  }
  return count
}

/** Documents in which neighbours are looked for at first. */
const FIRST_LOOK = 1024

function candidateDocs({ scope, scratch }: PhraseSearch, phrase: Phrase): Uint32Array {
  const words = [...new Set(phrase)].filter((word) => word !== null)
  const lists = words.map((word) => scope.docsOfExact(word).docIds).sort((a, b) => a.length - b.length)
  let docIds = lists[0] ?? NONE
  for (const list of lists.slice(1)) docIds = scratch.pairs.commonOf(docIds, list)
  return docIds
}

interface NeighbourTest {
  readonly left: string
  readonly right: string
  readonly gap: number
}

function keepPairs(search: PhraseSearch, docIds: Uint32Array, test: NeighbourTest): Uint32Array {
  return keepStoredPairs(search, docIds, test) ?? lookAtPairs(search, docIds, test)
}

/** Of frequent words it is stored in which documents they are near. Undefined where it is not. */
function keepStoredPairs(search: PhraseSearch, docIds: Uint32Array, test: NeighbourTest): Uint32Array | undefined {
  const {
    words: { sets },
    isByAttribute,
    scratch,
  } = search
  if (isByAttribute || docIds.length < MANY_DOCS) return undefined
  const [left, right] = [sets.wordTerm(test.left), sets.wordTerm(test.right)]
  if (left === undefined || right === undefined || !sets.hasPairs(left, right)) return undefined
  const addStored = (docs: DenseDocSet) => {
    for (let distance = 1; distance <= test.gap; distance++) sets.addPair(left, right, distance, docs)
  }
  const lookAt = (changed: Uint32Array) => lookAtPairs(search, changed, test)
  return docsBySets(sets, scratch.pairs, { docIds, addStored, lookAt })
}

function lookAtPairs(search: PhraseSearch, docIds: Uint32Array, { left, right, gap }: NeighbourTest): Uint32Array {
  const { pairs } = search.scratch
  const a = positionsIn(docIds, search.words.postings(left)!.within(docIds), pairs)
  const b = positionsIn(docIds, search.words.postings(right)!.within(docIds), pairs)
  const kept = new Uint32Array(docIds.length)
  const count = search.isByAttribute ? keepShared(docIds, a, b, kept) : keepNear(docIds, a, b, gap, kept)
  return kept.subarray(0, count)
}

/** Of each of the documents where it stands in some postings, and their lists: postings come in many classes. */
interface PositionsIn {
  readonly at: Uint32Array
  readonly starts: Uint32Array
  readonly positions: Uint32Array
}

/** The postings have all of the documents. */
function positionsIn(docIds: Uint32Array, postings: Postings, pairs: Pairs): PositionsIn {
  pairs.findCommon(docIds, postings.docIds)
  return { at: pairs.right.slice(0, pairs.count), starts: postings.starts, positions: postings.positions }
}

/** Lists the documents in which `b` follows `a` at no more than a distance, and says how many there are. */
function keepNear(docIds: Uint32Array, a: PositionsIn, b: PositionsIn, gap: number, kept: Uint32Array): number {
  let count = 0
  for (let k = 0; k < docIds.length; k++) {
    const [i, j] = [a.at[k]!, b.at[k]!]
    const [from, to, from2, to2] = [a.starts[i]!, a.starts[i + 1]!, b.starts[j]!, b.starts[j + 1]!]
    if (followDistance(a.positions, from, to, b.positions, from2, to2) <= gap) kept[count++] = docIds[k]!
  }
  return count
}

/** The same of those in which some field has both. */
function keepShared(docIds: Uint32Array, a: PositionsIn, b: PositionsIn, kept: Uint32Array): number {
  let count = 0
  for (let k = 0; k < docIds.length; k++) {
    const [i, j] = [a.at[k]!, b.at[k]!]
    const [from, to, from2, to2] = [a.starts[i]!, a.starts[i + 1]!, b.starts[j]!, b.starts[j + 1]!]
    if (shareField(a.positions, from, to, b.positions, from2, to2)) kept[count++] = docIds[k]!
  }
  return count
}
