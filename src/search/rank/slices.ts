import { findCommon, Pairs } from './doc-lists.js'
import type { RankedDocument } from './model.js'
import { lossOf, type Outlook } from './outlook.js'

/** Documents that rules tell apart one by one, and how many of them are wanted. */
export interface SliceJob {
  /** Ascending. */
  readonly docIds: Uint32Array
  readonly wanted: number
  /** Documents of the first slice. */
  readonly first: number
  /** The losses of the best documents, but for exceptions. */
  readonly losses: Outlook['losses']
  /** Undefined when time is up. */
  readonly exceptions: () => Uint32Array | undefined
  /** Rules before them that gave all documents the same details. */
  readonly rulesBefore: number
  /** The best of some documents in their order, as many as are wanted; undefined when time is up. */
  readonly rank: (docIds: Uint32Array) => readonly RankedDocument[] | undefined
}

/** Documents of the first slice, usually. Fewer are looked at as a whole. */
export const FIRST_SLICE = 2048

/** Each slice is so much larger than the one before. */
const GROWTH = 4

/**
 * Ranks documents slice by slice, in the order of their docIds. Of equal documents the one with the lowest docId comes
 * first: once as many as are wanted are as good as any of the rest can be, the rest need not be looked at. Frequent words
 * and short beginnings get there after a small part of their documents.
 */
export function rankInSlices(job: SliceJob): { documents: readonly RankedDocument[]; isComplete: boolean } {
  const { docIds, wanted } = job
  let best: readonly RankedDocument[] = []
  let exceptions: Uint32Array | undefined
  for (const [from, to] of slicesOf(docIds.length, job.first)) {
    const ranked = job.rank(docIds.subarray(from, to))
    if (ranked === undefined) return { documents: best, isComplete: false }
    best = merge(best, ranked, job)
    if (to === docIds.length) break
    if (best.length < wanted || compareLosses(lossesOf(best[wanted - 1]!, job), job.losses) > 0) continue
    exceptions ??= job.exceptions()
    if (exceptions === undefined) return { documents: best, isComplete: false }
    const others = membersOf(docIds.subarray(to), exceptions)
    if (others.length * 2 > docIds.length - to) continue
    const better = job.rank(others)
    if (better === undefined) return { documents: best, isComplete: false }
    return { documents: merge(best, better, job), isComplete: true }
  }
  return { documents: best, isComplete: true }
}

function* slicesOf(size: number, first: number): Iterable<[from: number, to: number]> {
  let from = 0
  for (let length = first; from + length < size; length *= GROWTH) {
    yield [from, from + length]
    from += length
  }
  yield [from, size]
}

/** The best of two lists that are in order. */
function merge(a: readonly RankedDocument[], b: readonly RankedDocument[], job: SliceJob): readonly RankedDocument[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const merged: RankedDocument[] = []
  for (let i = 0, j = 0; merged.length < job.wanted && (i < a.length || j < b.length); ) {
    const isLeft = j === b.length || (i < a.length && compare(a[i]!, b[j]!, job) < 0)
    merged.push(isLeft ? a[i++]! : b[j++]!)
  }
  return merged
}

function compare(a: RankedDocument, b: RankedDocument, job: SliceJob): number {
  return compareLosses(lossesOf(a, job), lossesOf(b, job)) || a.docId - b.docId
}

function lossesOf({ details }: RankedDocument, { rulesBefore }: SliceJob): number[] {
  return details.slice(rulesBefore).map(lossOf)
}

function compareLosses(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}

/** What two ascending lists have in common. */
function membersOf(list: Uint32Array, others: Uint32Array): Uint32Array {
  findCommon(list, others, pairs)
  return Uint32Array.from(pairs.left.subarray(0, pairs.count), (at) => list[at]!)
}

const pairs = new Pairs()
