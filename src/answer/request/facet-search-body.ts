import type { Selection } from '../../engine/index.js'
import { ok } from '../../errors/index.js'
import { bool, nullable, object, optional, refined, required, type Shape, text } from '../../shape/index.js'
import { selectionFields } from './search-body.js'

/** A search for values of one facet (spec 6 §7.4). */
export interface FacetSearchQuery extends Selection {
  readonly facetName: string
  /** Null finds all values. */
  readonly facetQuery: string | null
  readonly exhaustiveFacetCount: boolean
}

/** Unknown members are passed over, so that the body of a search can be sent as it is. */
export const facetSearchBody: Shape<FacetSearchQuery> = refined(
  object(
    {
      facetName: required(text, 'invalid_facet_search_facet_name', 'missing_facet_search_facet_name'),
      facetQuery: optional(nullable(text), 'invalid_facet_search_query'),
      ...selectionFields,
      exhaustiveFacetCount: optional(nullable(bool), 'invalid_facet_search_exhaustive_facet_count'),
    },
    { ignoreUnknown: true },
  ),
  (given) =>
    ok({
      q: given.q ?? null,
      filter: given.filter ?? null,
      matchingStrategy: given.matchingStrategy ?? 'last',
      attributesToSearchOn: given.attributesToSearchOn ?? null,
      rankingScoreThreshold: given.rankingScoreThreshold ?? null,
      locales: given.locales ?? null,
      hybrid: given.hybrid ?? null,
      vector: given.vector ?? null,
      media: given.media ?? null,
      useNetwork: given.useNetwork ?? null,
      facetName: given.facetName,
      facetQuery: given.facetQuery ?? null,
      exhaustiveFacetCount: given.exhaustiveFacetCount ?? false,
    }),
)
