import { Bitmap } from '../../bitmap/index.js'
import { fail, failureSaying, ok, type Result } from '../../errors/index.js'
import {
  type DocId,
  type FieldSelection,
  type IndexFolder,
  idFromValue,
  type StoredDocument,
  selectedJson,
  VectorsPrinter,
} from '../../index/index.js'
import { fromPlain, type JsonValue, print } from '../../json/index.js'
import {
  documentSortValues,
  filterFromQuery,
  filterValue,
  parseSort,
  type SortKey,
  selectDocuments,
  sortDocuments,
  sortFromQuery,
} from '../../search/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  boolParam,
  commaList,
  described,
  nullable,
  object,
  optional,
  type Param,
  queryParam,
  refinedParam,
  shown,
  starOrList,
  text,
  textParam,
  uint,
  uintParam,
} from '../../shape/index.js'
import type { ServerContext } from '../context.js'
import { jsonText } from '../http/answer.js'
import { type Call, jsonBody, type Outcome, route } from '../http/route.js'
import { type DocumentList, isAskedItself, listNetwork, printList } from '../network/document-list.js'
import { readListFilter } from './document-filter.js'

/** What both listings ask for, once their own spelling is read. */
interface ListRequest {
  readonly offset: number
  readonly limit: number
  readonly fields: FieldSelection
  readonly retrieveVectors: boolean
  readonly ids: readonly JsonValue[] | null
  readonly filter: JsonValue
  readonly sort: readonly string[] | null
  readonly useNetwork: boolean | null
}

const fieldsParam = queryParam(starOrList(textParam), 'invalid_document_fields')
const retrieveVectorsParam = queryParam(boolParam, 'invalid_document_retrieve_vectors')
const waitsForSearches = (context: ServerContext): boolean => !context.features.isOn('disableDocumentsFetchQueue')

export const routes = [
  route({
    method: 'GET',
    path: '/indexes/{index_uid}/documents/{document_id}',
    action: 'documents.get',
    query: { fields: fieldsParam, retrieveVectors: retrieveVectorsParam },
    handle({ context, params, query }) {
      const folder = context.indexes.open(params.index_uid)
      if (folder === undefined) return fail('index_not_found', params.index_uid)
      const docId = folder.docIdOf(params.document_id)
      const document = docId === undefined ? undefined : folder.document(docId)
      if (document === undefined) return fail('document_not_found', params.document_id)
      const show = shownAs(folder, {
        fields: selectionOf(query.fields),
        retrieveVectors: query.retrieveVectors ?? false,
      })
      return jsonText(200, show(docId!, document))
    },
  }),

  route({
    method: 'GET',
    path: '/indexes/{index_uid}/documents',
    action: 'documents.get',
    query: {
      offset: queryParam(uintParam, 'invalid_document_offset'),
      limit: queryParam(uintParam, 'invalid_document_limit'),
      fields: fieldsParam,
      retrieveVectors: retrieveVectorsParam,
      ids: queryParam(commaList(textParam), 'invalid_document_ids'),
      filter: queryParam(refinedParam(textParam, expressionOnly), 'invalid_document_filter'),
      sort: queryParam(textParam, 'invalid_document_sort'),
      useNetwork: queryParam(orDefault(boolParam), 'bad_request'),
    },
    needsPermit: waitsForSearches,
    handle(call) {
      const { params, query } = call
      return listDocuments(call, params.index_uid, {
        offset: query.offset ?? 0,
        limit: query.limit ?? 20,
        fields: selectionOf(query.fields),
        retrieveVectors: query.retrieveVectors ?? false,
        ids: query.ids ?? null,
        filter: query.filter ?? null,
        sort: query.sort === undefined ? null : sortFromQuery(query.sort),
        useNetwork: query.useNetwork ?? null,
      })
    },
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/documents/fetch',
    action: 'documents.get',
    body: jsonBody(
      object({
        offset: optional(uint, 'invalid_document_offset'),
        limit: optional(uint, 'invalid_document_limit'),
        fields: optional(nullable(arrayOf(text)), 'invalid_document_fields'),
        retrieveVectors: optional(bool, 'invalid_document_retrieve_vectors'),
        ids: optional(nullable(arrayOf(described(anyJson, { type: ['string', 'integer'] }))), 'invalid_document_ids'),
        filter: optional(filterValue, 'invalid_document_filter'),
        sort: optional(nullable(arrayOf(text)), 'invalid_document_sort'),
        useNetwork: optional(nullable(bool), 'bad_request'),
      }),
    ),
    needsPermit: waitsForSearches,
    handle(call) {
      const { params, body } = call
      return listDocuments(call, params.index_uid, {
        offset: body.offset ?? 0,
        limit: body.limit ?? 20,
        fields: body.fields ?? 'all',
        retrieveVectors: body.retrieveVectors ?? false,
        ids: body.ids ?? null,
        filter: body.filter ?? null,
        sort: body.sort ?? null,
        useNetwork: body.useNetwork ?? null,
      })
    },
  }),
]

/** Nothing, or `null`, stands for the default. */
function orDefault<T>(param: Param<T>): Param<T | null> {
  return {
    ...param,
    read: (text, name, code) => (text === '' || text === 'null' ? ok(null) : param.read(text, name, code)),
  }
}

/** Arrays of expressions are for bodies alone; a string is one in the quotes of JSON too. */
function expressionOnly(text: string): Result<string> | string {
  const filter = filterFromQuery(text)
  if (typeof filter === 'string') return ok(filter)
  const found = `a string expression was expected, ${shown(filter)} was found`
  return Array.isArray(filter) ? `${found}: arrays go into the body of \`POST …/documents/fetch\`` : found
}

