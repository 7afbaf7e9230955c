import type { ErrorCode } from '../errors/index.js'
import type { Schema } from '../shape/index.js'
import { listOf, members, pageOf, ref, walkOf } from './answers.js'

/** What the route itself does not say about an operation. */
export interface Operation {
  readonly tag: string
  /** A few words, without a full stop. */
  readonly summary: string
  readonly description?: string
  /** Another operation does the same and more. */
  readonly deprecated?: true
  /** By status. */
  readonly answers: Readonly<Record<number, Answered>>
  /** Refusals besides those of shapes, keys, features and content types. */
  readonly codes?: readonly ErrorCode[]
  /** The status of codes that have another one here than in the catalogue. */
  readonly statuses?: { readonly [Code in ErrorCode]?: number }
  /** Names of entries of `headerParameters`. */
  readonly headers?: readonly (keyof typeof headerParameters)[]
}

export interface Answered {
  readonly description: string
  /** By content type; none for an answer without a body. */
  readonly content?: Readonly<Record<string, Schema | typeof AS_SENT>>
}

type Untagged = Omit<Operation, 'tag'>
/** By method and path, as in `GET /health`. */
type Group = Readonly<Record<string, Untagged>>

/** The answer looks like the body of the route that changes what is shown. */
export const AS_SENT = Symbol('as sent')

const json = (description: string, schema: Schema | typeof AS_SENT): Answered => ({
  description,
  content: { 'application/json': schema },
})

const other = (description: string, mediaType: string): Answered => ({
  description,
  content: { [mediaType]: { type: 'string' } },
})

const bare = (description: string): Answered => ({ description })

const enqueued: Answered = json('The task was accepted; it will be done in its turn.', ref('TaskSummary'))
const deleted = bare('It is gone.')

const textMember = { type: 'string' } as const
const status = (...values: string[]): Schema => members({ status: { type: 'string', enum: values } })

export const headerParameters = {
  'Meili-Include-Metadata': {
    description: '`true` or `1`: the answer says which query, index and primary key it is from.',
    schema: textMember,
  },
} as const

const METADATA = { headers: ['Meili-Include-Metadata'] } as const

const NEEDS_INDEX = ['index_not_found'] as const

const SEARCH_CODES = [
  'index_not_found',
  'invalid_index_uid',
  'feature_not_enabled',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_sort',
  'invalid_search_attributes_to_search_on',
  'invalid_search_distinct',
  'invalid_search_embedder',
  'invalid_search_hybrid_query',
  'invalid_search_media',
  'invalid_search_media_and_vector',
  'missing_search_hybrid',
  'vector_embedding_error',
  'too_many_search_requests',
] as const

const SIMILAR_CODES = [
  'index_not_found',
  'invalid_index_uid',
  'not_found_similar_id',
  'invalid_search_filter',
  'feature_not_enabled',
  'too_many_search_requests',
] as const

const FEDERATION_CODES = [
  'invalid_multi_search_federation_options',
  'invalid_multi_search_query_pagination',
  'invalid_multi_search_query_facets',
  'invalid_multi_search_query_personalization',
  'invalid_multi_search_query_show_performance_details',
  'invalid_multi_search_query_ranking_rules',
  'invalid_multi_search_distinct',
  'invalid_multi_search_facet_order',
] as const

