import type { ScoreDetail } from './score-detail.js'

/** How good a document is among all that a rule could tell apart: 1 to `max`. */
interface Rank {
  readonly rank: number
  readonly max: number
}

const MATCH_RANKS = { exactMatch: 3, matchesStart: 2, noExactMatch: 1 } as const

/** The part of the score that one rule gives; undefined for rules that do not count (spec 6 §5.1). */
export function rankOf(detail: ScoreDetail): Rank | undefined {
  switch (detail.rule) {
    case 'words':
      return { rank: detail.matching, max: detail.max }
    case 'typo':
      return { rank: detail.max + 1 - detail.count, max: detail.max + 1 }
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return { rank: detail.rank, max: detail.max }
    case 'exactAttribute':
      return { rank: MATCH_RANKS[detail.type], max: 3 }
    case 'exactWords':
      return { rank: detail.matching + 1, max: detail.max + 1 }
    case 'skipped':
      return { rank: 0, max: 1 }
    case 'sort':
    case 'geoSort':
    case 'vector':
    case 'pin':
      return undefined
  }
}

/** Ranks as the digits of one number, the first rule's most significant. */
export function combineRanks(ranks: readonly (Rank | undefined)[]): number {
  let rank = 1
  let max = 1
  for (const next of ranks) {
    if (next === undefined) continue
    rank = (Math.max(rank, 1) - 1) * next.max + next.rank
    max *= next.max
  }
  return rank / max
}

/**
 * What a document is compared by: `single` makes a value of a detail that stands for itself, and `joined` one of the
 * score of details that follow each other and count together.
 */
export function comparedValues<T>(
  details: readonly ScoreDetail[],
  single: (detail: ScoreDetail) => T | undefined,
  joined: (score: number) => T,
): T[] {
  const values: T[] = []
  for (let i = 0; i < details.length; ) {
    const value = single(details[i]!)
    if (value !== undefined) {
      values.push(value)
      i++
      continue
    }
    const start = i
    while (i < details.length && single(details[i]!) === undefined) i++
    values.push(joined(combineRanks(details.slice(start, i).map(rankOf))))
  }
  return values
}

/** `_rankingScore`. How similar a document is says all, where that was looked at (spec 7 §2.1). */
export function rankingScore(details: readonly ScoreDetail[]): number {
  const ranks: (Rank | undefined)[] = []
  for (const detail of details) {
    if (detail.rule === 'vector') return detail.similarity ?? 0
    ranks.push(rankOf(detail))
  }
  return combineRanks(ranks)
}
