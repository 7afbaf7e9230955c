/** What do the query, the filter and the sort mean in this index? */

export { Pairs } from './doc-lists.js'
export { evaluateFilter, prepareFilter } from './filter/evaluate.js'
export type { FacetReader, FieldFacets } from './filter/facet-reader.js'
export { checkFilterFeatures, type FilterGates, refuseForeign } from './filter/features.js'
export { filterablePatterns } from './filter/filterable-rules.js'
export { type ForeignIndex, resolveForeign } from './filter/foreign.js'
export type { LateFilter } from './filter/late-filter.js'
export { mergeFilters } from './filter/merge.js'
export { type Filter, type GeoPoint, SHARD } from './filter/model.js'
export { type FilterCode, filterFromQuery, parseFilter } from './filter/parse-filter.js'
export { printFilter } from './filter/print-filter.js'
export type { Reading } from './filter/scanner.js'
export { selectByFilter } from './filter/select-by-filter.js'
export { selectDocuments } from './filter/select-documents.js'
export type { FilterTarget } from './filter/target.js'
export {
  bestSplit,
  countSplits,
  DerivationCache,
  type DerivationSource,
  type Derivations,
  derive,
  isDerivable,
  MAX_CACHED_PREFIX_BYTES,
  MAX_COMPLETIONS,
  MIN_CACHED_PREFIX_WORDS,
  type SplitCount,
  termKey,
} from './query/derivations.js'
export { MAX_QUERY_TOKENS, type ParsedQuery, parseQuery, type Term } from './query/parse-query.js'
export {
  buildGraph,
  END,
  type GraphNode,
  graphOfPaths,
  narrowed,
  type Path,
  pathsOf,
  plainPath,
  type QueryGraph,
  type Step,
} from './query/query-graph.js'
export { countCharacters, type QueryTerm, termsWithNgrams } from './query/query-term.js'
export { KEPT, removalGroups, weightsByFrequency, weightsFromTheEnd } from './query/removal.js'
export type { SharedTerm } from './query/shared-term.js'
export { Synonyms } from './query/synonyms.js'
export { SearchIndex } from './search-index.js'
export { SearchScratch } from './search-scratch.js'
export { searchableFields } from './searchable-fields.js'
export { checkDocumentSort, checkSearchSort } from './sort/check-sortable.js'
export { type Direction, distanceOrigin, type SortKey } from './sort/model.js'
export { parseSort, sortFromQuery } from './sort/parse-sort.js'
export { followDistance, shareField } from './terms/distance.js'
export { FieldScope, type FieldSet } from './terms/field-scope.js'
export { ListedDocIds } from './terms/listed-doc-ids.js'
export type { Phrase } from './terms/phrase.js'
export { type PhraseSearch, phraseDocs } from './terms/phrase-docs.js'
