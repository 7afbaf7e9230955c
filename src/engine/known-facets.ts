import { VersionCache } from '../cache/index.js'
import { ok, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import type { Ranking } from '../rank/index.js'
import { type FacetTexts, facetDistribution } from './facets/facet-distribution.js'

const known = new VersionCache<FacetTexts>('facets', 8 << 20)

/** The facets of a ranking: counting them may take longer than ranking, so they are kept like rankings. */
export function facetsOf(index: SearchIndex, names: readonly string[], ranking: Ranking): Result<FacetTexts> {
  const count = () => facetDistribution({ index, names, candidates: ranking.candidates() })
  if (ranking.key === undefined || ranking.isDegraded) return count()
  const key = JSON.stringify([names, ranking.key])
  const kept = known.get(index, key)
  if (kept !== undefined) return ok(kept)
  const facets = count()
  if (facets.ok) known.keep(index, key, facets.value, sizeOf(facets.value))
  return facets
}

const sizeOf = ({ facetDistribution: counts, facetStats: stats }: FacetTexts): number =>
  2 * (counts.length + stats.length)
