import { quoted } from '../excerpt.js'
import { detailed, row } from './row.js'

/** What the server does beside indexing and searching. */
export const featureRows = {
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
