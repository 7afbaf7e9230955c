import { keptBytes } from '../../bitmap/index.js'
import { ByteCache, type Sized } from '../../index/index.js'
import type { SearchIndex } from '../search-index.js'
import type { Ranking, RankRequest } from './model.js'

/** Memory for the rankings of one index, in each thread that searches it. */
const KNOWN_BYTES = 16 << 20

const KNOWN = Symbol('rankings')

class KnownRanking implements Sized {
  constructor(
    readonly ranking: Ranking,
    readonly sizeBytes: number,
  ) {}
}

/**
 * The ranking of a request, made anew unless the same was asked since the index last changed. People type the same
 * beginnings all day, and the shortest of them take longest to rank.
 */
export function knownRanking(index: SearchIndex, request: RankRequest, make: () => Ranking): Ranking {
  const key = keyOf(request)
  if (key === undefined) return make()
  const rankings = index.derive(KNOWN, () => new ByteCache<KnownRanking>(KNOWN_BYTES))
  const known = rankings.get(key)
  if (known !== undefined) return known.ranking
  const ranking = { ...make(), key }
  // What time cut short may come out better the next time.
  if (!ranking.isDegraded) rankings.set(key, new KnownRanking(ranking, sizeOf(index, ranking)))
  return ranking
}

/** Everything that decides over a ranking but the deadline. */
function keyOf(request: RankRequest): string | undefined {
  const { filterKey, vectorRule, q, locales, matchingStrategy, attributesToSearchOn, sort, distinct } = request
  if (filterKey === undefined || vectorRule !== undefined) return undefined
  const { depth, isExhaustive, threshold } = request
  const words = [q, locales, matchingStrategy, attributesToSearchOn]
  return JSON.stringify([...words, sort, distinct, filterKey, depth, isExhaustive, threshold])
}

/** Of the objects around a ranking, and of one document with its details; roughly. */
const FIXED_BYTES = 1000
const DOCUMENT_BYTES = 200

function sizeOf({ docIds }: SearchIndex, { documents, candidateCount, key }: Ranking): number {
  const texts = FIXED_BYTES + 2 * key!.length
  return texts + documents.length * DOCUMENT_BYTES + keptBytes(candidateCount, docIds.max + 1)
}
