import { DEFAULT_LIMIT, type Paging, type Personalization, type SearchQuery } from '../../engine/index.js'
import { ok, quoted } from '../../errors/index.js'
import type { CollectionKnowledge } from '../../rank/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  double,
  indexUid,
  isIndexUid,
  mapOf,
  nullable,
  object,
  optional,
  refined,
  required,
  type Shape,
  text,
  uint,
} from '../../shape/index.js'
import { type DistinctQuestion, readDistinctQuestion, readKnowledge } from './collection-body.js'
import { commonFields, personalize, withDefaults } from './search-body.js'

/** One query of a multi-search: the search, and what tells it from a search of its own. */
export interface MultiSearchQuery {
  readonly indexUid: string
  readonly search: SearchQuery
  readonly federationOptions: FederationOptions | null
  /** The parameters that a federated search must not give by query; null when they were not given (spec 8 §1.5.3). */
  readonly given: {
    readonly offset: number | null
    readonly limit: number | null
    readonly showPerformanceDetails: boolean | null
  }
}

export interface FederationOptions {
  readonly weight: number
  readonly remote: string | null
  readonly queryPosition: number | null
  /** Of servers that ask each other for parts of an index: what all of them know of the query. */
  readonly knowledge: CollectionKnowledge | null
  /** And for which shards it is asked; null for all documents. */
  readonly shards: readonly string[] | null
  /** And where each value of an attribute comes once. */
  readonly distinct: DistinctQuestion | null
}

/** How the results of several queries become one list (spec 8 §1.5.1). */
export interface Federation extends Paging {
  readonly facetsByIndex: ReadonlyMap<string, readonly string[] | null>
  /** Null: facets are told by index. */
  readonly mergeFacets: { readonly maxValuesPerFacet: number | null } | null
  readonly distinct: string | null
  readonly showPerformanceDetails: boolean
  readonly personalize: Personalization | null
}

export interface MultiSearch {
  readonly queries: readonly MultiSearchQuery[]
  /** Null: each query has its own result. */
  readonly federation: Federation | null
}

const weight: Shape<number> = refined(
  double,
  (value) => (value >= 0 ? ok(value) : `a number not below 0 was expected, ${value} was found`),
  { minimum: 0 },
)

const federationOptions: Shape<FederationOptions> = refined(
  object({
    weight: optional(weight, 'invalid_multi_search_weight'),
    remote: optional(nullable(text), 'invalid_multi_search_remote'),
    queryPosition: optional(nullable(uint), 'invalid_multi_search_query_position'),
    knowledge: optional(anyJson, 'bad_request'),
    shards: optional(arrayOf(text), 'bad_request'),
    distinct: optional(anyJson, 'bad_request'),
  }),
  ({ weight, remote, queryPosition, knowledge, shards, distinct }) => {
    const known = readKnowledge(knowledge ?? null)
    if (known === undefined) return '`knowledge` is what servers tell each other, not this'
    const taken = readDistinctQuestion(distinct ?? null)
    if (taken === undefined) return '`distinct` is what servers tell each other, not this'
    return ok({
      weight: weight ?? 1,
      remote: remote ?? null,
      queryPosition: queryPosition ?? null,
      knowledge: known,
      shards: shards ?? null,
      distinct: taken,
    })
  },
)

const multiSearchQuery: Shape<MultiSearchQuery> = refined(
  object({
    indexUid: required(indexUid, 'invalid_index_uid', 'missing_index_uid'),
    offset: optional(nullable(uint), 'invalid_search_offset'),
    limit: optional(nullable(uint), 'invalid_search_limit'),
    ...commonFields,
    showPerformanceDetails: optional(nullable(bool), 'invalid_search_show_performance_details'),
    federationOptions: optional(nullable(federationOptions), 'bad_request'),
  }),
  ({ indexUid, federationOptions, ...given }) =>
    ok({
      indexUid,
      search: withDefaults(given),
      federationOptions: federationOptions ?? null,
      given: {
        offset: given.offset ?? null,
        limit: given.limit ?? null,
        showPerformanceDetails: given.showPerformanceDetails ?? null,
      },
    }),
)

const facetsByIndex: Shape<Map<string, string[] | null>> = refined(mapOf(nullable(arrayOf(text))), (facets) => {
  const malformed = [...facets.keys()].find((uid) => !isIndexUid(uid))
  return malformed === undefined ? ok(facets) : `${quoted(malformed)} is not an index uid`
})

const mergeFacets = refined(
  object(
    { maxValuesPerFacet: optional(nullable(uint), 'invalid_multi_search_max_values_per_facet') },
    { code: 'invalid_multi_search_merge_facets' },
  ),
  ({ maxValuesPerFacet }) => ok({ maxValuesPerFacet: maxValuesPerFacet ?? null }),
)

const federation: Shape<Federation> = refined(
  object({
    limit: optional(uint, 'invalid_search_limit'),
    offset: optional(uint, 'invalid_search_offset'),
    page: optional(nullable(uint), 'invalid_search_page'),
    hitsPerPage: optional(nullable(uint), 'invalid_search_hits_per_page'),
    facetsByIndex: optional(facetsByIndex, 'invalid_multi_search_facets_by_index'),
    mergeFacets: optional(nullable(mergeFacets), 'invalid_multi_search_merge_facets'),
    distinct: optional(nullable(text), 'invalid_search_distinct'),
    showPerformanceDetails: optional(bool, 'invalid_search_show_performance_details'),
    personalize: optional(nullable(personalize), 'invalid_search_personalize'),
  }),
  (given) =>
    ok({
      limit: given.limit ?? DEFAULT_LIMIT,
      offset: given.offset ?? 0,
      page: given.page ?? null,
      hitsPerPage: given.hitsPerPage ?? null,
      facetsByIndex: given.facetsByIndex ?? new Map(),
      mergeFacets: given.mergeFacets ?? null,
      distinct: given.distinct ?? null,
      showPerformanceDetails: given.showPerformanceDetails ?? false,
      personalize: given.personalize ?? null,
    }),
)

/** The body of POST /multi-search (spec 8 §1.2). */
export const multiSearchBody: Shape<MultiSearch> = refined(
  object({
    queries: required(arrayOf(multiSearchQuery), 'bad_request', 'bad_request'),
    federation: optional(nullable(federation), 'bad_request'),
  }),
  ({ queries, federation }) => ok({ queries, federation: federation ?? null }),
)
