import type { ByteWriter } from '../../bytes/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import type { MultiSearch, MultiSearchQuery } from '../request/multi-search-body.js'
import { writeSearch } from './answer-search.js'
import { atPosition, checkFederated } from './federation-checks.js'
import { newUid } from './request-uid.js'
import type { SearchContext } from './search-context.js'

/** Runs the queries of a multi-search one after the other; the first failure is the answer (spec 8 §1.4). */
export function writeMultiSearch(
  out: ByteWriter,
  { queries, federation }: MultiSearch,
  context: SearchContext,
): Result<{ degraded: number }> {
  if (federation !== null) {
    const checked = checkFederated(queries, federation, context)
    return checked.ok ? fail('bad_request', '`.federation`: federated searches are not possible yet.') : checked
  }
  const requestUid = newUid()
  let degraded = 0
  out.utf8('{"results":[')
  for (const [position, query] of queries.entries()) {
    out.utf8(position === 0 ? '{' : ',{')
    const written = writeQuery(out, { ...query, requestUid }, context)
    if (!written.ok) return atPosition(position, written.failure)
    if (written.value.isDegraded) degraded++
    out.utf8('}')
  }
  out.utf8(']}')
  return ok({ degraded })
}

function writeQuery(
  out: ByteWriter,
  { indexUid, search, federationOptions, requestUid }: MultiSearchQuery & { requestUid: string },
  context: SearchContext,
): ReturnType<typeof writeSearch> {
  if (federationOptions !== null) {
    return fail('invalid_multi_search_federation_options', '`federationOptions` needs `federation` beside `queries`.')
  }
  out.utf8(`"indexUid":"${indexUid}",`)
  return writeSearch(out, { uid: indexUid, query: search, requestUid }, context)
}
