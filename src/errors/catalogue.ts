import { quoted } from './excerpt.js'

/** The four families of failures that the interface knows. */
export type ErrorType = 'invalid_request' | 'auth' | 'internal' | 'system'

interface Row<Facts extends readonly never[] | readonly unknown[]> {
  readonly type: ErrorType
  readonly status: number
  readonly message: (...facts: Facts) => string
}

const row = <Facts extends readonly unknown[]>(
  type: ErrorType,
  status: number,
  message: (...facts: Facts) => string,
): Row<Facts> => ({ type, status, message })

/** For rows whose sentence is built where the value is checked: it says where, what was expected and what was found. */
const detailed = (detail: string): string => detail

const list = (names: readonly string[]): string => names.map((name) => quoted(name)).join(', ')

/** Every code of the interface, in the groups of spec 1 §3.2. */
export const catalogue = {
  // Authentication and keys
  missing_authorization_header: row(
    'auth',
    401,
    () => 'This route needs an Authorization header of the form `Bearer <key>`.',
  ),
  invalid_api_key: row(
    'auth',
    403,
    (reason?: string) => reason ?? 'The key or token sent does not give access to this resource.',
  ),
  missing_master_key: row(
    'auth',
    401,
    () =>
      'The server runs without a master key, so keys cannot be managed: start it with --master-key to use this route.',
  ),
  api_key_not_found: row('invalid_request', 404, (key: string) => `There is no API key ${quoted(key)}.`),
  api_key_already_exists: row(
    'invalid_request',
    409,
    (uid: string) => `An API key with the uid ${quoted(uid)} exists already.`,
  ),
  index_scoped_api_key_with_global_action: row(
    'invalid_request',
    400,
    (action: string) =>
      `The action ${quoted(action)} concerns the whole server: it needs a key whose \`indexes\` contain "*".`,
  ),
  missing_api_key_actions: row('invalid_request', 400, detailed),
  missing_api_key_indexes: row('invalid_request', 400, detailed),
  missing_api_key_expires_at: row('invalid_request', 400, detailed),
  invalid_api_key_actions: row('invalid_request', 400, detailed),
  invalid_api_key_indexes: row('invalid_request', 400, detailed),
  invalid_api_key_expires_at: row('invalid_request', 400, detailed),
  invalid_api_key_name: row('invalid_request', 400, detailed),
  invalid_api_key_description: row('invalid_request', 400, detailed),
  invalid_api_key_uid: row('invalid_request', 400, detailed),
  invalid_api_key_offset: row('invalid_request', 400, detailed),
  invalid_api_key_limit: row('invalid_request', 400, detailed),
  immutable_api_key_uid: row('invalid_request', 400, detailed),
  immutable_api_key_actions: row('invalid_request', 400, detailed),
  immutable_api_key_indexes: row('invalid_request', 400, detailed),
  immutable_api_key_expires_at: row('invalid_request', 400, detailed),
  immutable_api_key_created_at: row('invalid_request', 400, detailed),
  immutable_api_key_updated_at: row('invalid_request', 400, detailed),
  immutable_api_key_key: row('invalid_request', 400, detailed),

  // Request envelope
  bad_request: row('invalid_request', 400, detailed),
  missing_content_type: row('invalid_request', 415, detailed),
  invalid_content_type: row('invalid_request', 415, detailed),
  unsupported_media_type: row('invalid_request', 415, detailed),
  missing_payload: row(
    'invalid_request',
    400,
    (format: string) => `The body is empty: a ${format} payload was expected.`,
  ),
  malformed_payload: row('invalid_request', 400, detailed),
  payload_too_large: row('invalid_request', 413, detailed),
  invalid_header_value: row('invalid_request', 400, detailed),
  inconsistent_document_change_headers: row('invalid_request', 400, detailed),
  feature_not_enabled: row(
    'invalid_request',
    400,
    (action: string, feature: string) =>
      `${action} needs the experimental feature \`${feature}\`, which is off: turn it on with PATCH /experimental-features.`,
  ),
  bad_parameter: row('invalid_request', 400, detailed),
  requires_enterprise_edition: row('invalid_request', 451, detailed),

  // System and internal
  internal: row('internal', 500, (reason: string) => `Something went wrong inside the server: ${reason}`),
  io_error: row(
    'system',
    422,
    (reason: string) => `${reason}. Check the free space and the access rights of the disk that holds the data.`,
  ),
  too_many_open_files: row(
    'system',
    422,
    (reason: string) => `${reason}. Raise the limit of open files of the process.`,
  ),
  no_space_left_on_device: row('system', 422, (reason: string) => reason),
  database_size_limit_reached: row('internal', 500, detailed),
  invalid_store_file: row('internal', 500, detailed),
  invalid_state: row('internal', 500, detailed),
  index_creation_failed: row('internal', 500, detailed),
  dump_already_processing: row('invalid_request', 409, detailed),
  dump_not_found: row('invalid_request', 404, detailed),
  dump_process_failed: row('internal', 500, detailed),
  duplicate_index_found: row('invalid_request', 400, detailed),
  unretrievable_document: row('internal', 400, detailed),
  unretrievable_error_code: row('invalid_request', 400, detailed),
  too_many_search_requests: row(
    'system',
    503,
    (queueSize: number) => `Too many searches are waiting (the queue holds ${queueSize}): try again in a few seconds.`,
  ),
  invalid_s3_snapshot_parameters: row('internal', 400, detailed),
  invalid_s3_snapshot_request: row('internal', 400, detailed),
  s3_snapshot_server_error: row('internal', 502, detailed),

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

  // Search (GET/POST search, multi-search queries, facet search)
  invalid_search_q: row('invalid_request', 400, detailed),
  invalid_search_offset: row('invalid_request', 400, detailed),
  invalid_search_limit: row('invalid_request', 400, detailed),
  invalid_search_page: row('invalid_request', 400, detailed),
  invalid_search_hits_per_page: row('invalid_request', 400, detailed),
  invalid_search_attributes_to_retrieve: row('invalid_request', 400, detailed),
  invalid_search_attributes_to_crop: row('invalid_request', 400, detailed),
  invalid_search_crop_length: row('invalid_request', 400, detailed),
  invalid_search_crop_marker: row('invalid_request', 400, detailed),
  invalid_search_attributes_to_highlight: row('invalid_request', 400, detailed),
  invalid_search_highlight_pre_tag: row('invalid_request', 400, detailed),
  invalid_search_highlight_post_tag: row('invalid_request', 400, detailed),
  invalid_search_show_matches_position: row('invalid_request', 400, detailed),
  invalid_search_show_ranking_score: row('invalid_request', 400, detailed),
  invalid_search_show_ranking_score_details: row('invalid_request', 400, detailed),
  invalid_search_show_performance_details: row('invalid_request', 400, detailed),
  invalid_search_use_network: row('invalid_request', 400, detailed),
  invalid_search_retrieve_vectors: row('invalid_request', 400, detailed),
  invalid_search_filter: row('invalid_request', 400, detailed),
  invalid_search_sort: row('invalid_request', 400, detailed),
  invalid_search_distinct: row('invalid_request', 400, detailed),
  invalid_search_facets: row('invalid_request', 400, detailed),
  invalid_search_matching_strategy: row('invalid_request', 400, detailed),
  invalid_search_attributes_to_search_on: row('invalid_request', 400, detailed),
  invalid_search_ranking_score_threshold: row('invalid_request', 400, detailed),
  invalid_search_locales: row('invalid_request', 400, detailed),
  invalid_search_hybrid_query: row('invalid_request', 400, detailed),
  invalid_search_semantic_ratio: row('invalid_request', 400, detailed),
  invalid_search_embedder: row('invalid_request', 400, detailed),
  missing_search_hybrid: row('invalid_request', 400, detailed),
  invalid_search_vector: row('invalid_request', 400, detailed),
  invalid_search_media: row('invalid_request', 400, detailed),
  invalid_search_media_and_vector: row('invalid_request', 400, detailed),
  invalid_search_personalize: row('invalid_request', 400, detailed),
  invalid_search_personalize_user_context: row('invalid_request', 400, detailed),
  vector_embedding_error: row('invalid_request', 400, detailed),
  missing_facet_search_facet_name: row('invalid_request', 400, detailed),
  invalid_facet_search_facet_name: row('invalid_request', 400, detailed),
  invalid_facet_search_query: row('invalid_request', 400, detailed),
  invalid_facet_search_exhaustive_facet_count: row('invalid_request', 400, detailed),
  invalid_facet_search_name: row('invalid_request', 400, detailed),
  facet_search_disabled: row('invalid_request', 400, detailed),

  // Similar documents
  invalid_similar_id: row('invalid_request', 400, detailed),
  not_found_similar_id: row(
    'invalid_request',
    400,
    (id: string) => `There is no document ${quoted(id)} to find similar ones of.`,
  ),
  invalid_similar_embedder: row('invalid_request', 400, detailed),
  invalid_similar_limit: row('invalid_request', 400, detailed),
  invalid_similar_offset: row('invalid_request', 400, detailed),
  invalid_similar_filter: row('invalid_request', 400, detailed),
  invalid_similar_attributes_to_retrieve: row('invalid_request', 400, detailed),
  invalid_similar_retrieve_vectors: row('invalid_request', 400, detailed),
  invalid_similar_show_ranking_score: row('invalid_request', 400, detailed),
  invalid_similar_show_ranking_score_details: row('invalid_request', 400, detailed),
  invalid_similar_show_performance_details: row('invalid_request', 400, detailed),
  invalid_similar_ranking_score_threshold: row('invalid_request', 400, detailed),

  // Multi-search and federation
  invalid_multi_search_federation_options: row('invalid_request', 400, detailed),
  invalid_multi_search_query_pagination: row('invalid_request', 400, detailed),
  invalid_multi_search_query_facets: row('invalid_request', 400, detailed),
  invalid_multi_search_query_personalization: row('invalid_request', 400, detailed),
  invalid_multi_search_query_show_performance_details: row('invalid_request', 400, detailed),
  invalid_multi_search_query_ranking_rules: row('invalid_request', 400, detailed),
  invalid_multi_search_query_position: row('invalid_request', 400, detailed),
  invalid_multi_search_weight: row('invalid_request', 400, detailed),
  invalid_multi_search_remote: row('invalid_request', 400, detailed),
  invalid_multi_search_distinct: row('invalid_request', 400, detailed),
  invalid_multi_search_facets_by_index: row('invalid_request', 400, detailed),
  invalid_multi_search_merge_facets: row('invalid_request', 400, detailed),
  invalid_multi_search_max_values_per_facet: row('invalid_request', 400, detailed),
  invalid_multi_search_facet_order: row('invalid_request', 400, detailed),
  invalid_multi_search_facets: row('invalid_request', 400, detailed),
  invalid_multi_search_federated: row('invalid_request', 400, detailed),

  // Settings (PATCH all, or the sub-route)
  invalid_settings_displayed_attributes: row('invalid_request', 400, detailed),
  invalid_settings_searchable_attributes: row('invalid_request', 400, detailed),
  invalid_settings_filterable_attributes: row('invalid_request', 400, detailed),
  invalid_settings_sortable_attributes: row('invalid_request', 400, detailed),
  invalid_settings_foreign_keys: row('invalid_request', 400, detailed),
  invalid_settings_ranking_rules: row('invalid_request', 400, detailed),
  invalid_settings_stop_words: row('invalid_request', 400, detailed),
  invalid_settings_non_separator_tokens: row('invalid_request', 400, detailed),
  invalid_settings_separator_tokens: row('invalid_request', 400, detailed),
  invalid_settings_dictionary: row('invalid_request', 400, detailed),
  invalid_settings_synonyms: row('invalid_request', 400, detailed),
  invalid_settings_distinct_attribute: row('invalid_request', 400, detailed),
  invalid_settings_proximity_precision: row('invalid_request', 400, detailed),
  invalid_settings_typo_tolerance: row('invalid_request', 400, detailed),
  invalid_settings_faceting: row('invalid_request', 400, detailed),
  invalid_settings_pagination: row('invalid_request', 400, detailed),
  invalid_settings_embedders: row('invalid_request', 400, detailed),
  invalid_settings_search_cutoff_ms: row('invalid_request', 400, detailed),
  invalid_settings_localized_attributes: row('invalid_request', 400, detailed),
  invalid_settings_facet_search: row('invalid_request', 400, detailed),
  invalid_settings_prefix_search: row('invalid_request', 400, detailed),
  invalid_settings_index_chat: row('invalid_request', 400, detailed),
  invalid_chat_setting_document_template: row('invalid_request', 400, detailed),

  // Tasks and batches
  task_not_found: row('invalid_request', 404, (uid: number) => `There is no task ${uid}.`),
  task_file_not_found: row(
    'invalid_request',
    404,
    (uid: number) =>
      `Task ${uid} has no stored documents: they exist only for document additions that are not finished.`,
  ),
  batch_not_found: row('invalid_request', 404, (uid: number) => `There is no batch ${uid}.`),
  missing_task_filters: row(
    'invalid_request',
    400,
    (filters: readonly string[]) => `At least one filter is needed, out of ${list(filters)}.`,
  ),
  invalid_task_uids: row('invalid_request', 400, detailed),
  invalid_batch_uids: row('invalid_request', 400, detailed),
  invalid_task_canceled_by: row('invalid_request', 400, detailed),
  invalid_task_statuses: row('invalid_request', 400, detailed),
  invalid_task_types: row('invalid_request', 400, detailed),
  invalid_task_limit: row('invalid_request', 400, detailed),
  invalid_task_from: row('invalid_request', 400, detailed),
  invalid_task_reverse: row('invalid_request', 400, detailed),
  invalid_task_before_enqueued_at: row('invalid_request', 400, detailed),
  invalid_task_after_enqueued_at: row('invalid_request', 400, detailed),
  invalid_task_before_started_at: row('invalid_request', 400, detailed),
  invalid_task_after_started_at: row('invalid_request', 400, detailed),
  invalid_task_before_finished_at: row('invalid_request', 400, detailed),
  invalid_task_after_finished_at: row('invalid_request', 400, detailed),

  // Network and remotes
  invalid_network_self: row('invalid_request', 400, detailed),
  invalid_network_leader: row('invalid_request', 400, detailed),
  invalid_network_remotes: row('invalid_request', 400, detailed),
  invalid_network_shards: row('invalid_request', 400, detailed),
  invalid_network_url: row('invalid_request', 400, detailed),
  missing_network_url: row('invalid_request', 400, detailed),
  invalid_network_search_api_key: row('invalid_request', 400, detailed),
  invalid_network_write_api_key: row('invalid_request', 400, detailed),
  unexpected_network_previous_remotes: row('invalid_request', 400, detailed),
  not_leader: row('invalid_request', 400, detailed),
  network_version_too_old: row('invalid_request', 400, detailed),
  network_version_mismatch: row('invalid_request', 412, detailed),
  unprocessed_network_task: row('invalid_request', 400, detailed),
  import_task_already_received: row('invalid_request', 412, detailed),
  import_task_unknown_remote: row('invalid_request', 412, detailed),
  import_task_without_network_task: row('invalid_request', 503, detailed),
  receive_import_finished_unknown_remote: row('invalid_request', 412, detailed),
  unknown_remote: row('invalid_request', 400, detailed),
  remote_bad_request: row('invalid_request', 400, detailed),
  remote_bad_response: row('system', 502, detailed),
  remote_could_not_send_request: row('system', 502, detailed),
  remote_invalid_api_key: row('auth', 403, detailed),
  remote_remote_error: row('system', 502, detailed),
  remote_timeout: row('system', 502, detailed),

  // Export
  invalid_export_url: row('invalid_request', 400, detailed),
  invalid_export_api_key: row('invalid_request', 400, detailed),
  invalid_export_payload_size: row('invalid_request', 400, detailed),
  invalid_export_index_filter: row('invalid_request', 400, detailed),
  invalid_export_index_override_settings: row('invalid_request', 400, detailed),
  invalid_export_indexes_patterns: row('invalid_request', 400, detailed),

  // Chat
  chat_not_found: row('invalid_request', 404, (uid: string) => `There is no chat workspace ${quoted(uid)}.`),
  unimplemented_non_streaming_chat_completions: row('invalid_request', 501, detailed),
  unimplemented_multi_choice_chat_completions: row('invalid_request', 501, detailed),
  unimplemented_external_function_calling: row('invalid_request', 501, detailed),
  invalid_chat_completion_org_id: row('invalid_request', 400, detailed),
  invalid_chat_completion_project_id: row('invalid_request', 400, detailed),
  invalid_chat_completion_api_version: row('invalid_request', 400, detailed),
  invalid_chat_completion_deployment_id: row('invalid_request', 400, detailed),
  invalid_chat_completion_base_api: row('invalid_request', 400, detailed),
  invalid_chat_completion_api_key: row('invalid_request', 400, detailed),
  invalid_chat_completion_system_prompt: row('invalid_request', 400, detailed),
  invalid_chat_completion_search_description_prompt: row('invalid_request', 400, detailed),
  invalid_chat_completion_search_query_param_prompt: row('invalid_request', 400, detailed),
  invalid_chat_completion_search_filter_param_prompt: row('invalid_request', 400, detailed),
  invalid_chat_completion_search_index_uid_param_prompt: row('invalid_request', 400, detailed),
  invalid_chat_completion_source: row('invalid_request', 400, detailed),
  invalid_chat_completion_prompts: row('invalid_request', 400, detailed),
  invalid_chat_completion_pre_query_prompt: row('invalid_request', 400, detailed),

  // Template rendering
  invalid_render_template: row('invalid_request', 400, detailed),
  invalid_render_input: row('invalid_request', 400, detailed),
  render_document_not_found: row('invalid_request', 404, (id: string) => `There is no document ${quoted(id)}.`),
  template_parsing_error: row('invalid_request', 400, detailed),
  template_rendering_error: row('invalid_request', 400, detailed),

  // Webhooks
  invalid_webhooks: row('invalid_request', 400, (limit: number) => `There can be no more than ${limit} webhooks.`),
  invalid_webhook_url: row('invalid_request', 400, detailed),
  invalid_webhook_headers: row('invalid_request', 400, detailed),
  invalid_webhook_uuid: row('invalid_request', 400, (found: string) => `${quoted(found)} is not a UUID.`),
  webhook_not_found: row('invalid_request', 404, (uuid: string) => `There is no webhook ${quoted(uuid)}.`),
  immutable_webhook: row(
    'invalid_request',
    400,
    (uuid: string) =>
      `The webhook ${quoted(uuid)} was given at the start of the server and cannot be changed through the interface.`,
  ),
  immutable_webhook_uuid: row('invalid_request', 400, detailed),
  immutable_webhook_is_editable: row('invalid_request', 400, detailed),

  // Dynamic search rules
  dynamic_search_rule_not_found: row(
    'invalid_request',
    404,
    (uid: string) => `There is no search rule ${quoted(uid)}.`,
  ),
  invalid_dynamic_search_rule_offset: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_limit: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_filter: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_filter_active: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_filter_attribute_patterns: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_description: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_priority: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_active: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_conditions: row('invalid_request', 400, detailed),
  invalid_dynamic_search_rule_actions: row('invalid_request', 400, detailed),
} as const

export type Catalogue = typeof catalogue
export type ErrorCode = keyof Catalogue

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text)
}
