/** One search of one index, from its parameters to documents, facets and formatted fields. */
export { type CheckedList, checkList, findList } from './documents/list-documents.js'
export { checkTaskFilter, readListFilter } from './documents/list-filter.js'
export type { ListRequest } from './documents/list-query.js'
export { type ShownFields, shownAs } from './documents/shown-document.js'
export { embedQuery } from './embed-query.js'
export type { EngineContext, SearchGates } from './engine-context.js'
export { DEFAULT_CUTOFF_MS, deadlineOf, executeSearch, type SearchOutcome } from './execute-search.js'
export { checkFacetSearchEnabled } from './facets/check-facet-search.js'
export { countByDocument, MAX_TEXT_ORDER } from './facets/count-by-document.js'
export { countFacets } from './facets/facet-distribution.js'
export { type FacetHit, facetSearch } from './facets/facet-search.js'
export { mergeFacetHits } from './facets/merge-facet-hits.js'
export type { FacetCount, FacetStats, FieldCounts } from './facets/model.js'
export { numberLabel } from './facets/number-label.js'
export { ALL, selectFields } from './facets/select-fields.js'
export { HitFormatter } from './format/hit-formatter.js'
export { GeoDistances } from './geo-distances.js'
export { Hydrator } from './hydrate.js'
export { facetsOf } from './known-facets.js'
export { type PageWindow, pageWindow, printTotals } from './page-window.js'
export type { ScoreValue, SortValue } from './score-value.js'
export {
  checkNetwork,
  documentsPassing,
  filteredDocuments,
  filterKey,
  knownDocuments,
  readSearchFilter,
} from './search-filter.js'
export { searchKind } from './search-kind.js'
export {
  DEFAULT_CROP_LENGTH,
  DEFAULT_CROP_MARKER,
  DEFAULT_LIMIT,
  DEFAULT_POST_TAG,
  DEFAULT_PRE_TAG,
  DEFAULT_SEMANTIC_RATIO,
  type Hybrid,
  type Paging,
  type Personalization,
  type SearchQuery,
  type Selection,
} from './search-query.js'
export type { SearchTask } from './search-task.js'
export { checkSearchedAttributes } from './searched-attributes.js'
export { LOCAL_STAGE, MERGE_STAGE, Stages } from './stages.js'
export { andThen, type Waitable } from './waitable.js'
