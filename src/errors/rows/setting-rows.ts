import { detailed, row } from './row.js'

/** Settings of an index. */
export const settingRows = {
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
} as const
