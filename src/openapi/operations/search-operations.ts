import { listOf, members, pageOf, ref } from '../answers.js'
import { deleted, type Group, json, METADATA, other, textMember } from './operation.js'

// Searches, and what shapes them.

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

export const search: Group = {
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

export const rules: Group = {
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

export const chats: Group = {
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
