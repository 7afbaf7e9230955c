/**
 * Documents in, stored structures out: fields, documents, settings of one index, and the work of a batch on them in
 * one transaction.
 */

export type { Sized } from '../cache/index.js'
export type {
  DocumentOperation,
  HandedCounts,
  IndexJob,
  IndexWork,
  JobHooks,
  JobOutcome,
  TaskOutcome,
} from './apply/job.js'
export { forEachRecord, idsOf, type PayloadSource, recordsOf } from './apply/payload-source.js'
export { type JobServices, runIndexJob, type WordResources } from './apply/run-job.js'
export type { FacetColumn } from './columns/facet-column.js'
export { IndexColumns } from './columns/index-columns.js'
export { ValueMarks } from './columns/value-marks.js'
export { ValueTally } from './columns/value-tally.js'
export type { MostDocuments } from './columns/whole-counts.js'
export { IdExtractor, idFromValue } from './documents/document-id.js'
export { type FieldSelection, selectedJson } from './documents/select-fields.js'
export {
  type DocId,
  documentJson,
  type FieldChoice,
  fieldOf,
  type StoredDocument,
  type StoredField,
  storedJson,
  textOf,
} from './documents/stored-document.js'
export { visitValues } from './documents/visit-values.js'
export type { FacetValue } from './facets/field-facets.js'
export { IndexFacets } from './facets/index-facets.js'
export { normalizeFacet, normalizeStoredFacet } from './facets/normalize-facet.js'
export { completeNames, lacksNames } from './fields/complete-names.js'
export { type FieldId, FieldRegistry } from './fields/field-registry.js'
export { IndexFolder } from './folder/index-folder.js'
export { type IndexStats, indexStats } from './folder/index-stats.js'
export { readSettings } from './folder/stored-settings.js'
export { upgradeFolder } from './folder/upgrade-folder.js'
export { distanceMeters } from './geo/distance.js'
export { readGeoPoint } from './geo/geo-point.js'
export { wrapLongitude } from './geo/sphere.js'
export * from './settings/index.js'
export type { DocumentEmbedders, EmbeddingInput } from './vectors/document-embedders.js'
export type { QueryDistances } from './vectors/query-distances.js'
export { type StoredEmbedder, StoredVectors } from './vectors/stored-vectors.js'
export { VectorsPrinter } from './vectors/vectors-json.js'
export type {
  Dictionary,
  DocSource,
  NearSearch,
  NearWords,
  Postings,
  PostingsPiece,
  WordIndex,
  WordPostings,
} from './words/model.js'
export { WordThread } from './words/parallel/word-thread.js'
export { StoredWords, type StoredWordsOptions } from './words/stored-words.js'
