import {
  DEFAULT_CROP_LENGTH,
  DEFAULT_CROP_MARKER,
  DEFAULT_LIMIT,
  DEFAULT_POST_TAG,
  DEFAULT_PRE_TAG,
  DEFAULT_SEMANTIC_RATIO,
  type Hybrid,
  type Personalization,
  type SearchQuery,
} from '../../engine/index.js'
import { ok } from '../../errors/index.js'
import { canonicalLocale, localeCodes, matchingStrategies } from '../../settings/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  double,
  named,
  nullable,
  object,
  oneOf,
  optional,
  refined,
  required,
  type Shape,
  text,
  uint,
} from '../../shape/index.js'
import { filterValue } from './filter-shape.js'

const texts = nullable(arrayOf(text))
const isRatio = (value: number): boolean => value >= 0 && value <= 1
const ratio: Shape<number> = refined(
  double,
  (value) => (isRatio(value) ? ok(value) : `a number from 0 to 1 was expected, ${value} was found`),
  { minimum: 0, maximum: 1 },
)
const locale: Shape<string> = refined(named('Locale', oneOf(localeCodes)), (code) => ok(canonicalLocale(code)!))

const hybrid: Shape<Hybrid> = refined(
  object(
    {
      embedder: required(text, 'invalid_search_embedder', 'invalid_search_hybrid_query'),
      semanticRatio: optional(ratio, 'invalid_search_semantic_ratio'),
    },
    { code: 'invalid_search_hybrid_query' },
  ),
  ({ embedder, semanticRatio }) => ok({ embedder, semanticRatio: semanticRatio ?? DEFAULT_SEMANTIC_RATIO }),
)

export const personalize: Shape<Personalization> = object(
  { userContext: required(text, 'invalid_search_personalize_user_context', 'invalid_search_personalize') },
  { code: 'invalid_search_personalize' },
)

/** Parameters that decide which documents are found. */
export const selectionFields = {
  q: optional(nullable(text), 'invalid_search_q'),
  filter: optional(filterValue, 'invalid_search_filter'),
  matchingStrategy: optional(oneOf(matchingStrategies), 'invalid_search_matching_strategy'),
  attributesToSearchOn: optional(texts, 'invalid_search_attributes_to_search_on'),
  rankingScoreThreshold: optional(nullable(ratio), 'invalid_search_ranking_score_threshold'),
  locales: optional(nullable(arrayOf(locale)), 'invalid_search_locales'),
  hybrid: optional(nullable(hybrid), 'invalid_search_hybrid_query'),
  vector: optional(nullable(arrayOf(double)), 'invalid_search_vector'),
  media: optional(anyJson, 'invalid_search_media'),
  useNetwork: optional(nullable(bool), 'invalid_search_use_network'),
} as const

/** Parameters that single searches and queries of a multi-search read alike. */
export const commonFields = {
  page: optional(nullable(uint), 'invalid_search_page'),
  hitsPerPage: optional(nullable(uint), 'invalid_search_hits_per_page'),
  attributesToRetrieve: optional(texts, 'invalid_search_attributes_to_retrieve'),
  attributesToCrop: optional(texts, 'invalid_search_attributes_to_crop'),
  cropLength: optional(uint, 'invalid_search_crop_length'),
  cropMarker: optional(text, 'invalid_search_crop_marker'),
  attributesToHighlight: optional(texts, 'invalid_search_attributes_to_highlight'),
  highlightPreTag: optional(text, 'invalid_search_highlight_pre_tag'),
  highlightPostTag: optional(text, 'invalid_search_highlight_post_tag'),
  showMatchesPosition: optional(bool, 'invalid_search_show_matches_position'),
  ...selectionFields,
  sort: optional(texts, 'invalid_search_sort'),
  distinct: optional(nullable(text), 'invalid_search_distinct'),
  facets: optional(texts, 'invalid_search_facets'),
  retrieveVectors: optional(bool, 'invalid_search_retrieve_vectors'),
  personalize: optional(nullable(personalize), 'invalid_search_personalize'),
  showRankingScore: optional(bool, 'invalid_search_show_ranking_score'),
  showRankingScoreDetails: optional(bool, 'invalid_search_show_ranking_score_details'),
} as const

const searchFields = {
  offset: optional(uint, 'invalid_search_offset'),
  limit: optional(uint, 'invalid_search_limit'),
  ...commonFields,
  showPerformanceDetails: optional(bool, 'invalid_search_show_performance_details'),
} as const

/** The body of POST /indexes/{index_uid}/search. */
export const searchBody: Shape<SearchQuery> = named(
  'SearchQuery',
  refined(object(searchFields), (given) => ok(withDefaults(given))),
)

/** Parameters as they came: an absent one is undefined, and null where that means the same. */
export type PartialParameters<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }

/** Fills in what was not given. All members are listed: objects made with `...` are many times slower here. */
export function withDefaults(given: PartialParameters<SearchQuery>): SearchQuery {
  return {
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
    offset: given.offset ?? 0,
    limit: given.limit ?? DEFAULT_LIMIT,
    page: given.page ?? null,
    hitsPerPage: given.hitsPerPage ?? null,
    attributesToRetrieve: given.attributesToRetrieve ?? null,
    attributesToCrop: given.attributesToCrop ?? null,
    cropLength: given.cropLength ?? DEFAULT_CROP_LENGTH,
    cropMarker: given.cropMarker ?? DEFAULT_CROP_MARKER,
    attributesToHighlight: given.attributesToHighlight ?? null,
    highlightPreTag: given.highlightPreTag ?? DEFAULT_PRE_TAG,
    highlightPostTag: given.highlightPostTag ?? DEFAULT_POST_TAG,
    showMatchesPosition: given.showMatchesPosition ?? false,
    sort: given.sort ?? null,
    distinct: given.distinct ?? null,
    facets: given.facets ?? null,
    retrieveVectors: given.retrieveVectors ?? false,
    personalize: given.personalize ?? null,
    showRankingScore: given.showRankingScore ?? false,
    showRankingScoreDetails: given.showRankingScoreDetails ?? false,
    showPerformanceDetails: given.showPerformanceDetails ?? false,
  }
}
