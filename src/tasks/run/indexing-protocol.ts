import type { EmbedderRequests } from '../../embed/index.js'
import type { IndexJob } from '../../index/index.js'
import type { Problem } from '../../threads/index.js'
import type { DocumentEmbeddingOptions } from './document-embedders.js'
import type { IndexingLimits } from './job-services.js'

/** What the indexing thread is started with. */
export interface IndexingThreadData {
  /** Raised to stop the job that runs. */
  readonly flag: SharedArrayBuffer
  /** Absent where no model can be asked. */
  readonly embedding: DocumentEmbeddingOptions | undefined
  readonly limits: IndexingLimits
}

/** From the server thread to the indexing thread. */
export type Request =
  | { readonly kind: 'run'; readonly job: IndexJob }
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