const system: Group = {
  'GET /': {
    summary: 'Say that the server runs',
    description: 'A page for people in development, a short answer in production.',
    answers: {
      200: {
        description: 'It runs.',
        content: { 'text/html': textMember, 'application/json': members({ status: textMember }) },
      },
    },
  },
  'GET /health': {
    summary: 'Tell whether the server is able to work',
    answers: {
      200: json('It is.', status('available')),
      500: json('It must be started again: its task store was compacted.', status('mustRestart')),
    },
  },
  'GET /version': {
    summary: 'Tell the version of the interface',
    answers: {
      200: json('The version.', members({ commitSha: textMember, commitDate: textMember, pkgVersion: textMember })),
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

const keys: Group = {
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

const indexes: Group = {
  'GET /indexes': {
    summary: 'List the indexes',
    description: 'Those that the key can see, in the order of their uids.',
    answers: { 200: json('A page of indexes.', pageOf(ref('Index'))) },
  },
  'POST /indexes': { summary: 'Create an index', answers: { 202: enqueued } },
  'GET /indexes/{index_uid}': {
    summary: 'Show an index',
    answers: { 200: json('The index.', ref('Index')) },
    codes: NEEDS_INDEX,
  },
  'PATCH /indexes/{index_uid}': {
    summary: 'Change the primary key or the uid of an index',
    answers: { 202: enqueued },
  },
  'DELETE /indexes/{index_uid}': { summary: 'Delete an index', answers: { 202: enqueued } },
  'POST /indexes/{index_uid}/compact': { summary: 'Make the files of an index smaller', answers: { 202: enqueued } },
  'POST /indexes/{index_uid}/fields': {
    summary: 'List the fields of the documents of an index',
    answers: { 200: json('A page of fields, in the order of their names.', pageOf(ref('Field'))) },
    codes: NEEDS_INDEX,
  },
  'POST /swap-indexes': {
    summary: 'Exchange the contents of indexes',
    description: 'All swaps are done at once, or none.',
    answers: { 202: enqueued },
    codes: ['invalid_swap_duplicate_index_found'],
  },
  'GET /stats': {
    summary: 'Count the documents and bytes of all indexes',
    answers: { 200: json('Statistics of the indexes that the key can see.', ref('Stats')) },
  },
  'GET /indexes/{index_uid}/stats': {
    summary: 'Count the documents and bytes of an index',
    answers: { 200: json('Statistics of the index.', ref('IndexStats')) },
    codes: NEEDS_INDEX,
  },
}

// An operator that the settings forbid has this code on all routes.
const READ_CODES = [
  'invalid_index_uid',
  'index_not_found',
  'feature_not_enabled',
  'invalid_search_filter',
  'too_many_search_requests',
] as const

const ADDITION: Untagged = {
  summary: '',
  description: 'The index is created if need be and if the key may create indexes.',
  answers: { 202: enqueued },
}

const documents: Group = {
  'GET /indexes/{index_uid}/documents': {
    summary: 'List documents',
    description: 'Better use `POST /indexes/{index_uid}/documents/fetch`, which also takes filters as arrays.',
    deprecated: true,
    answers: { 200: json('A page of documents.', ref('DocumentPage')) },
    codes: READ_CODES,
  },
  'POST /indexes/{index_uid}/documents/fetch': {
    summary: 'List documents, asked by a body',
    answers: { 200: json('A page of documents.', ref('DocumentPage')) },
    codes: READ_CODES,
  },
  'GET /indexes/{index_uid}/documents/{document_id}': {
    summary: 'Show a document',
    answers: { 200: json('The document.', ref('Document')) },
    codes: ['index_not_found', 'document_not_found'],
  },
  'POST /indexes/{index_uid}/documents': {
    ...ADDITION,
    summary: 'Add documents, or replace those with the same id',
  },
  'PUT /indexes/{index_uid}/documents': {
    ...ADDITION,
    summary: 'Add documents, or merge them into those with the same id',
  },
  'DELETE /indexes/{index_uid}/documents': { summary: 'Delete all documents of an index', answers: { 202: enqueued } },
  'DELETE /indexes/{index_uid}/documents/{document_id}': { summary: 'Delete a document', answers: { 202: enqueued } },
  'POST /indexes/{index_uid}/documents/delete-batch': {
    summary: 'Delete documents by their ids',
    answers: { 202: enqueued },
  },
  'POST /indexes/{index_uid}/documents/delete': {
    summary: 'Delete the documents that pass a filter',
    answers: { 202: enqueued },
    codes: ['feature_not_enabled'],
  },
  'POST /indexes/{index_uid}/documents/edit': {
    summary: 'Change documents by a function',
    description: 'The function is a script that sees one document at a time as `doc`.',
    answers: { 202: enqueued },
  },
  'POST /render-template': {
    summary: 'Show what a template makes of a document',
    answers: {
      200: json('The template and, if an input was given, what became of it.', members({ template: {}, rendered: {} })),
    },
    codes: ['index_not_found', 'render_document_not_found', 'template_parsing_error', 'template_rendering_error'],
  },
}

const search: Group = {
  'GET /indexes/{index_uid}/search': {
    summary: 'Search an index, asked by parameters',
    answers: { 200: json('The hits, best first.', ref('SearchAnswer')) },
    codes: SEARCH_CODES,
    ...METADATA,
  },
  'POST /indexes/{index_uid}/search': {
    summary: 'Search an index',
    answers: { 200: json('The hits, best first.', ref('SearchAnswer')) },
    codes: SEARCH_CODES,
    ...METADATA,
  },
  'POST /indexes/{index_uid}/facet-search': {
    summary: 'Search the values of a facet',
    description: 'Members that are not listed here are passed over, so that the body of a search can be sent as it is.',
    answers: { 200: json('The values and how many documents have each.', ref('FacetSearchAnswer')) },
    codes: [...SEARCH_CODES, 'facet_search_disabled', 'invalid_facet_search_facet_name'],
  },
  'GET /indexes/{index_uid}/similar': {
    summary: 'Find documents like another one, asked by parameters',
    answers: { 200: json('The documents, most similar first.', ref('SimilarAnswer')) },
    codes: SIMILAR_CODES,
  },
  'POST /indexes/{index_uid}/similar': {
    summary: 'Find documents like another one',
    answers: { 200: json('The documents, most similar first.', ref('SimilarAnswer')) },
    codes: SIMILAR_CODES,
  },
  'POST /multi-search': {
    summary: 'Do several searches at once',
    description: 'With `federation` their hits become one list. An index that does not exist is a bad request here.',
    answers: {
      200: json('A result for each query, or one for all of them.', {
        anyOf: [members({ results: listOf(ref('SearchAnswer')) }), ref('FederatedAnswer')],
      }),
    },
    codes: [...SEARCH_CODES, ...FEDERATION_CODES],
    statuses: { index_not_found: 400 },
    ...METADATA,
  },
}

const SETTINGS = '/indexes/{index_uid}/settings'

const settings: Group = {
  [`GET ${SETTINGS}`]: {
    summary: 'Show all settings of an index',
    answers: { 200: json('The settings; secrets are masked.', AS_SENT) },
    codes: NEEDS_INDEX,
  },
  [`PATCH ${SETTINGS}`]: {
    summary: 'Change some settings of an index',
    description: 'Settings that are not sent stay, null puts one back to its default.',
    answers: { 202: enqueued },
    codes: ['feature_not_enabled', 'vector_embedding_error'],
  },
  [`DELETE ${SETTINGS}`]: { summary: 'Put all settings back to their defaults', answers: { 202: enqueued } },
}

/** The routes of single settings, which are all alike. */
function singleSetting(method: string, path: string): Untagged | undefined {
  const name = path.startsWith(`${SETTINGS}/`) ? path.slice(SETTINGS.length + 1).replaceAll('-', ' ') : undefined
  if (name === undefined) return undefined
  if (method === 'GET') {
    return { summary: `Show the setting: ${name}`, answers: { 200: json('Its value.', AS_SENT) }, codes: NEEDS_INDEX }
  }
  if (method === 'DELETE') return { summary: `Reset the setting: ${name}`, answers: { 202: enqueued } }
  return {
    summary: `Change the setting: ${name}`,
    description: method === 'PATCH' ? 'Members that are not sent stay; null resets.' : 'Null resets.',
    answers: { 202: enqueued },
    codes: ['feature_not_enabled', ...(name === 'embedders' ? (['vector_embedding_error'] as const) : [])],
  }
}

const tasks: Group = {
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

const webhooks: Group = {
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

const backups: Group = {
  'POST /dumps': { summary: 'Write a dump', description: 'Other versions can read it.', answers: { 202: enqueued } },
  'POST /snapshots': { summary: 'Write a snapshot', description: 'A copy of the data.', answers: { 202: enqueued } },
  'POST /export': { summary: 'Copy indexes to another server', answers: { 200: enqueued } },
}

const network: Group = {
  'GET /network': { summary: 'Show the network', answers: { 200: json('The network.', ref('Network')) } },
  'PATCH /network': {
    summary: 'Change the network',
    answers: { 200: json('The network, as it is now.', ref('Network')) },
    codes: ['missing_network_url', 'unexpected_network_previous_remotes', 'not_leader', 'requires_enterprise_edition'],
  },
  'POST /network/control': {
    summary: 'Tell this server about another one',
    description: 'Servers of a network use it among themselves.',
    answers: { 200: bare('It was noted.') },
    codes: ['import_task_without_network_task'],
  },
}

const rules: Group = {
  'POST /dynamic-search-rules': {
    summary: 'List the search rules',
    answers: { 200: json('A page of rules.', pageOf(ref('SearchRule'))) },
  },
  'GET /dynamic-search-rules/{uid}': {
    summary: 'Show a search rule',
    answers: { 200: json('The rule.', ref('SearchRule')) },
    codes: ['dynamic_search_rule_not_found'],
  },
  'PATCH /dynamic-search-rules/{uid}': {
    summary: 'Create or change a search rule',
    description: 'Members that are not sent stay; null resets.',
    answers: { 200: json('The changed rule.', ref('SearchRule')), 201: json('The new rule.', ref('SearchRule')) },
    codes: ['dynamic_search_rule_not_found'],
  },
  'DELETE /dynamic-search-rules/{uid}': {
    summary: 'Delete a search rule',
    answers: { 204: deleted },
    codes: ['dynamic_search_rule_not_found'],
  },
}

const workspace = members({ uid: textMember })

const chats: Group = {
  'GET /chats': { summary: 'List the chat workspaces', answers: { 200: json('A page of them.', pageOf(workspace)) } },
  'GET /chats/{workspace_uid}': {
    summary: 'Show a chat workspace',
    answers: { 200: json('Its uid.', workspace) },
    codes: ['invalid_index_uid', 'chat_not_found'],
  },
  'DELETE /chats/{workspace_uid}': {
    summary: 'Delete a chat workspace',
    answers: { 204: deleted },
    codes: ['chat_not_found'],
  },
  'GET /chats/{workspace_uid}/settings': {
    summary: 'Show the settings of a chat workspace',
    answers: { 200: json('The settings; the key is masked.', ref('WorkspaceSettings')) },
    codes: ['chat_not_found'],
  },
  'PATCH /chats/{workspace_uid}/settings': {
    summary: 'Create a chat workspace, or change its settings',
    description:
      'Members that are not sent stay; null or an empty text resets. Then the settings have to fit their source.',
    answers: { 200: json('The settings, without the key.', ref('WorkspaceSettings')) },
    codes: ['invalid_index_uid'],
  },
  'DELETE /chats/{workspace_uid}/settings': {
    summary: 'Reset the settings of a chat workspace',
    answers: { 200: json('The settings, without the key.', ref('WorkspaceSettings')) },
    codes: ['chat_not_found'],
  },
  'POST /chats/{workspace_uid}/chat/completions': {
    summary: 'Talk to a language model that can search',
    description: 'Members that are not listed here are passed over.',
    answers: { 200: other('Events with chunks of the answer or an error object, then `[DONE]`.', 'text/event-stream') },
    codes: [
      'chat_not_found',
      'invalid_chat_completion_source',
      'invalid_chat_completion_org_id',
      'invalid_chat_completion_project_id',
      'invalid_chat_completion_api_version',
      'invalid_chat_completion_deployment_id',
      'invalid_chat_completion_base_api',
      'invalid_chat_completion_api_key',
      'unimplemented_multi_choice_chat_completions',
      'unimplemented_non_streaming_chat_completions',
      'unimplemented_external_function_calling',
      'too_many_search_requests',
    ],
  },
}

const groups: Readonly<Record<string, Group>> = {
  Search: search,
  Documents: documents,
  Indexes: indexes,
  Settings: settings,
  Tasks: tasks,
  Keys: keys,
  Backups: backups,
  Webhooks: webhooks,
  Network: network,
  'Search rules': rules,
  Chat: chats,
  System: system,
}

export const tags = Object.keys(groups)

/** By method and path, as in `GET /health`. A test holds them against the route table. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(groups).flatMap(([tag, group]) =>
    Object.entries(group).map(([name, operation]) => [name, { tag, ...operation }] as const),
  ),
)

export function operationOf(method: string, path: string): Operation | undefined {
  const single = singleSetting(method, path)
  return single ? { tag: 'Settings', ...single } : operations.get(`${method} ${path}`)
}
