import { DEFAULT_LIMIT } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { filterFromQuery } from '../../match/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  boolParam,
  checkQuery,
  commaList,
  described,
  double,
  doubleParam,
  nullable,
  object,
  optional,
  queryParam,
  refined,
  refinedParam,
  required,
  requiredParam,
  type Shape,
  text,
  textParam,
  uint,
  uintParam,
} from '../../shape/index.js'
import { filterValue } from './filter-shape.js'

/** Which documents are wanted that mean something like another one (spec 7 §4). */
export interface SimilarQuery {
  /** Not checked yet. */
  readonly id: JsonValue
  readonly embedder: string
  readonly offset: number
  readonly limit: number
  /** Not parsed yet; null for none. */
  readonly filter: JsonValue
  readonly attributesToRetrieve: readonly string[] | null
  readonly retrieveVectors: boolean
  readonly showRankingScore: boolean
  readonly showRankingScoreDetails: boolean
  readonly showPerformanceDetails: boolean
  readonly rankingScoreThreshold: number | null
}

const checkRatio = (value: number): Result<number> | string =>
  value >= 0 && value <= 1 ? ok(value) : `a number from 0 to 1 was expected, ${value} was found`

const RATIO = { minimum: 0, maximum: 1 }

/** Which texts are ids is the business of the index. */
const documentIdValue = described(anyJson, { type: ['string', 'integer'] })

/** The body of POST /indexes/{index_uid}/similar. */
export const similarBody: Shape<SimilarQuery> = refined(
  object({
    id: required(documentIdValue, 'invalid_similar_id', 'bad_request'),
    offset: optional(uint, 'invalid_similar_offset'),
    limit: optional(uint, 'invalid_similar_limit'),
    filter: optional(filterValue, 'invalid_similar_filter'),
    embedder: required(text, 'invalid_similar_embedder', 'bad_request'),
    attributesToRetrieve: optional(nullable(arrayOf(text)), 'invalid_similar_attributes_to_retrieve'),
    retrieveVectors: optional(bool, 'invalid_similar_retrieve_vectors'),
    showRankingScore: optional(bool, 'invalid_similar_show_ranking_score'),
    showRankingScoreDetails: optional(bool, 'invalid_similar_show_ranking_score_details'),
    showPerformanceDetails: optional(bool, 'invalid_similar_show_performance_details'),
    rankingScoreThreshold: optional(
      nullable(refined(double, checkRatio, RATIO)),
      'invalid_similar_ranking_score_threshold',
    ),
  }),
  (given) => ok(withDefaults(given)),
)

export const similarParameters = {
  id: requiredParam(textParam, 'invalid_similar_id', 'bad_request'),
  offset: queryParam(uintParam, 'invalid_similar_offset'),
  limit: queryParam(uintParam, 'invalid_similar_limit'),
  filter: queryParam(textParam, 'invalid_similar_filter'),
  embedder: requiredParam(textParam, 'invalid_similar_embedder', 'bad_request'),
  attributesToRetrieve: queryParam(commaList(textParam), 'invalid_similar_attributes_to_retrieve'),
  retrieveVectors: queryParam(boolParam, 'invalid_similar_retrieve_vectors'),
  showRankingScore: queryParam(boolParam, 'invalid_similar_show_ranking_score'),
  showRankingScoreDetails: queryParam(boolParam, 'invalid_similar_show_ranking_score_details'),
  showPerformanceDetails: queryParam(boolParam, 'invalid_similar_show_performance_details'),
  rankingScoreThreshold: queryParam(
    refinedParam(doubleParam, checkRatio, RATIO),
    'invalid_similar_ranking_score_threshold',
  ),
} as const

/** The parameters of GET /indexes/{index_uid}/similar. */
export function readSimilarParameters(rawQuery: string): Result<SimilarQuery> {
  const checked = checkQuery(similarParameters, rawQuery)
  if (!checked.ok) return checked
  const { filter } = checked.value
  return ok(withDefaults({ ...checked.value, filter: filter === undefined ? null : filterFromQuery(filter) }))
}

type PartialSimilarQuery = Pick<SimilarQuery, 'id' | 'embedder'> & {
  readonly [Name in keyof SimilarQuery]?: SimilarQuery[Name] | undefined
}

function withDefaults(given: PartialSimilarQuery): SimilarQuery {
  return {
    id: given.id,
    embedder: given.embedder,
    offset: given.offset ?? 0,
    limit: given.limit ?? DEFAULT_LIMIT,
    filter: given.filter ?? null,
    attributesToRetrieve: given.attributesToRetrieve ?? null,
    retrieveVectors: given.retrieveVectors ?? false,
    showRankingScore: given.showRankingScore ?? false,
    showRankingScoreDetails: given.showRankingScoreDetails ?? false,
    showPerformanceDetails: given.showPerformanceDetails ?? false,
    rankingScoreThreshold: given.rankingScoreThreshold ?? null,
  }
}
