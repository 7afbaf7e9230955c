import { listOf, members, pageOf, ref, walkOf } from '../answers.js'
import { bare, deleted, enqueued, type Group, json, other, status, textMember } from './operation.js'

// The server itself, its keys, tasks and backups.

export const system: Group = {
  'GET /': {
    summary: 'Open the dashboard',
    description: 'In production a short answer says that the server runs, unless the dashboard is wanted there too.',
    answers: {
      200: {
        description: 'It runs.',
        content: { 'text/html': textMember, 'application/json': members({ status: textMember }) },
      },
    },
  },
  'GET /dashboard/{file}': {
    summary: 'Load a part of the dashboard',
    description: 'Findling has it beside the interface.',
    answers: { 200: other('The file.', 'text/javascript') },
  },
  'GET /health': {
    summary: 'Tell whether the server is able to work',
    answers: {
      200: json('It is.', status('available')),
      500: json('It must be started again: its task store was compacted.', status('mustRestart')),
      503: json('It is behind the other servers of its cluster, or cut off from them.', status('notReady')),
    },
  },
  'GET /version': {
    summary: 'Tell the version of the interface',
    answers: {
      200: json('The version.', members({ commitSha: textMember, commitDate: textMember, pkgVersion: textMember })),
    },
  },
  'GET /cluster': {
    summary: 'Show the cluster that the server belongs to',
    description: 'Findling has it beside the interface.',
    answers: {
      200: json('The cluster as this server sees it; only `enabled` for a server of its own.', ref('Cluster')),
    },
  },
  'GET /openapi.json': {
    summary: 'Describe the interface',
    description: 'This document.',
    answers: { 200: json('An OpenAPI 3.1 document.', { type: 'object' }) },
  },
  'GET /metrics': {
    summary: 'Read the metrics of the server',
    answers: { 200: other('The metrics, in the text format of Prometheus.', 'text/plain') },
  },
  'POST /logs/stream': {
    summary: 'Listen to the log',
    description:
      'The answer goes on until the client leaves, or somebody ends it with DELETE. One can listen at a time.',
    answers: { 200: other('Lines of the log as they are written.', 'application/octet-stream') },
    codes: ['invalid_settings_typo_tolerance'],
  },
  'DELETE /logs/stream': {
    summary: 'End the listening to the log',
    answers: { 204: bare('Nobody listens any more.') },
  },
  'POST /logs/stderr': {
    summary: 'Change what is logged on standard error',
    answers: { 204: bare('It is changed until the next start.') },
  },
  'GET /experimental-features': {
    summary: 'Tell which experimental features are on',
    answers: { 200: json('All features.', ref('Features')) },
  },
  'PATCH /experimental-features': {
    summary: 'Turn experimental features on and off',
    answers: { 200: json('All features, as they are now.', ref('Features')) },
  },
}

export const keys: Group = {
  'GET /keys': { summary: 'List the API keys', answers: { 200: json('Newest first.', pageOf(ref('Key'))) } },
  'POST /keys': {
    summary: 'Create an API key',
    answers: { 201: json('The new key.', ref('Key')) },
    codes: ['api_key_already_exists', 'index_scoped_api_key_with_global_action'],
  },
  'GET /keys/{key}': {
    summary: 'Show an API key',
    answers: { 200: json('The key.', ref('Key')) },
    codes: ['api_key_not_found'],
  },
  'PATCH /keys/{key}': {
    summary: 'Change the name and description of an API key',
    answers: { 200: json('The changed key.', ref('Key')) },
    codes: ['api_key_not_found'],
  },
  'DELETE /keys/{key}': { summary: 'Delete an API key', answers: { 204: deleted }, codes: ['api_key_not_found'] },
}

