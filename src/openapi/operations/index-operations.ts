import { members, pageOf, ref } from '../answers.js'
import { AS_SENT, enqueued, type Group, json, NEEDS_INDEX, type Untagged } from './operation.js'

// Indexes, their documents and settings.

export const indexes: Group = {
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

export const documents: Group = {
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

const SETTINGS = '/indexes/{index_uid}/settings'

export const settings: Group = {
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
export function singleSetting(method: string, path: string): Untagged | undefined {
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
