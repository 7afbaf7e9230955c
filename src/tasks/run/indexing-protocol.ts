import type { EmbedderRequests } from '../../embed/index.js'
import type { IndexJob } from '../../index/index.js'
import type { Problem } from '../../threads/index.js'
import type { DocumentEmbeddingOptions } from './document-embedders.js'
import type { IndexingLimits } from './job-services.js'

/** 1: the job that runs has to stop. Written by the server thread. */
export const STOP = 0
/** 1: a transaction may be open. Written by the indexing thread, which wakes those who wait for the end of it. */
export const OPEN_TRANSACTION = 1
export const FLAG_COUNT = 2

/** What the indexing thread is started with. */
export interface IndexingThreadData {
  /** Cells of 32 bits: see `STOP` and `OPEN_TRANSACTION`. */
  readonly flags: SharedArrayBuffer
  /** Absent where no model can be asked. */
  readonly embedding: DocumentEmbeddingOptions | undefined
  readonly limits: IndexingLimits
}

/** From the server thread to the indexing thread. */
export type Request =
  | { readonly kind: 'run'; readonly job: IndexJob }
  /** Answered when the job is held; the next question is what to do with it. */
  | { readonly kind: 'prepare'; readonly job: IndexJob }
  | { readonly kind: 'commit' | 'abort' }
  | { readonly kind: 'compact'; readonly fromPath: string; readonly toPath: string }
  | { readonly kind: 'upgrade'; readonly fromPath: string; readonly toPath: string }
  | { readonly kind: 'refreshSets'; readonly path: string }
  | { readonly kind: 'completeNames'; readonly path: string }
  | { readonly kind: 'release'; readonly path: string }
  | { readonly kind: 'close' }

/** What the indexing thread tells the server thread while it works. */
export type Notice =
  | { readonly kind: 'progress'; readonly step: string; readonly finished: number; readonly total: number }
  | { readonly kind: 'requests'; readonly requests: EmbedderRequests }
  | { readonly kind: 'warning'; readonly problem: Problem }