export const tasks: Group = {
  'GET /tasks': {
    summary: 'List tasks',
    description: 'Newest first, those of the indexes that the key can see.',
    answers: { 200: json('A page of tasks.', walkOf(ref('Task'))) },
  },
  'GET /tasks/{task_id}': {
    summary: 'Show a task',
    answers: { 200: json('The task.', ref('Task')) },
    codes: ['invalid_task_uids', 'task_not_found'],
  },
  'GET /tasks/{task_id}/documents': {
    summary: 'Read the documents that a task has still to add',
    answers: { 200: other('One document a line.', 'application/x-ndjson') },
    codes: ['invalid_task_uids', 'task_not_found', 'task_file_not_found'],
  },
  'POST /tasks/cancel': {
    summary: 'Cancel tasks that are not finished',
    description: 'At least one parameter must say which.',
    answers: { 200: enqueued },
    codes: ['missing_task_filters'],
  },
  'DELETE /tasks': {
    summary: 'Delete finished tasks',
    description: 'At least one parameter must say which.',
    answers: { 200: enqueued },
    codes: ['missing_task_filters'],
  },
  'POST /tasks/compact': {
    summary: 'Make the file of the task store smaller',
    description: 'The server must be started again afterwards.',
    answers: { 200: json('How small it became.', ref('Compaction')), 500: json('Why not.', ref('Compaction')) },
  },
  'GET /batches': {
    summary: 'List batches',
    description: 'Newest first, those with a task that the parameters choose.',
    answers: { 200: json('A page of batches.', walkOf(ref('Batch'))) },
  },
  'GET /batches/{batch_id}': {
    summary: 'Show a batch',
    answers: { 200: json('The batch.', ref('Batch')) },
    codes: ['invalid_batch_uids', 'batch_not_found'],
  },
}

const webhook = json('The webhook; the credentials in its Authorization headers are masked.', ref('Webhook'))

export const webhooks: Group = {
  'GET /webhooks': {
    summary: 'List the webhooks',
    answers: { 200: json('All of them.', members({ results: listOf(ref('Webhook')) })) },
  },
  'POST /webhooks': {
    summary: 'Add a webhook',
    description: 'It is told of finished tasks by POST.',
    answers: { 201: webhook },
    codes: ['invalid_webhooks'],
  },
  'GET /webhooks/{uuid}': {
    summary: 'Show a webhook',
    answers: { 200: webhook },
    codes: ['invalid_webhook_uuid', 'webhook_not_found'],
  },
  'PATCH /webhooks/{uuid}': {
    summary: 'Change a webhook',
    description: 'Headers that are not sent stay, null removes one.',
    answers: { 200: webhook },
    codes: ['invalid_webhook_uuid', 'webhook_not_found', 'immutable_webhook'],
  },
  'DELETE /webhooks/{uuid}': {
    summary: 'Delete a webhook',
    answers: { 204: deleted },
    codes: ['invalid_webhook_uuid', 'webhook_not_found', 'immutable_webhook'],
  },
}

export const backups: Group = {
  'POST /dumps': { summary: 'Write a dump', description: 'Other versions can read it.', answers: { 202: enqueued } },
  'POST /snapshots': { summary: 'Write a snapshot', description: 'A copy of the data.', answers: { 202: enqueued } },
  'POST /export': { summary: 'Copy indexes to another server', answers: { 200: enqueued } },
}

export const network: Group = {
  'GET /network': { summary: 'Show the network', answers: { 200: json('The network.', ref('Network')) } },
  'PATCH /network': {
    summary: 'Change the network',
    description: 'Under a leader documents are spread over the shards, which is done by a task.',
    answers: { 200: json('The network, as it is now.', ref('Network')), 202: enqueued },
    codes: ['missing_network_url', 'unexpected_network_previous_remotes', 'not_leader', 'unprocessed_network_task'],
  },
  'POST /network/control': {
    summary: 'Tell this server about another one',
    description: 'Servers of a network use it among themselves.',
    answers: { 200: bare('It was noted.') },
    codes: ['import_task_without_network_task'],
  },
}
