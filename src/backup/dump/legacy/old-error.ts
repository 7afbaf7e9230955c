import { catalogue, type ErrorBody, isErrorCode } from '../../../errors/index.js'
import type { Facts } from '../facts.js'

/** Codes that have another name today (spec 2 §6.4). */
const RENAMED: Readonly<Record<string, string>> = {
  primary_key_inference_failed: 'index_primary_key_no_candidate_found',
  invalid_min_word_length_for_typo: 'invalid_settings_typo_tolerance',
  invalid_filter: 'invalid_settings_filterable_attributes',
  invalid_sort: 'invalid_settings_sortable_attributes',
  invalid_geo_field: 'invalid_document_geo_field',
  invalid_ranking_rule: 'invalid_settings_ranking_rules',
  missing_parameter: 'bad_request',
  immutable_field: 'bad_request',
}

const UNKNOWN = 'unretrievable_error_code'

/** The error of an old task, under the present name of its code. */
export function errorFromOld(error: Facts | null): ErrorBody {
  const found = error?.textOrNull('code') ?? error?.textOrNull('errorCode') ?? ''
  const named = RENAMED[found] ?? found
  const code = isErrorCode(named) ? named : UNKNOWN
  return {
    message: error?.textOrNull('message') ?? '',
    code,
    type: catalogue[code].type,
    link: error?.textOrNull('link') ?? '',
  }
}
