import { type Catalogue, catalogue, type ErrorCode, type ErrorType } from './catalogue.js'
import { boundedMessage } from './excerpt.js'

/** A failure a user can see: a row of the catalogue with its facts filled in. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
}

/** An expected outcome: the caller has to look before it can use the value. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** The JSON body of every error answer and of `error` in tasks: exactly these members, in this order. */
export interface ErrorBody {
  readonly message: string
  readonly code: string
  readonly type: ErrorType
  readonly link: string
}

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** Fills the row of `code` with the facts its message names. */
export function failure<C extends ErrorCode>(code: C, ...facts: Parameters<Catalogue[C]['message']>): Failure {
  const message = catalogue[code].message as (...facts: unknown[]) => string
  return failureSaying(code, message(...facts))
}

/** The same as a `Result` that failed. */
export function fail<C extends ErrorCode>(
  code: C,
  ...facts: Parameters<Catalogue[C]['message']>
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure(code, ...facts) }
}

/** A failure whose sentence was built where the value was checked, for codes that are only known at run time. */
export function failureSaying(code: ErrorCode, message: string): Failure {
  return { code, message: boundedMessage(message) }
}

/**
 * Carries a failure out of deep code where a `Result` would have to pass through many hands.
 * Caught in two places only: the task runner and the HTTP edge.
 */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options)
    this.name = 'FailureError'
  }
}

export function statusOf(code: ErrorCode): number {
  return catalogue[code].status
}

export const DEFAULT_ERRORS_URL = 'https://docs.meilisearch.com/errors'

/** The four members of an error answer. `errorsUrl` is the base of `link`. */
export function errorBody({ code, message }: Failure, errorsUrl = DEFAULT_ERRORS_URL): ErrorBody {
  return { message, code, type: catalogue[code].type, link: `${errorsUrl}#${code}` }
}
