import { compareBytes } from '../../byte-order/index.js'
import { normalizeStoredFacet } from '../../columns/index.js'
import type { FacetHit, FacetSearch } from './facet-search.js'
import { foldValue } from './folded-values.js'

/** How values are shown. */
interface ShownFacet extends Pick<FacetSearch, 'facetName' | 'facetQuery'> {
  readonly index: Pick<FacetSearch['index'], 'settings' | 'roles'>
}

/** Values of an index whose documents were searched in parts, as `facetSearch` finds them in all documents together. */
export function mergeFacetHits(search: ShownFacet, parts: Iterable<readonly FacetHit[]>): FacetHit[] {
  const { maxValuesPerFacet, sortFacetValuesBy } = search.index.settings.faceting
  const order = sortFacetValuesBy.get(search.facetName) ?? sortFacetValuesBy.get('*')
  const hits = [...addUp(parts)]
  const sorted = order === 'count' ? hits.sort(byCount).map(([, hit]) => hit) : inOrder(hits, search)
  return sorted.slice(0, maxValuesPerFacet)
}

type NormalizedHit = readonly [norm: string, hit: FacetHit]

/** Which document is the first one with a value cannot be told: of several spellings the first in byte order is shown. */
function addUp(parts: Iterable<readonly FacetHit[]>): Map<string, FacetHit> {
  const byNorm = new Map<string, FacetHit>()
  for (const hits of parts) {
    for (const hit of hits) {
      const norm = normalizeStoredFacet(hit.value)
      const known = byNorm.get(norm)
      const value = known !== undefined && compareBytes(known.value, hit.value) < 0 ? known.value : hit.value
      byNorm.set(norm, { value, count: hit.count + (known?.count ?? 0) })
    }
  }
  return byNorm
}

const byCount = ([, a]: NormalizedHit, [, b]: NormalizedHit): number =>
  b.count - a.count || compareBytes(b.value, a.value)

/** Without a query by norm, else by the folded form. */
function inOrder(hits: readonly NormalizedHit[], { index, facetName, facetQuery }: ShownFacet): FacetHit[] {
  const { locales } = index.roles.of(facetName)
  const keyed = hits.map(([norm, hit]) => ({ key: facetQuery === null ? '' : foldValue(norm, locales), norm, hit }))
  keyed.sort((a, b) => compareBytes(a.key, b.key) || compareBytes(a.norm, b.norm))
  return keyed.map(({ hit }) => hit)
}
