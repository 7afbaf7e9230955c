/**
 * Documents in, stored structures out: fields, documents, settings of one index, and the work of a batch on them in
 * one transaction.
 */
export {
  type DocumentOperation,
  type IndexJob,
  type IndexWork,
  JobCancelled,
  type JobHooks,
  type JobOutcome,
  type TaskOutcome,
} from './apply/job.js'
export { forEachRecord, type PayloadSource } from './apply/payload-source.js'
export { type JobServices, runIndexJob } from './apply/run-job.js'
export type { FacetColumn } from './columns/facet-column.js'
export { IndexColumns } from './columns/index-columns.js'
export { ValueTally } from './columns/value-tally.js'
export { IdExtractor, idFromValue } from './documents/document-id.js'
export { type FieldSelection, selectedJson } from './documents/select-fields.js'
export {
  type DocId,
  documentJson,
  fieldOf,
  type StoredDocument,
  type StoredField,
  storedJson,
  textOf,
} from './documents/stored-document.js'
export type { FacetValue } from './facets/field-facets.js'
export { IndexFacets } from './facets/index-facets.js'
export { normalizeFacet, normalizeStoredFacet } from './facets/normalize-facet.js'
export { type FieldId, FieldRegistry } from './fields/field-registry.js'
export { IndexFolder } from './folder/index-folder.js'
export { type IndexStats, indexStats } from './folder/index-stats.js'
export { readSettings } from './folder/stored-settings.js'
export { distanceMeters } from './geo/distance.js'
export { readGeoPoint } from './geo/geo-point.js'
export * from './settings/index.js'
export type { Dictionary, NearSearch, NearWords, Postings, WordIndex } from './words/model.js'
export { StoredWords, type StoredWordsOptions } from './words/stored-words.js'
