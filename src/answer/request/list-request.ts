import type { ListRequest } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { filterFromQuery, sortFromQuery } from '../../match/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  boolParam,
  type Checked,
  checkQuery,
  commaList,
  described,
  nullable,
  object,
  optional,
  type Param,
  queryParam,
  refinedParam,
  starOrList,
  text,
  textParam,
  uint,
  uintParam,
} from '../../shape/index.js'
import { filterValue } from './filter-shape.js'

const DEFAULT_LIMIT = 20

/** The parameters of a document that is shown. */
export const shownParameters = {
  fields: queryParam(starOrList(textParam), 'invalid_document_fields'),
  retrieveVectors: queryParam(boolParam, 'invalid_document_retrieve_vectors'),
}

/** The parameters of GET /indexes/{index_uid}/documents. */
export const listParameters = {
  offset: queryParam(uintParam, 'invalid_document_offset'),
  limit: queryParam(uintParam, 'invalid_document_limit'),
  ...shownParameters,
  ids: queryParam(commaList(textParam), 'invalid_document_ids'),
  filter: queryParam(refinedParam(textParam, expressionOnly), 'invalid_document_filter'),
  sort: queryParam(textParam, 'invalid_document_sort'),
  useNetwork: queryParam(orDefault(boolParam), 'bad_request'),
}

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

/** The body of POST /indexes/{index_uid}/documents/fetch. */
export const listBody = object({
  offset: optional(uint, 'invalid_document_offset'),
  limit: optional(uint, 'invalid_document_limit'),
  fields: optional(nullable(arrayOf(text)), 'invalid_document_fields'),
  retrieveVectors: optional(bool, 'invalid_document_retrieve_vectors'),
  ids: optional(nullable(arrayOf(described(anyJson, { type: ['string', 'integer'] }))), 'invalid_document_ids'),
  filter: optional(filterValue, 'invalid_document_filter'),
  sort: optional(nullable(arrayOf(text)), 'invalid_document_sort'),
  useNetwork: optional(nullable(bool), 'bad_request'),
})

export function readListParameters(query: string): Result<ListRequest> {
  const read = checkQuery(listParameters, query)
  if (!read.ok) return read
  const { sort, ...rest } = read.value
  return ok(withDefaults({ ...rest, sort: sort === undefined ? null : sortFromQuery(sort) }))
}

export const listOfBody = (body: Checked<typeof listBody>): ListRequest => withDefaults(body)

type ListParameters = { readonly [Name in keyof ListRequest]?: ListRequest[Name] | null | undefined }

function withDefaults({
  offset,
  limit,
  fields,
  retrieveVectors,
  ids,
  filter,
  sort,
  useNetwork,
}: ListParameters): ListRequest {
  return {
    offset: offset ?? 0,
    limit: limit ?? DEFAULT_LIMIT,
    fields: fields ?? 'all',
    retrieveVectors: retrieveVectors ?? false,
    ids: ids ?? null,
    filter: filter ?? null,
    sort: sort ?? null,
    useNetwork: useNetwork ?? null,
  }
}
