/**
 * A query in, ranked document ids out, and their answer as finished JSON. `readRequest` checks what can be checked
 * without an index, `answerRequest` does the rest on the indexes that its context opens.
 *
 * The parts are there for others too. A filter goes through `parseFilter`, `checkFilterFeatures`, `resolveForeign`
 * where other indexes can be asked, and `evaluateFilter`; a sort through `parseSort` and `checkSearchSort` or
 * `checkDocumentSort`.
 */
export { answerRequest } from './answer/answer-request.js'
export type { AnswerFile, AnswerOverflow } from './answer/answer-writer.js'
export type { Answered } from './answer/answered.js'
export type { SearchGates } from './answer/engine-context.js'
export type { SearchNetwork, SearchRemote } from './answer/network.js'
export { type Repetition, repeatAnswer } from './answer/repetition.js'
export { newUid } from './answer/request-uid.js'
export type { RemoteClient, SearchContext } from './answer/search-context.js'
export type { Waitable } from './answer/waitable.js'
export { checkTaskFilter } from './documents/list-filter.js'
export { shownAs } from './documents/shown-document.js'
export { evaluateFilter } from './filter/evaluate.js'
export type { Bound, FacetReader, FieldFacets, Range, ShardReader } from './filter/facet-reader.js'
export { checkFilterFeatures, type FilterGates, refuseForeign } from './filter/features.js'
export { type ForeignIndex, type Joins, resolveForeign } from './filter/foreign.js'
export type { Filter, GeoBox, GeoPoint, VectorSelection } from './filter/model.js'
export { type FilterCode, type FilterSyntax, filterFromQuery, parseFilter } from './filter/parse-filter.js'
export { printFilter } from './filter/print-filter.js'
export type { Reading } from './filter/scanner.js'
export type { DocumentSource } from './filter/select-documents.js'
export { selectDocuments } from './filter/select-documents.js'
export type { FilterTarget } from './filter/target.js'
export type { Personalizer } from './personalize/personalizer.js'
export { type RerankOptions, RerankService } from './personalize/rerank-service.js'
export type { RuleAction, RuleCondition, RuleTime, SearchRule } from './pins/search-rule.js'
export { filterValue } from './request/filter-shape.js'
export { shownParameters } from './request/list-request.js'
export {
  type NamedIndexes,
  namedIndexes,
  type RequestKind,
  readRequest,
  requestBodies,
  requestParameters,
} from './request/read-request.js'
export { SearchIndex } from './search-index.js'
export { checkDocumentSort, checkSearchSort, type SortTarget } from './sort/check-sortable.js'
export { type Direction, distanceOrigin, type SortKey } from './sort/model.js'
export { parseSort, type SortCode, sortFromQuery } from './sort/parse-sort.js'
export type { EmbeddedQuery, QueryEmbedders } from './vectors/query-embedders.js'
