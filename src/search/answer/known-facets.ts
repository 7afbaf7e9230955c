import type { Result } from '../../errors/index.js'
import { ByteCache, type Sized } from '../../index/index.js'
import { type FacetTexts, facetDistribution } from '../facets/facet-distribution.js'
import type { Ranking } from '../rank/model.js'
import type { SearchIndex } from '../search-index.js'

/** Memory for the facets of one index, in each thread that searches it. */
const KNOWN_BYTES = 8 << 20

const KNOWN = Symbol('facets')

class KnownFacets implements Sized {
  readonly sizeBytes: number

  constructor(
    key: string,
    readonly facets: Result<FacetTexts> & { ok: true },
  ) {
    const { facetDistribution: counts, facetStats: stats } = facets.value
    this.sizeBytes = 2 * (key.length + counts.length + stats.length)
  }
}

/** The facets of a ranking: counting them may take longer than ranking, so they are kept like rankings. */
export function facetsOf(index: SearchIndex, names: readonly string[], ranking: Ranking): Result<FacetTexts> {
  const count = () => facetDistribution({ index, names, candidates: ranking.candidates() })
  if (ranking.key === undefined || ranking.isDegraded) return count()
  const kept = index.derive(KNOWN, () => new ByteCache<KnownFacets>(KNOWN_BYTES))
  const key = JSON.stringify([names, ranking.key])
  const known = kept.get(key)
  if (known !== undefined) return known.facets
  const facets = count()
  if (facets.ok) kept.set(key, new KnownFacets(key, facets))
  return facets
}
