import type { ScoreDetail } from '../score-detail.js'

const MATCH_RANKS = { exactMatch: 3, matchesStart: 2, noExactMatch: 1 }

/** Rank and highest rank of a detail; undefined for sorting, which does not count (spec 6 §5.1). */
function rankOf(detail: ScoreDetail): readonly [number, number] | undefined {
  switch (detail.rule) {
    case 'words':
      return [detail.matching, detail.max]
    case 'typo':
      return [detail.max + 1 - detail.count, detail.max + 1]
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return [detail.rank, detail.max]
    case 'exactAttribute':
      return [MATCH_RANKS[detail.type], 3]
    case 'exactWords':
      return [detail.matching + 1, detail.max + 1]
    case 'skipped':
      return [0, 1]
    case 'sort':
    case 'geoSort':
      return undefined
  }
}

export function scoreOf(details: readonly ScoreDetail[]): number {
  let rank = 1
  let max = 1
  for (const pair of details.map(rankOf)) {
    if (pair === undefined) continue
    rank = (Math.max(rank, 1) - 1) * pair[1] + pair[0]
    max *= pair[1]
  }
  return rank / max
}
