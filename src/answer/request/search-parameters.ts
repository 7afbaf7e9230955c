import { DEFAULT_SEMANTIC_RATIO, type Hybrid, type SearchQuery } from '../../engine/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { filterFromQuery, sortFromQuery } from '../../match/index.js'
import { canonicalLocale, localeCodes, matchingStrategies } from '../../settings/index.js'
import {
  boolParam,
  checkQuery,
  commaList,
  doubleParam,
  enumParam,
  type Param,
  type Parameters,
  queryParam,
  refinedParam,
  textParam,
  uintParam,
} from '../../shape/index.js'
import { withDefaults } from './search-body.js'

const texts = commaList(textParam)
const ratio: Param<number> = refinedParam(
  doubleParam,
  (value) => (value >= 0 && value <= 1 ? ok(value) : `a number from 0 to 1 was expected, ${value} was found`),
  { minimum: 0, maximum: 1 },
)
const locale: Param<string> = refinedParam(enumParam(localeCodes), (code) => ok(canonicalLocale(code)!))

/** The parameters of GET /indexes/{index_uid}/search (spec 6 §1.3). */
export const searchParameters = {
  q: queryParam(textParam, 'invalid_search_q'),
  offset: queryParam(uintParam, 'invalid_search_offset'),
  limit: queryParam(uintParam, 'invalid_search_limit'),
  page: queryParam(uintParam, 'invalid_search_page'),
  hitsPerPage: queryParam(uintParam, 'invalid_search_hits_per_page'),
  attributesToRetrieve: queryParam(texts, 'invalid_search_attributes_to_retrieve'),
  attributesToCrop: queryParam(texts, 'invalid_search_attributes_to_crop'),
  cropLength: queryParam(uintParam, 'invalid_search_crop_length'),
  cropMarker: queryParam(textParam, 'invalid_search_crop_marker'),
  attributesToHighlight: queryParam(texts, 'invalid_search_attributes_to_highlight'),
  highlightPreTag: queryParam(textParam, 'invalid_search_highlight_pre_tag'),
  highlightPostTag: queryParam(textParam, 'invalid_search_highlight_post_tag'),
  showMatchesPosition: queryParam(boolParam, 'invalid_search_show_matches_position'),
  filter: queryParam(textParam, 'invalid_search_filter'),
  matchingStrategy: queryParam(enumParam(matchingStrategies), 'invalid_search_matching_strategy'),
  attributesToSearchOn: queryParam(texts, 'invalid_search_attributes_to_search_on'),
  rankingScoreThreshold: queryParam(ratio, 'invalid_search_ranking_score_threshold'),
  locales: queryParam(commaList(locale), 'invalid_search_locales'),
  hybridEmbedder: queryParam(textParam, 'invalid_search_embedder'),
  hybridSemanticRatio: queryParam(ratio, 'invalid_search_semantic_ratio'),
  vector: queryParam(commaList(doubleParam), 'invalid_search_vector'),
  useNetwork: queryParam(boolParam, 'invalid_search_use_network'),
  sort: queryParam(textParam, 'invalid_search_sort'),
  distinct: queryParam(textParam, 'invalid_search_distinct'),
  facets: queryParam(texts, 'invalid_search_facets'),
  retrieveVectors: queryParam(boolParam, 'invalid_search_retrieve_vectors'),
  personalizeUserContext: queryParam(textParam, 'invalid_search_personalize_user_context'),
  showRankingScore: queryParam(boolParam, 'invalid_search_show_ranking_score'),
  showRankingScoreDetails: queryParam(boolParam, 'invalid_search_show_ranking_score_details'),
  showPerformanceDetails: queryParam(boolParam, 'invalid_search_show_performance_details'),
} as const

export type SearchParameters = Parameters<typeof searchParameters>

/** Checks each parameter of a query string by itself. */
export function readSearchParameters(rawQuery: string): Result<SearchParameters> {
  return checkQuery(searchParameters, rawQuery)
}

/** The search that parameters ask for, or what is wrong with their combination (spec 6 §1.4). */
export function combineParameters(given: SearchParameters): Result<SearchQuery> {
  const hybrid = combineHybrid(given)
  if (!hybrid.ok) return hybrid
  const { filter, sort, personalizeUserContext: userContext } = given
  return ok(
    withDefaults({
      ...given,
      filter: filter === undefined ? null : filterFromQuery(filter),
      sort: sort === undefined ? null : sortFromQuery(sort),
      hybrid: hybrid.value,
      personalize: userContext === undefined ? null : { userContext },
    }),
  )
}

function combineHybrid({ hybridEmbedder, hybridSemanticRatio, vector }: SearchParameters): Result<Hybrid | null> {
  if (hybridEmbedder !== undefined) {
    return ok({ embedder: hybridEmbedder, semanticRatio: hybridSemanticRatio ?? DEFAULT_SEMANTIC_RATIO })
  }
  if (hybridSemanticRatio !== undefined) {
    return fail('invalid_search_hybrid_query', 'Parameter `hybridSemanticRatio`: it needs `hybridEmbedder`.')
  }
  if (vector === undefined) return ok(null)
  return fail('missing_search_hybrid', 'Parameter `vector`: it needs `hybridEmbedder`, the embedder it belongs to.')
}
