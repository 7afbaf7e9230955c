import { quoted } from '../excerpt.js'
import { detailed, list, row } from './row.js'

/** Indexes and their documents. */
export const indexRows = {
  // Indexes
  index_not_found: row('invalid_request', 404, (...uids: string[]) =>
    uids.length === 1 ? `There is no index ${quoted(uids[0]!)}.` : `There are no indexes ${list(uids)}.`,
  ),
  index_already_exists: row('invalid_request', 409, (uid: string) => `An index ${quoted(uid)} exists already.`),
  invalid_index_uid: row(
    'invalid_request',
    400,
    (found: string, where?: string) =>
      `${where ? `${where}: ` : ''}${quoted(found)} is not an index uid: 1 to 400 characters out of a-z, A-Z, 0-9, - and _ are expected.`,
  ),
  missing_index_uid: row('invalid_request', 400, (detail: string) => detail),
  invalid_index_primary_key: row('invalid_request', 400, detailed),
  invalid_index_limit: row('invalid_request', 400, detailed),
  invalid_index_offset: row('invalid_request', 400, detailed),
  immutable_index_created_at: row('invalid_request', 400, detailed),
  immutable_index_updated_at: row('invalid_request', 400, detailed),
  index_primary_key_already_exists: row(
    'invalid_request',
    400,
    (uid: string, primaryKey: string) =>
      `Index ${quoted(uid)}: the primary key is ${quoted(primaryKey)} and cannot change while the index holds documents.`,
  ),
  index_primary_key_no_candidate_found: row(
    'invalid_request',
    400,
    (uid: string) =>
      `Index ${quoted(uid)}: no primary key can be inferred, since no attribute of the first document ends with "id". Give one with the parameter \`primaryKey\`.`,
  ),
  index_primary_key_multiple_candidates_found: row(
    'invalid_request',
    400,
    (uid: string, candidates: readonly string[]) =>
      `Index ${quoted(uid)}: ${candidates.length} attributes could be the primary key, such as ${list(candidates.slice(0, 2))}. Name the right one with the parameter \`primaryKey\`.`,
  ),
  invalid_stats_show_internal_database_sizes: row('invalid_request', 400, detailed),
  invalid_stats_size_format: row('invalid_request', 400, detailed),
  missing_swap_indexes: row('invalid_request', 400, detailed),
  invalid_swap_indexes: row('invalid_request', 400, detailed),
  invalid_swap_rename: row('invalid_request', 400, detailed),
  invalid_swap_duplicate_index_found: row(
    'invalid_request',
    400,
    (uids: readonly string[]) => `Each index may be swapped once in a request; named more than once: ${list(uids)}.`,
  ),
  invalid_index_fields_filter: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_attribute_patterns: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_displayed: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_searchable: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_sortable: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_distinct: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_ranking_rule: row('invalid_request', 400, detailed),
  invalid_index_fields_filter_filterable: row('invalid_request', 400, detailed),

  // Documents
  document_not_found: row('invalid_request', 404, (id: string) => `There is no document ${quoted(id)}.`),
  invalid_document_id: row('invalid_request', 400, detailed),
  missing_document_id: row('invalid_request', 400, detailed),
  invalid_document_ids: row('invalid_request', 400, detailed),
  invalid_document_fields: row('invalid_request', 400, detailed),
  invalid_document_limit: row('invalid_request', 400, detailed),
  invalid_document_offset: row('invalid_request', 400, detailed),
  invalid_document_retrieve_vectors: row('invalid_request', 400, detailed),
  invalid_document_filter: row('invalid_request', 400, detailed),
  missing_document_filter: row('invalid_request', 400, detailed),
  invalid_document_sort: row('invalid_request', 400, detailed),
  invalid_document_csv_delimiter: row('invalid_request', 400, detailed),
  invalid_index_custom_metadata: row('invalid_request', 400, detailed),
  invalid_skip_creation: row('invalid_request', 400, detailed),
  invalid_document_geo_field: row('invalid_request', 400, detailed),
  invalid_document_geojson_field: row('invalid_request', 400, detailed),
  invalid_vectors_type: row('invalid_request', 400, detailed),
  invalid_vector_dimensions: row('invalid_request', 400, detailed),
  too_many_vectors: row('invalid_request', 400, detailed),
  max_fields_limit_exceeded: row('invalid_request', 400, detailed),
  missing_document_edition_function: row('invalid_request', 400, detailed),
  invalid_document_edition_function_filter: row('invalid_request', 400, detailed),
  invalid_document_edition_context: row('invalid_request', 400, detailed),
  edit_documents_by_function_error: row('invalid_request', 400, detailed),
} as const
