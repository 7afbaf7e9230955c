import type { ListRequest, SearchQuery, ShownFields } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { checkBody, parseBody, type QueryShape, type Shape } from '../../shape/index.js'
import { type ChatSearch, chatSearch, chatSearchBody } from '../chat/chat-search-body.js'
import { type FacetSearchQuery, facetSearchBody } from './facet-search-body.js'
import { listBody, listOfBody, listParameters, readListParameters } from './list-request.js'
import { type MultiSearch, multiSearchBody } from './multi-search-body.js'
import { searchBody } from './search-body.js'
import {
  combineParameters,
  readSearchParameters,
  type SearchParameters,
  searchParameters,
} from './search-parameters.js'
import { readSimilarParameters, type SimilarQuery, similarBody, similarParameters } from './similar-request.js'

/**
 * How a search, or a list of documents, was sent: as a body or a query string, and to which kind of route. Those of chat
 * are the server's own; an offer says what there is to search, and has no bytes. So is one for a single document, whose
 * parameters were checked before.
 */
export type RequestKind =
  | 'searchBody'
  | 'searchParameters'
  | 'facetSearch'
  | 'multiSearch'
  | 'similarBody'
  | 'similarParameters'
  | 'listBody'
  | 'listParameters'
  | 'chatSearch'
  | 'chatOffer'
  | 'document'

/** For one document, by its id. */
export interface DocumentRequest extends ShownFields {
  readonly id: string
}

/** A request whose parameters were checked one by one. */
export type SearchRequest =
  | { readonly kind: 'searchBody'; readonly search: SearchQuery }
  | { readonly kind: 'searchParameters'; readonly parameters: SearchParameters }
  | { readonly kind: 'facetSearch'; readonly search: FacetSearchQuery }
  | { readonly kind: 'multiSearch'; readonly search: MultiSearch }
  | { readonly kind: 'similar'; readonly search: SimilarQuery }
  | { readonly kind: 'list'; readonly list: ListRequest }
  | { readonly kind: 'chatSearch'; readonly search: ChatSearch }
  | { readonly kind: 'chatOffer' }
  | { readonly kind: 'document'; readonly document: DocumentRequest }

/** What the bodies of the kinds that have one are checked by. */
export const requestBodies = {
  searchBody,
  facetSearch: facetSearchBody,
  multiSearch: multiSearchBody,
  similarBody,
  listBody,
} as const satisfies { readonly [Kind in RequestKind]?: Shape<unknown> }

/** What the query strings of the others are checked by. */
export const requestParameters = { searchParameters, similarParameters, listParameters } as const satisfies {
  readonly [Kind in RequestKind]?: QueryShape
}

/** Reads the bytes of a body, or of a query string (spec 6 §1.1, step 2). */
export function readRequest(kind: RequestKind, bytes: Uint8Array): Result<SearchRequest> {
  switch (kind) {
    case 'searchBody':
      return mapped(readBody(bytes, requestBodies[kind]), (search) => ({ kind, search }))
    case 'searchParameters':
      return mapped(readSearchParameters(textOf(bytes)), (parameters) => ({ kind, parameters }))
    case 'facetSearch':
      return mapped(readBody(bytes, requestBodies[kind]), (search) => ({ kind, search }))
    case 'multiSearch':
      return mapped(readBody(bytes, requestBodies[kind]), (search) => ({ kind, search }))
    case 'similarBody':
      return mapped(readBody(bytes, requestBodies[kind]), (search) => ({ kind: 'similar', search }))
    case 'similarParameters':
      return mapped(readSimilarParameters(textOf(bytes)), (search) => ({ kind: 'similar', search }))
    case 'listBody':
      return mapped(readBody(bytes, requestBodies[kind]), (body) => ({ kind: 'list', list: listOfBody(body) }))
    case 'listParameters':
      return mapped(readListParameters(textOf(bytes)), (list) => ({ kind: 'list', list }))
    case 'chatSearch':
      return mapped(readBody(bytes, chatSearchBody), (body) => ({ kind, search: chatSearch(body) }))
    case 'chatOffer':
      return ok({ kind })
    case 'document':
      return ok({ kind, document: JSON.parse(textOf(bytes)) as DocumentRequest })
  }
}

/** The search of either spelling. What is wrong with a combination of parameters shows here (spec 6 §1.1, step 3). */
export function searchOf(
  request: Extract<SearchRequest, { kind: 'searchBody' | 'searchParameters' }>,
): Result<SearchQuery> {
  return request.kind === 'searchBody' ? ok(request.search) : combineParameters(request.parameters)
}

/** The indexes that a multi-search names; other searches have theirs in the path. */
export interface NamedIndexes {
  /** Of each query, in their order. */
  readonly queried: readonly string[]
  /** Whose facets are asked for, whether a query searches them or not. */
  readonly faceted: readonly string[]
}

export function namedIndexes(request: SearchRequest): NamedIndexes {
  if (request.kind !== 'multiSearch') return { queried: [], faceted: [] }
  const { queries, federation } = request.search
  return {
    queried: queries.map(({ indexUid }) => indexUid),
    faceted: federation === null ? [] : [...federation.facetsByIndex.keys()],
  }
}

function readBody<T>(bytes: Uint8Array, shape: Shape<T>): Result<T> {
  const parsed = parseBody(bytes)
  return parsed.ok ? checkBody(shape, parsed.value) : parsed
}

function mapped<T, U>(result: Result<T>, map: (value: T) => U): Result<U> {
  return result.ok ? ok(map(result.value)) : result
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
