import { type Failure, FailureError } from '../errors/index.js'
import { JobCancelled } from './job-cancelled.js'

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
