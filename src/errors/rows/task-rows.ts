import { detailed, list, row } from './row.js'

/** Tasks and batches. */
export const taskRows = {
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
} as const
