import type { Schema } from '../shape/index.js'

const text = { type: 'string' }
const uid = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,400}$' }
const taskUid = { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 }

/** What stands between the braces of paths. */
export const pathParameters: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  index_uid: { description: 'The uid of an index.', schema: uid },
  document_id: { description: 'The value of the primary key of a document.', schema: text },
  task_id: { description: 'The uid of a task.', schema: taskUid },
  batch_id: { description: 'The uid of a batch.', schema: taskUid },
  key: { description: 'The uid of an API key, or the key itself.', schema: text },
  uuid: { description: 'The uuid of a webhook.', schema: { ...text, format: 'uuid' } },
  uid: { description: 'The uid of a search rule.', schema: uid },
  workspace_uid: { description: 'The uid of a chat workspace.', schema: uid },
  file: { description: 'The name of a file of the dashboard.', schema: { type: 'string' } },
}
