import { ByteWriter } from '../../bytes/index.js'
import { ok, type Result } from '../../errors/index.js'
import { type SearchRequest, searchOf } from '../request/read-request.js'
import type { SearchQuery } from '../request/search-query.js'
import { writeFacetSearch } from './answer-facet-search.js'
import { writeMultiSearch } from './answer-multi-search.js'
import { writeSearch } from './answer-search.js'
import { newUid } from './request-uid.js'
import type { SearchContext } from './search-context.js'

/** A finished answer. */
export interface Answered {
  /** JSON, in memory of its own. */
  readonly body: Uint8Array
  /** How many searches time cut short. */
  readonly degraded: number
}

/** Most answers fit; the memory of one that was much longer is not kept. */
const USUAL_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024 * 1024

let out = new ByteWriter(USUAL_BYTES)

/** Answers a request whose parameters were read. `uid` is the index of the path, where there is one. */
export function answerRequest(request: SearchRequest, uid: string, context: SearchContext): Result<Answered> {
  out.clear()
  const written = write(request, uid, context)
  if (!written.ok) return written
  const body = out.take()
  if (body.length > KEPT_BYTES) out = new ByteWriter(USUAL_BYTES)
  return ok({ body, degraded: written.value.degraded })
}

function write(request: SearchRequest, uid: string, context: SearchContext): Result<{ degraded: number }> {
  switch (request.kind) {
    case 'searchBody':
    case 'searchParameters': {
      const query = searchOf(request)
      return query.ok ? writeSingle(uid, query.value, context) : query
    }
    case 'facetSearch':
      return writeFacetSearch(out, { uid, query: request.search }, context)
    case 'multiSearch':
      return writeMultiSearch(out, request.search, context)
  }
}

function writeSingle(uid: string, query: SearchQuery, context: SearchContext): Result<{ degraded: number }> {
  out.utf8('{')
  const written = writeSearch(out, { uid, query, requestUid: newUid() }, context)
  if (!written.ok) return written
  out.utf8('}')
  return ok({ degraded: written.value.isDegraded ? 1 : 0 })
}
