import { keptBytes } from '../bitmap/index.js'
import { VersionCache } from '../cache/index.js'
import type { SearchIndex } from '../match/index.js'
import type { Ranking, RankRequest } from './model.js'

const known = new VersionCache<Ranking>('rankings', 16 << 20)

/** Marks of what was asked; two requests with the same mark only make one of them be kept too early. */
const MARKS = 1 << 14
const ASKED = Symbol('asked rankings')

/**
 * The ranking of a request, made anew unless the same was asked twice since the index last changed. People type the same
 * prefixes all day, and the shortest of them take longest to rank. What is asked once is not kept: a ranking is some
 * hundred objects, which take memory and time of whoever collects garbage, and most are never asked for again.
 */
export function knownRanking(index: SearchIndex, request: RankRequest, make: () => Ranking): Ranking {
  const key = keyOf(request)
  if (key === undefined) return make()
  const kept = known.get(index, key)
  if (kept !== undefined) return kept
  const ranking = { ...make(), key }
  // What time cut short may come out better the next time.
  if (!ranking.isDegraded && isAskedAgain(index, key))
    known.keep(index, key, ranking, sizeOf(ranking) + candidateBytes(index, request, ranking))
  return ranking
}

function isAskedAgain(index: SearchIndex, key: string): boolean {
  const asked = index.derive(ASKED, () => new Uint32Array(MARKS))
  const mark = markOf(key)
  const place = mark % MARKS
  const isKnown = asked[place] === mark
  asked[place] = mark
  return isKnown
}

/** FNV-1a over the units of the text; never 0, which stands for nothing. */
function markOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash >>> 0 || 1
}

/** Everything that decides over a ranking but the deadline. */
function keyOf(request: RankRequest): string | undefined {
  const { filterKey, vectorRule, part, q, locales, matchingStrategy, attributesToSearchOn, sort } = request
  if (filterKey === undefined || vectorRule !== undefined || (part?.knowledge ?? null) !== null) return undefined
  const { distinct, isEmptyDistinct, depth, isExhaustive, threshold, isOrderEnough, isCountEnough } = request
  const words = [q, locales, matchingStrategy, attributesToSearchOn]
  const limits = [depth, isExhaustive, threshold, isOrderEnough, isCountEnough, part !== undefined]
  return JSON.stringify([...words, sort, distinct, isEmptyDistinct, filterKey, ...limits])
}

/** Of the objects around a ranking, and of one document with its details; roughly. */
const FIXED_BYTES = 1000
const DOCUMENT_BYTES = 200

const sizeOf = ({ documents }: Ranking): number => FIXED_BYTES + documents.length * DOCUMENT_BYTES

function candidateBytes({ docIds }: SearchIndex, { isCountEnough }: RankRequest, { candidateCount }: Ranking): number {
  return isCountEnough === true ? 0 : keptBytes(candidateCount, docIds.max + 1)
}