/** `*` among the names stands for all of them. */
const selectionOf = (fields: readonly string[] | null | undefined): FieldSelection => fields ?? 'all'

function listDocuments(call: Call, indexUid: string, request: ListRequest): Outcome | Promise<Outcome> {
  const { context, headers } = call
  const checked = checkList(context, request)
  if (!checked.ok) return checked
  // Where no network is configured, this server is all of it.
  const isSpread = request.useNetwork === true && context.network.current.remotes.size > 0
  if (isSpread) return listEverywhere(context, indexUid, { request, checked: checked.value })
  // Another server merges this list with those of others.
  const isProxied = headers['meili-proxy-search'] === 'true' && context.features.isOn('network')
  const listed = listHere(context, indexUid, { request, checked: checked.value, isProxied })
  return listed.ok ? jsonText(200, printList(listed.value, request, isProxied)) : listed
}

interface Listing {
  readonly request: ListRequest
  readonly checked: CheckedList
  /** Documents need their sort values. */
  readonly isProxied: boolean
}

async function listEverywhere(
  context: ServerContext,
  indexUid: string,
  { request, checked }: Omit<Listing, 'isProxied'>,
): Promise<Outcome> {
  // Whoever lists documents looks at the filter; when this server does not, it may be that nobody does.
  const isHere = isAskedItself(context.network.forSearch())
  const filter = isHere ? ok(undefined) : readListFilter(context, request.filter)
  if (!filter.ok) return filter
  const { offset, limit } = request
  const whole = { ...request, offset: 0, limit: Math.min(offset + limit, Number.MAX_SAFE_INTEGER), useNetwork: null }
  const listed = await listNetwork(
    {
      path: `/indexes/${indexUid}/documents/fetch`,
      body: fetchBody(whole),
      offset,
      limit,
      listHere: () => listHere(context, indexUid, { request: whole, checked, isProxied: true }),
    },
    context,
  )
  return listed.ok ? jsonText(200, listed.value) : listed
}

/** The request as another server reads it. */
function fetchBody({ offset, limit, fields, retrieveVectors, ids, filter, sort }: ListRequest): JsonValue {
  return fromPlain({ offset, limit, retrieveVectors, ids, filter, sort, ...(fields === 'all' ? {} : { fields }) })
}

function listHere(context: ServerContext, indexUid: string, listing: Listing): Result<DocumentList> {
  const { request, checked, isProxied } = listing
  const folder = context.indexes.open(indexUid)
  if (folder === undefined) return fail('index_not_found', indexUid)
  const source = { indexUid, folder }
  const filter = readListFilter(context, request.filter)
  if (!filter.ok) return filter
  const filtered = filter.value === undefined ? ok(folder.docIds()) : selectDocuments(source, filter.value)
  if (!filtered.ok) return filtered
  const selected = checked.ids === null ? filtered.value : filtered.value.and(docIdsOf(folder, checked.ids))
  const { offset, limit } = request
  const ordered = sortDocuments(source, selected, { keys: checked.sort, count: offset + limit })
  if (!ordered.ok) return ordered
  const shown = ordered.value?.slice(offset, offset + limit) ?? selected.toArraySlice(offset, limit)
  const show = shownAs(folder, request)
  const values = isProxied ? documentSortValues(source, shown, checked.sort) : []
  const documents = Array.from(shown, (docId, i) => ({
    json: show(docId, folder.document(docId as DocId)!),
    values: values[i] ?? [],
  }))
  return ok({ documents, total: selected.size })
}

interface CheckedList {
  readonly ids: readonly string[] | null
  readonly sort: readonly SortKey[]
}

/** What can be refused before the index is looked for. */
function checkList(context: ServerContext, { useNetwork, ids, sort }: ListRequest): Result<CheckedList> {
  if (useNetwork !== null && !context.features.isOn('network')) {
    return fail('feature_not_enabled', 'Passing `useNetwork`', 'network')
  }
  const legal = ids === null ? ok(null) : legalIds(ids)
  if (!legal.ok) return legal
  const order = parseSort(sort ?? [], 'invalid_document_sort')
  return order.ok ? ok({ ids: legal.value, sort: order.value }) : order
}

function legalIds(ids: readonly JsonValue[]): Result<string[]> {
  const legal: string[] = []
  for (const [i, id] of ids.entries()) {
    const text = idFromValue(id)
    if (text === undefined || !text.ok) {
      return {
        ok: false,
        failure: failureSaying('invalid_document_ids', `\`.ids[${i}]\`: ${print(id)} is not a document id.`),
      }
    }
    legal.push(text.value)
  }
  return ok(legal)
}

function docIdsOf(folder: IndexFolder, ids: readonly string[]): Bitmap {
  return Bitmap.fromUnsorted(ids.flatMap((id) => folder.docIdOf(id) ?? []))
}

/** How documents of an index are printed: the selected attributes, then the vectors if asked for. */
function shownAs(
  folder: IndexFolder,
  { fields, retrieveVectors }: Pick<ListRequest, 'fields' | 'retrieveVectors'>,
): (docId: number, document: StoredDocument) => string {
  const registry = folder.fields()
  const vectors = registry.idOf('_vectors')
  const printer = retrieveVectors ? new VectorsPrinter(folder, registry) : undefined
  return (docId, document) => {
    const stored = vectors === undefined ? document : document.filter(({ fieldId }) => fieldId !== vectors)
    const text = selectedJson(stored, registry, fields)
    if (printer === undefined) return text
    return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_vectors":${printer.print(docId, document)}}`
  }
}
