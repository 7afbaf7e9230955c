import { sortedByName } from '../../byte-order/index.js'
import { type Weights, weightsOf } from '../../rank/index.js'
import { compareArrivals, compareParts, compareRanks } from '../compare.js'
import { mergeByScore } from '../merge.js'
import { type FederatedHit, isSemantic, type Scored } from '../model.js'

/** The semantic ratio of a query by its place; null where words alone, or nothing, are looked for. */
export type SemanticRatios = ReadonlyMap<number, number | null>

/**
 * The hits of several servers in lists, one for each index in byte order of the uids, as one server with all documents
 * would have found them: hits of one query in their order, and then those of all queries of the index by their scores.
 */
export function wholeLists(
  lists: readonly (readonly FederatedHit[])[],
  ratios: SemanticRatios,
): readonly (readonly FederatedHit[])[] {
  return Array.from(byIndex(lists).values(), (byQuery) => {
    const inOrder = [...byQuery].sort(([a], [b]) => a - b)
    const merged = inOrder.map(([position, parts]) => mergeQuery(parts, ratios.get(position) ?? null))
    return merged.length === 1 ? merged[0]! : [...mergeByScore(merged)]
  })
}

/** The hits of one query, server by server. */
type Parts = FederatedHit[][]

function byIndex(lists: readonly (readonly FederatedHit[])[]): Map<string, Map<number, Parts>> {
  const indexes = new Map<string, Map<number, Parts>>()
  for (const [place, list] of lists.entries()) {
    for (const hit of list) {
      const queries = indexes.get(hit.indexUid) ?? new Map<number, Parts>()
      indexes.set(hit.indexUid, queries)
      const parts = queries.get(hit.queryPosition) ?? lists.map(() => [])
      queries.set(hit.queryPosition, parts)
      parts[place]!.push(hit)
    }
  }
  return sortedByName(indexes)
}

function mergeQuery(parts: Parts, semanticRatio: number | null): FederatedHit[] {
  if (semanticRatio === null) return [...mergeByScore(parts, compareParts)]
  const weights = weightsOf(semanticRatio)
  const weighted = parts.map((hits) => hits.map((hit) => weightedHit(hit, weights)))
  return Array.from(mergeByScore(weighted, compareWeighted), ({ hit }) => hit)
}

interface WeightedHit extends Scored {
  readonly hit: FederatedHit
}

/** Scores of words and of meaning can be compared by these values (spec 7 §3.2). */
function weightedHit(hit: FederatedHit, { keyword, semantic }: Weights): WeightedHit {
  const weight = isSemantic(hit) ? semantic : keyword
  const values = hit.values.map((each) =>
    each.kind === 'score' || each.kind === 'vector' ? { ...each, value: each.value * weight } : each,
  )
  return { hit, values, score: hit.score * weight, queryPosition: hit.queryPosition, arrival: hit.arrival }
}

/** Meaning comes before words among equals. */
const compareWeighted = (left: WeightedHit, right: WeightedHit): number =>
  compareRanks(left, right) || Number(isSemantic(right)) - Number(isSemantic(left)) || compareArrivals(left, right)
