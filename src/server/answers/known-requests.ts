import type { NamedIndexes } from '../../answer/index.js'
import { ByteCache } from '../../cache/index.js'
import { isIndexUid } from '../../shape/index.js'
import type { SearchCall } from './search-call.js'

/** All of them together. */
const MAX_BYTES = 1 << 20

/** More may name so many indexes that looking at all of them takes the server thread too long. */
const MAX_QUERIES = 16

/** For each query: people do not type more. */
const MAX_QUERY_BYTES = 2048

/** Of the objects around a request; roughly. */
const FIXED_BYTES = 300

/** A request whose indexes are known before it is read. */
export interface KnownRequest {
  /** All that was sent. */
  readonly text: string
  /** The indexes that it searches; for a search of one index, this one. */
  readonly named: NamedIndexes
}

interface CachedRequest extends KnownRequest {
  readonly sizeBytes: number
}

/**
 * Requests with several queries that were sent lately, and what they name: to read this takes longer than to repeat an
 * answer. Only answers to these are worth being remembered: they are large, and most are never sent again. A request for
 * one index tells it by its path.
 */
export class KnownRequests {
  private readonly requests: ByteCache<CachedRequest>

  constructor(maxBytes = MAX_BYTES) {
    this.requests = new ByteCache(maxBytes)
  }

  get(search: SearchCall): KnownRequest | undefined {
    const { uid } = search
    if (uid === null) return canBeKnown(search, MAX_QUERIES) ? this.requests.get(textOf(search)) : undefined
    return canBeKnown(search, 1) ? { text: textOf(search), named: { queried: [uid], faceted: [] } } : undefined
  }

  add(search: SearchCall, named: NamedIndexes): void {
    const { length } = named.queried
    if (search.uid !== null || length > MAX_QUERIES || !canBeKnown(search, length)) return
    const text = textOf(search)
    // The names stand in the request too.
    this.requests.set(text, { text, named, sizeBytes: 2 * text.length + FIXED_BYTES })
  }
}

function canBeKnown({ kind, bytes, uid }: SearchCall, queries: number): boolean {
  if (kind !== 'searchBody' && kind !== 'searchParameters' && kind !== 'multiSearch') return false
  return bytes.length <= queries * MAX_QUERY_BYTES && (uid === null || isIndexUid(uid))
}

/** Neither a kind nor a uid has spaces in it. One character for each byte that was sent. */
function textOf({ kind, bytes, uid }: SearchCall): string {
  return `${kind} ${uid ?? ''} ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')}`
}
