import type { Bitmap } from '../../bitmap/index.js'

/** A filter that was checked, and is evaluated as far as somebody wants to know. The index must not change meanwhile. */
export interface LateFilter {
  /** All documents that pass. */
  all(): Bitmap
  /** Of some documents, ascending, those that pass; undefined where it is better to ask for all. */
  among(docIds: Uint32Array): Uint32Array | undefined
}
