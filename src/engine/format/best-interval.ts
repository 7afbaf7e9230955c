import { type TextMatch, wordCount } from './text-match.js'

/** Indexes of the first and the last match of a row of matches. */
export interface Interval {
  readonly first: number
  readonly last: number
}

/**
 * The matches that a crop window of `size` words should show (spec 5 §6.5, step 1). At least one match is given. The
 * rows that fit are walked with one pair of ends that only moves on, so it is linear whatever the size.
 */
export function bestInterval(matches: readonly TextMatch[], size: number): Interval {
  const walk = new IntervalWalk(matches)
  for (let next = 0; next < matches.length; next++) {
    if (!walk.fits(next, size)) {
      walk.judge()
      walk.dropUntilFits(next, size)
    }
    walk.take(next)
  }
  if (walk.first < matches.length - 1 || wordCount(matches.at(-1)!) < size) walk.judge()
  return walk.best ?? { first: 0, last: 0 }
}

interface Score {
  readonly distinctIds: number
  readonly distance: number
  readonly order: number
}

// Farther apart does not count any more.
const MAX_GAP = 7

/** A row of matches that grows at its end and shrinks at its start, and the best one judged so far. */
class IntervalWalk {
  best: Interval | undefined
  first = 0
  private bestScore: Score | undefined
  /** Behind the last match of the row. */
  private end = 0
  /** How many matches of the row have an id. */
  private readonly ids = new Map<number, number>()
  private distance = 0
  private order = 0

  constructor(private readonly matches: readonly TextMatch[]) {}

  /** Whether the row with the match `next` at its end is not wider than `size` words. */
  fits(next: number, size: number): boolean {
    return this.matches[next]!.lastWord - this.matches[this.first]!.firstWord < size
  }

  /** A match that is too long by itself is left out, unless none follows. */
  dropUntilFits(next: number, size: number): void {
    const last = this.matches.length - 1
    while (this.first < last && this.first <= next && !this.fits(next, size)) this.dropFirst()
  }

  take(next: number): void {
    if (next < this.first) return
    if (next > this.first) this.countPair(next - 1, 1)
    this.countMatch(next, 1)
    this.end = next + 1
  }

  private dropFirst(): void {
    const { first } = this
    if (first < this.end) this.countMatch(first, -1)
    if (first + 1 < this.end) this.countPair(first, -1)
    this.first++
    this.end = Math.max(this.end, this.first)
  }

  private countMatch(index: number, sign: 1 | -1): void {
    const match = this.matches[index]!
    const innerGaps = wordCount(match) - 1
    this.distance -= sign * innerGaps
    this.order += sign * innerGaps
    for (const id of match.term.ids) this.countId(id, sign)
  }

  private countId(id: number, sign: 1 | -1): void {
    const count = (this.ids.get(id) ?? 0) + sign
    if (count === 0) this.ids.delete(id)
    else this.ids.set(id, count)
  }

  /** Of a match and the next one. */
  private countPair(index: number, sign: 1 | -1): void {
    const match = this.matches[index]!
    const next = this.matches[index + 1]!
    this.distance -= sign * Math.min(next.firstWord - match.lastWord, MAX_GAP)
    if (next.term.smallestId > match.term.smallestId) this.order += sign
  }

  /** Keeps the row if it is better than those before. */
  judge(): void {
    if (this.first >= this.end) return
    const score = { distinctIds: this.ids.size, distance: this.distance, order: this.order }
    if (this.bestScore !== undefined && compareScores(score, this.bestScore) <= 0) return
    this.bestScore = score
    this.best = { first: this.first, last: this.end - 1 }
  }
}

function compareScores(a: Score, b: Score): number {
  return a.distinctIds - b.distinctIds || a.distance - b.distance || a.order - b.order
}
