import type { Pairs } from '../match/index.js'
import type { RankedDocument } from './model.js'
import type { PartialBounds } from './partial-bounds.js'
import { lossOf, type UpperBound } from './upper-bound.js'

/** Documents that rules tell apart one by one, and how many of them are wanted. */
export interface SliceJob {
  /** Ascending. */
  readonly docIds: Uint32Array
  readonly wanted: number
  /** Documents of the first slice. */
  readonly first: number
  /** The losses of the best documents, but for exceptions. */
  readonly losses: UpperBound['losses']
  /** Those of the best exceptions. */
  readonly leastLosses: UpperBound['leastLosses']
  /** Those of some documents, ascending; undefined when time is up. */
  readonly exceptions: (docIds: Uint32Array) => Uint32Array | undefined
  readonly bounds: PartialBounds
  readonly pairs: Pairs
  /** Rules before them that gave all documents the same details. */
  readonly rulesBefore: number
  /** The best of some documents in their order, as many as are wanted; undefined when time is up. */
  readonly rank: (docIds: Uint32Array) => readonly RankedDocument[] | undefined
}

/** Documents of the first slice, usually. Fewer are looked at as a whole. */
export const FIRST_SLICE = 512

/** Each slice makes those before it so much larger, at least and at most. */
const LEAST_GROWTH = 1.25
const GROWTH = 4

/** A slice has so many times the documents that are missing, as far as can be told from those before it. */
const RESERVE = 1.5

/** Exceptions are far from each other, which makes each of them dear: the first slice is so much smaller. */
const EXCEPTIONAL = 8

const NONE = new Uint32Array(0)

/**
 * Ranks documents slice by slice, in the order of their docIds. Of equal documents the one with the lowest docId comes
 * first: once as many as are wanted are as good as any of the rest can be, the rest need not be looked at. Frequent words
 * and short prefixes get there after a small part of their documents.
 */
export function rankInSlices(job: SliceJob): { documents: readonly RankedDocument[]; isComplete: boolean } {
  return new SliceRanking(job).run()
}

class SliceRanking {
  private best: readonly RankedDocument[] = []
  /** Documents that are worse than `losses`, by how many bounds they fulfil. */
  private readonly worse: Uint32Array[][]
  private exceptions: Uint32Array | undefined

  constructor(private readonly job: SliceJob) {
    this.worse = job.bounds.rules.map(() => [])
  }

  run(): { documents: readonly RankedDocument[]; isComplete: boolean } {
    const isComplete = this.rankAll()
    return { documents: this.best, isComplete }
  }

  /** Answers false when time is up. */
  private rankAll(): boolean {
    const { docIds, losses } = this.job
    let waiting: Uint32Array = NONE
    for (let from = 0, to = 0; to < docIds.length; from = to) {
      to = Math.min(docIds.length, from === 0 ? this.job.first : from + this.sizeBehind(from))
      const competitive = this.competitiveOf(docIds.subarray(from, to))
      if (competitive === undefined) return false
      waiting = joined([waiting, competitive])
      if (to < docIds.length && !this.isFull(losses, waiting.length)) continue
      if (!this.add(waiting)) return false
      waiting = NONE
      if (to === docIds.length || !this.isFull(losses)) continue
      const others = this.exceptionsIn(docIds.subarray(to))
      if (others === undefined) return false
      if (others.length * 2 <= docIds.length - to) return this.rankExceptions(others)
    }
    return this.rankWorse()
  }

  /** Of the slice that may fill the page when so many documents have been looked at. */
  private sizeBehind(seen: number): number {
    const { wanted, losses } = this.job
    let found = Math.min(wanted, this.best.length)
    while (found > 0 && !this.isFull(losses, wanted - found)) found--
    const wantedSize = found === 0 ? seen * GROWTH : (seen / found) * (wanted - found) * RESERVE
    return Math.ceil(Math.min(seen * (GROWTH - 1), Math.max(seen * (LEAST_GROWTH - 1), wantedSize)))
  }

  /** Until enough of them cannot be bettered either. */
  private rankExceptions(docIds: Uint32Array): boolean {
    const { first, leastLosses } = this.job
    for (const [from, to] of slicesOf(docIds.length, Math.ceil(first / EXCEPTIONAL))) {
      if (!this.add(docIds.subarray(from, to))) return false
      if (this.isFull(leastLosses)) return true
    }
    return true
  }

  /** As long as they may be better than the page. */
  private rankWorse(): boolean {
    const {
      losses,
      bounds: { rules },
    } = this.job
    for (let fulfilled = rules.length - 1; fulfilled >= 0; fulfilled--) {
      if (this.isFull(losses.slice(0, rules[fulfilled]! + 1))) return true
      if (!this.add(joined(this.worse[fulfilled]!))) return false
    }
    return true
  }

  private competitiveOf(slice: Uint32Array): Uint32Array | undefined {
    const { rules, fulfilledBy } = this.job.bounds
    if (rules.length === 0) return slice
    const fulfilled = fulfilledBy(slice)
    if (fulfilled === undefined) return undefined
    const groups = groupsOf(slice, fulfilled, rules.length + 1)
    for (const [count, docIds] of this.worse.entries()) docIds.push(groups[count]!)
    return groups[rules.length]!
  }

  private add(docIds: Uint32Array): boolean {
    if (docIds.length === 0) return true
    const ranked = this.job.rank(docIds)
    if (ranked !== undefined) this.best = merge(this.best, ranked, this.job)
    return ranked !== undefined
  }

  /** As many documents as are wanted lose no more than this, by as many rules; or would if `added` were as good. */
  private isFull(losses: readonly number[], added = 0): boolean {
    const { wanted } = this.job
    if (added >= wanted) return true
    const last = this.best[wanted - added - 1]
    return last !== undefined && compareLosses(losses, lossesOf(last, this.job)) >= 0
  }

  private exceptionsIn(docIds: Uint32Array): Uint32Array | undefined {
    // Whoever asks again asks for fewer.
    this.exceptions =
      this.exceptions === undefined ? this.job.exceptions(docIds) : this.job.pairs.commonOf(this.exceptions, docIds)
    return this.exceptions
  }
}

/** The documents of each of `count` groups, given the group of every document, one group behind the other in memory. */
function groupsOf(docIds: Uint32Array, groupOf: Uint8Array, count: number): Uint32Array[] {
  const ends = new Uint32Array(count + 1)
  for (let i = 0; i < docIds.length; i++) ends[groupOf[i]! + 1]!++
  for (let group = 1; group <= count; group++) ends[group]! += ends[group - 1]!
  const sorted = new Uint32Array(docIds.length)
  for (let i = 0; i < docIds.length; i++) sorted[ends[groupOf[i]!]!++] = docIds[i]!
  // What was the start of a group is now its end.
  return Array.from({ length: count }, (_, group) => sorted.subarray(group === 0 ? 0 : ends[group - 1]!, ends[group]!))
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
  const losses: number[] = []
  for (let i = rulesBefore; i < details.length; i++) losses.push(lossOf(details[i]!))
  return losses
}

function compareLosses(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const filled = lists.filter(({ length }) => length > 0)
  if (filled.length === 1) return filled[0]!
  const all = new Uint32Array(lists.reduce((size, list) => size + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}
