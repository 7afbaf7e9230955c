import { quoted } from '../excerpt.js'
import { detailed, row } from './row.js'

/** Keys, requests as such, and the server itself. */
export const serverRows = {
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
} as const
