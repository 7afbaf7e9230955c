import { type DocumentRequest, requestBodies, requestParameters, shownParameters } from '../../answer/index.js'
import { type ShownFields, shownAs } from '../../engine/index.js'
import { fail } from '../../errors/index.js'
import { jsonText } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { JSON_TYPES } from '../http/media-type.js'
import { type Call, type Outcome, rawBody, route } from '../http/route.js'
import { answerSearchCall } from '../search/answer-call.js'
import { askOwner, OWNER_HEADER } from './ask-owner.js'

/** Lists may take as long as searches, and wait among them (spec 1 §7.1). */
const isQueued = ({ features }: ServerContext): boolean => !features.isOn('disableDocumentsFetchQueue')

/** Larger ones are read by a search thread: to print a document of many megabytes takes a second. */
const READ_HERE_BYTES = 256 * 1024

type DocumentCall = Call<{ readonly index_uid: string; readonly document_id: string }>

type ReadCall = Call<
  { readonly index_uid: string; readonly document_id: string },
  { readonly fields?: readonly string[] | null; readonly retrieveVectors?: boolean }
>

function readHere(call: ReadCall): Outcome | Promise<Outcome> {
  const { context, params, query } = call
  const folder = context.indexes.open(params.index_uid)
  if (folder === undefined) return fail('index_not_found', params.index_uid)
  const docId = folder.docIdOf(params.document_id)
  if (docId === undefined) return fail('document_not_found', params.document_id)
  const shown: ShownFields = { fields: query.fields ?? 'all', retrieveVectors: query.retrieveVectors ?? false }
  if (folder.documentBytes(docId) > READ_HERE_BYTES) return readElsewhere(call, shown)
  return jsonText(200, shownAs(folder, shown)(docId, folder.document(docId)!))
}

/** Whether another server of the cluster may have the document. */
const isForOthers = ({ context, headers }: DocumentCall): boolean =>
  context.shares !== undefined && context.network.inForce !== undefined && headers[OWNER_HEADER] === undefined

async function readOwned(call: ReadCall): Promise<Outcome> {
  const { context, params, rawQuery } = call
  return (await askOwner(params.document_id, documentPath(params, rawQuery), context)) ?? readHere(call)
}

const documentPath = ({ index_uid, document_id }: DocumentCall['params'], query: string): string =>
  `/indexes/${encodeURIComponent(index_uid)}/documents/${encodeURIComponent(document_id)}${query === '' ? '' : `?${query}`}`

function readElsewhere(call: DocumentCall, shown: ShownFields): Promise<Outcome> {
  const request: DocumentRequest = { id: call.params.document_id, ...shown }
  const document = {
    kind: 'document',
    bytes: Buffer.from(JSON.stringify(request)),
    uid: call.params.index_uid,
  } as const
  return answerSearchCall(call, { ...document, isQueued: isQueued(call.context) })
}

export const routes = [
  route({
    method: 'GET',
    path: '/indexes/{index_uid}/documents/{document_id}',
    action: 'documents.get',
    query: shownParameters,
    handle: (call) => (isForOthers(call) ? readOwned(call) : readHere(call)),
  }),

  route({
    method: 'GET',
    path: '/indexes/{index_uid}/documents',
    action: 'documents.get',
    rawQueryShape: requestParameters.listParameters,
    checksIndexUid: false,
    handle(call) {
      const list = { kind: 'listParameters', bytes: Buffer.from(call.rawQuery), uid: call.params.index_uid } as const
      return answerSearchCall(call, { ...list, isQueued: isQueued(call.context) })
    },
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/documents/fetch',
    action: 'documents.get',
    body: rawBody(JSON_TYPES, requestBodies.listBody),
    checksIndexUid: false,
    async handle(call) {
      const bytes = await call.body.bytes()
      if (!bytes.ok) return bytes
      const list = { kind: 'listBody', bytes: bytes.value, uid: call.params.index_uid } as const
      return answerSearchCall(call, { ...list, isQueued: isQueued(call.context) })
    },
  }),
]
