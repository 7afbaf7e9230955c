import { keptBytes } from '../bitmap/index.js'
import { VersionCache } from '../cache/index.js'
import type { SearchIndex } from '../match/index.js'
import type { Ranking, RankRequest } from './model.js'

const known = new VersionCache<Ranking>('rankings', 16 << 20)

/**
 * The ranking of a request, made anew unless the same was asked since the index last changed. People type the same
 * prefixes all day, and the shortest of them take longest to rank.
 */
export function knownRanking(index: SearchIndex, request: RankRequest, make: () => Ranking): Ranking {
  const key = keyOf(request)
  if (key === undefined) return make()
  const kept = known.get(index, key)
  if (kept !== undefined) return kept
  const ranking = { ...make(), key }
  // What time cut short may come out better the next time.
  if (!ranking.isDegraded) known.keep(index, key, ranking, sizeOf(ranking) + candidateBytes(index, request, ranking))
  return ranking
}

/** Everything that decides over a ranking but the deadline. */
function keyOf(request: RankRequest): string | undefined {
  const { filterKey, vectorRule, q, locales, matchingStrategy, attributesToSearchOn, sort } = request
  if (filterKey === undefined || vectorRule !== undefined) return undefined
  const { distinct, isEmptyDistinct, depth, isExhaustive, threshold, isOrderEnough, isCountEnough } = request
  const words = [q, locales, matchingStrategy, attributesToSearchOn]
  const limits = [depth, isExhaustive, threshold, isOrderEnough, isCountEnough]
  return JSON.stringify([...words, sort, distinct, isEmptyDistinct, filterKey, ...limits])
}

/** Of the objects around a ranking, and of one document with its details; roughly. */
const FIXED_BYTES = 1000
const DOCUMENT_BYTES = 200

const sizeOf = ({ documents }: Ranking): number => FIXED_BYTES + documents.length * DOCUMENT_BYTES

function candidateBytes({ docIds }: SearchIndex, { isCountEnough }: RankRequest, { candidateCount }: Ranking): number {
  return isCountEnough === true ? 0 : keptBytes(candidateCount, docIds.max + 1)
}
