import {
  DEFAULT_CROP_LENGTH,
  DEFAULT_CROP_MARKER,
  DEFAULT_LIMIT,
  DEFAULT_POST_TAG,
  DEFAULT_PRE_TAG,
  type SearchQuery,
} from '../../engine/index.js'
import type { ChatSettings } from '../../settings/index.js'
import type { ChatSearch } from './chat-search-body.js'

const PLAIN: Omit<SearchQuery, 'q' | 'filter'> = {
  matchingStrategy: 'last',
  attributesToSearchOn: null,
  rankingScoreThreshold: null,
  locales: null,
  hybrid: null,
  vector: null,
  media: null,
  useNetwork: null,
  offset: 0,
  limit: DEFAULT_LIMIT,
  page: null,
  hitsPerPage: null,
  attributesToRetrieve: null,
  attributesToCrop: null,
  cropLength: DEFAULT_CROP_LENGTH,
  cropMarker: DEFAULT_CROP_MARKER,
  attributesToHighlight: null,
  highlightPreTag: DEFAULT_PRE_TAG,
  highlightPostTag: DEFAULT_POST_TAG,
  showMatchesPosition: false,
  sort: null,
  distinct: null,
  facets: null,
  retrieveVectors: false,
  personalize: null,
  showRankingScore: false,
  showRankingScoreDetails: false,
  showPerformanceDetails: false,
}

/** The search that the model asked for, with the parameters that the index gives to all of them (spec 7 §5.3). */
export function chatQuery({ q, filter }: ChatSearch, { searchParameters }: ChatSettings): SearchQuery {
  return { ...PLAIN, ...searchParameters, q, filter }
}
