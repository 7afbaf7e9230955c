import { fail, ok, type Result } from '../../errors/index.js'
import { type JsonValue, parse } from '../../json/index.js'
import {
  type Answered,
  answerRequest,
  queriedIndexes,
  type RequestKind,
  readRequest,
  type SearchContext,
  type SearchIndex,
} from '../../search/index.js'
import { OpenIndexes } from './open-indexes.js'
import type { SearchOrder } from './search-order.js'

/** Answers orders on the thread it lives on, one at a time and without a pause. */
export class SearchDesk {
  private readonly indexes = new OpenIndexes()

  run(order: SearchOrder): Result<Answered> {
    const request = readRequest(order.kind, order.bytes)
    return request.ok ? answerRequest(request.value, order.uid, this.contextOf(order)) : request
  }

  inspect(kind: RequestKind, bytes: Uint8Array): Result<readonly string[]> {
    const request = readRequest(kind, bytes)
    return request.ok ? ok(queriedIndexes(request.value)) : request
  }

  /** To be called between orders. */
  closeSurplus(): Promise<void> {
    return this.indexes.closeSurplus()
  }

  release(path: string): Promise<void> {
    return this.indexes.release(path)
  }

  closeAll(): Promise<void> {
    return this.indexes.closeAll()
  }

  private contextOf(order: SearchOrder): SearchContext {
    const folders = new Map(order.folders)
    const filters = new Map(order.tenantFilters)
    // An index that is met again, as a foreign one or by another query, stays at the commit of the first time.
    const opened = new Map<string, SearchIndex>()
    const open = (uid: string): Result<SearchIndex> => {
      const known = opened.get(uid)
      if (known !== undefined) return ok(known)
      const path = folders.get(uid)
      if (path === undefined) return fail('index_not_found', uid)
      const index = this.indexes.open(uid, path)
      opened.set(uid, index)
      return ok(index)
    }
    const { gates, includesMetadata, canPersonalize, queuedMs } = order
    return {
      gates,
      includesMetadata,
      canPersonalize,
      queuedMs,
      open,
      tenantFilter: (uid) => filterOf(filters.get(uid)),
    }
  }
}

function filterOf(text: string | undefined): JsonValue {
  if (text === undefined) return null
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(`the filter of a tenant token is not JSON: ${parsed.reason}`)
  return parsed.value
}
