import type { RequestKind } from '../../answer/index.js'

/** A request to a search route whose bytes have arrived. */
export interface SearchCall {
  readonly kind: RequestKind
  readonly bytes: Uint8Array
  /** The index of the path; null where the request names indexes itself. */
  readonly uid: string | null
  /** False: it runs at once, however many others do. */
  readonly isQueued?: boolean
}
