import { filterValue } from '../../answer/index.js'
import { documentIdsBody, type IdList } from '../../bodies/index.js'
import { fail, ok, quoted, type Result } from '../../errors/index.js'
import { type PayloadFormat, type PayloadSink, receivePayload } from '../../payload/index.js'
import { object, queryParam, refinedParam, required, textParam } from '../../shape/index.js'
import { enqueueTask } from '../enqueue.js'
import { enqueueOptions } from '../enqueue-options.js'
import type { RawBody } from '../http/body.js'
import { DOCUMENT_TYPES } from '../http/media-type.js'
import { type Call, digestedBody, jsonBody, MAX_FILTER_BYTES, type Outcome, rawBody, route } from '../http/route.js'
import { taskFilter } from './document-filter.js'

const customMetadata = queryParam(textParam, 'invalid_index_custom_metadata')

const additionQuery = {
  primaryKey: queryParam(textParam, 'invalid_index_primary_key'),
  csvDelimiter: queryParam(
    refinedParam(textParam, oneAsciiCharacter, { minLength: 1, maxLength: 1 }),
    'invalid_document_csv_delimiter',
  ),
  customMetadata,
  skipCreation: queryParam(refinedParam(textParam, looseBoolean, { type: 'boolean' }), 'invalid_skip_creation'),
}

function oneAsciiCharacter(value: string): Result<string> | string {
  if (value === '') return 'one ASCII character was expected, nothing was found'
  if ([...value].length > 1) return `one ASCII character was expected, ${quoted(value)} are several`
  return value.charCodeAt(0) < 0x80 ? ok(value) : `one ASCII character was expected, ${quoted(value)} is none`
}

function looseBoolean(value: string): Result<boolean> | string {
  const lower = value.toLowerCase()
  if (lower === 'true' || lower === 'false') return ok(lower === 'true')
  return `\`true\` or \`false\` was expected, ${quoted(value)} was found`
}

const addition = (httpMethod: 'POST' | 'PUT', method: 'replace' | 'update') =>
  route({
    method: httpMethod,
    path: '/indexes/{index_uid}/documents',
    action: 'documents.add',
    query: additionQuery,
    body: rawBody(DOCUMENT_TYPES),
    uidBeforeBody: true,
    handle: (call) => addDocuments(call, method),
  })

interface AdditionQuery {
  readonly primaryKey?: string
  readonly csvDelimiter?: string
  readonly customMetadata?: string
  readonly skipCreation?: boolean
}

/** The payload is on disk, or travels with the task, before the task is registered. */
async function addDocuments(
  call: Call<{ readonly index_uid: string }, AdditionQuery, RawBody>,
  method: 'replace' | 'update',
): Promise<Outcome> {
  const { query, params, body, auth, context } = call
  const format = formatOf(body, query.csvDelimiter)
  if (!format.ok) return format
  const receiver = context.tasks.receivePayload()
  try {
    const received = isUnread(call, format.value) ? ok(0) : await receive(call, format.value, receiver)
    if (!received.ok) {
      await receiver.discard()
      return received
    }
    const content = {
      type: 'documentAdditionOrUpdate',
      indexUid: params.index_uid,
      method,
      primaryKey: query.primaryKey ?? null,
      documentsCount: received.value,
      allowIndexCreation: auth.canCreateIndex(params.index_uid),
      skipCreation: query.skipCreation ?? false,
      payload: await receiver.finish(),
    } as const
    return await enqueueTask(call, content, { customMetadata: query.customMetadata })
  } catch (error) {
    await receiver.discard()
    throw error
  }
}

/** Documents of more than a few are read by the body thread. */
function receive(
  { body, context }: Pick<Call<unknown, unknown, RawBody>, 'body' | 'context'>,
  format: PayloadFormat,
  sink: PayloadSink,
) {
  return body.isShort ? receivePayload(format, body, sink) : context.bodies.receive(format, body, sink)
}

/** Of a dry run nothing is stored, so that NDJSON, of which every line could be a document, is not read (spec 2 §1.7). */
function isUnread(call: Pick<Call, 'context' | 'headers'>, { name }: PayloadFormat): boolean {
  const options = enqueueOptions(call)
  return name === 'ndjson' && options.ok && options.value.dryRun === true
}

function formatOf({ mediaType }: RawBody, delimiter: string | undefined): Result<PayloadFormat> {
  const name = `${mediaType.type}/${mediaType.subtype}`
  if (name === 'text/csv') return ok({ name: 'csv', delimiter: delimiter ?? ',' })
  if (delimiter !== undefined) {
    return fail(
      'invalid_content_type',
      `\`csvDelimiter\` goes with the content type \`text/csv\` only, not with \`${name}\`.`,
    )
  }
  return ok({ name: name === 'application/json' ? 'json' : 'ndjson' })
}

export const routes = [
  addition('POST', 'replace'),
  addition('PUT', 'update'),

  route({
    method: 'DELETE',
    path: '/indexes/{index_uid}/documents',
    action: 'documents.delete',
    query: { customMetadata },
    handle: (call) =>
      enqueueTask(
        call,
        { type: 'documentDeletion', indexUid: call.params.index_uid, selection: { by: 'all' } },
        { customMetadata: call.query.customMetadata },
      ),
  }),

  route({
    method: 'DELETE',
    path: '/indexes/{index_uid}/documents/{document_id}',
    action: 'documents.delete',
    query: { customMetadata },
    handle: (call) => deleteIds(call, call.params.index_uid, [call.params.document_id]),
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/documents/delete-batch',
    action: 'documents.delete',
    query: { customMetadata },
    body: digestedBody<'documentIds'>({ shape: documentIdsBody, request: () => ({ kind: 'documentIds' }) }),
    bodyFirst: true,
    handle: (call) => deleteListed(call, call.params.index_uid, call.body),
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/documents/delete',
    action: 'documents.delete',
    query: { customMetadata },
    body: jsonBody(
      object({ filter: required(filterValue, 'invalid_document_filter', 'missing_document_filter') }),
      MAX_FILTER_BYTES,
    ),
    async handle(call) {
      const filter = await taskFilter(call, call.body.filter)
      if (!filter.ok) return filter
      const content = {
        type: 'documentDeletion',
        indexUid: call.params.index_uid,
        selection: { by: 'filter', filter: filter.value },
      } as const
      return enqueueTask(call, content, { customMetadata: call.query.customMetadata })
    },
  }),
]

type DeletionCall = Pick<Call, 'context' | 'headers'> & { readonly query: { readonly customMetadata?: string } }

/** A list up to this size travels inside its task. */
const SHORT_LIST_BYTES = 4096

async function deleteListed(call: DeletionCall, indexUid: string, { count, json }: IdList): Promise<Outcome> {
  if (json.length <= SHORT_LIST_BYTES) return deleteIds(call, indexUid, JSON.parse(Buffer.from(json).toString()))
  const receiver = call.context.tasks.receivePayload()
  try {
    await receiver.write(json)
    const selection = { by: 'idList', count, payload: await receiver.finish() } as const
    const { customMetadata } = call.query
    return await enqueueTask(call, { type: 'documentDeletion', indexUid, selection }, { customMetadata })
  } catch (error) {
    await receiver.discard()
    throw error
  }
}

function deleteIds(call: DeletionCall, indexUid: string, ids: readonly string[]): Promise<Outcome> {
  return enqueueTask(
    call,
    { type: 'documentDeletion', indexUid, selection: { by: 'ids', ids } },
    { customMetadata: call.query.customMetadata },
  )
}
