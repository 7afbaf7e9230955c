import { fail, ok, type Result } from '../../errors/index.js'
import { parseBytes } from '../../json/index.js'
import { checkBody, type Shape } from '../../shape/index.js'
import { type FacetSearchQuery, facetSearchBody } from './facet-search-body.js'
import { type MultiSearch, multiSearchBody } from './multi-search-body.js'
import { searchBody } from './search-body.js'
import { combineParameters, readSearchParameters, type SearchParameters } from './search-parameters.js'
import type { SearchQuery } from './search-query.js'

/** How a search was sent: as a body or a query string, and to which kind of route. */
export type RequestKind = 'searchBody' | 'searchParameters' | 'facetSearch' | 'multiSearch'

/** A request whose parameters were checked one by one. */
export type SearchRequest =
  | { readonly kind: 'searchBody'; readonly search: SearchQuery }
  | { readonly kind: 'searchParameters'; readonly parameters: SearchParameters }
  | { readonly kind: 'facetSearch'; readonly search: FacetSearchQuery }
  | { readonly kind: 'multiSearch'; readonly search: MultiSearch }

/** Reads the bytes of a body, or of a query string (spec 6 §1.1, step 2). */
export function readRequest(kind: RequestKind, bytes: Uint8Array): Result<SearchRequest> {
  switch (kind) {
    case 'searchBody':
      return mapped(readBody(bytes, searchBody), (search) => ({ kind, search }))
    case 'searchParameters':
      return mapped(readSearchParameters(textOf(bytes)), (parameters) => ({ kind, parameters }))
    case 'facetSearch':
      return mapped(readBody(bytes, facetSearchBody), (search) => ({ kind, search }))
    case 'multiSearch':
      return mapped(readBody(bytes, multiSearchBody), (search) => ({ kind, search }))
  }
}

/** The search of either spelling. What is wrong with a combination of parameters shows here (spec 6 §1.1, step 3). */
export function searchOf(
  request: Extract<SearchRequest, { kind: 'searchBody' | 'searchParameters' }>,
): Result<SearchQuery> {
  return request.kind === 'searchBody' ? ok(request.search) : combineParameters(request.parameters)
}

/** The index of each query of a multi-search; the others have theirs in the path. */
export function queriedIndexes(request: SearchRequest): readonly string[] {
  return request.kind === 'multiSearch' ? request.search.queries.map(({ indexUid }) => indexUid) : []
}

function readBody<T>(bytes: Uint8Array, shape: Shape<T>): Result<T> {
  const parsed = parseBytes(bytes)
  if (!parsed.ok) return fail('malformed_payload', `The body is not valid JSON: ${parsed.reason}.`)
  return checkBody(shape, parsed.value)
}

function mapped<T, U>(result: Result<T>, map: (value: T) => U): Result<U> {
  return result.ok ? ok(map(result.value)) : result
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
