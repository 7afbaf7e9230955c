import type { EmbedderRequests } from '../../embed/index.js'
import { type Failure, FailureError } from '../../errors/index.js'
import type { IndexJob } from '../../index/index.js'
import { JobCancelled } from '../../threads/index.js'
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
  | { readonly kind: 'completeNames'; readonly path: string }
  | { readonly kind: 'release'; readonly path: string }
  | { readonly kind: 'close' }

/** From the indexing thread to the server thread. */
export type Reply =
  | { readonly kind: 'progress'; readonly step: string; readonly finished: number; readonly total: number }
  | { readonly kind: 'requests'; readonly requests: EmbedderRequests }
  | { readonly kind: 'warning'; readonly problem: Problem }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** Errors lose their class on the way between threads. */
export type Problem =
  | { readonly is: 'failure'; readonly failure: Failure }
  | { readonly is: 'cancelled' }
  | {
      readonly is: 'surprise'
      readonly message: string
      readonly stack: string | undefined
      /** A name from Node, or a number from LMDB. */
      readonly code: string | number | undefined
    }

export function toProblem(error: unknown): Problem {
  if (error instanceof FailureError) return { is: 'failure', failure: error.failure }
  if (error instanceof JobCancelled) return { is: 'cancelled' }
  const { message, stack, code } = error as NodeJS.ErrnoException
  return {
    is: 'surprise',
    message: String(message ?? error),
    stack,
    code,
  }
}

export function toError(problem: Problem): Error {
  if (problem.is === 'failure') return new FailureError(problem.failure)
  if (problem.is === 'cancelled') return new JobCancelled()
  return Object.assign(new Error(problem.message), { code: problem.code, stack: problem.stack })
}
