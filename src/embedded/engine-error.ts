import {
  DEFAULT_ERRORS_URL,
  type ErrorType,
  errorBody,
  type Failure,
  FailureError,
  type Result,
} from '../errors/index.js'

/** What the HTTP interface answers as an error body, thrown. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** Such as `invalid_search_filter`. */
  readonly code: string
  readonly type: ErrorType
  /** Leads to an explanation. */
  readonly link: string

  constructor(failure: Failure, options?: ErrorOptions) {
    const { message, code, type, link } = errorBody(failure, DEFAULT_ERRORS_URL)
    super(message, options)
    this.code = code
    this.type = type
    this.link = link
  }
}

/** The value of a result that is one; throws `EngineError` otherwise. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new EngineError(result.failure)
}

/** Runs something that throws failures as the engine does inside. */
export function throwingErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof FailureError ? new EngineError(error.failure, { cause: error }) : error
  }
}
