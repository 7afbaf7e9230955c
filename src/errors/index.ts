/**
 * Which failures exist, and what each is called.
 *
 * Every failure a user can see is one row of the catalogue: code, type, HTTP status and a message that names the
 * facts. Expected outcomes travel as `Result`; surprises are thrown.
 */
export { catalogue, type ErrorCode, type ErrorType, isErrorCode } from './catalogue.js'
export { excerpt, quoted } from './excerpt.js'
export {
  DEFAULT_ERRORS_URL,
  type ErrorBody,
  errorBody,
  type Failure,
  FailureError,
  fail,
  failure,
  failureSaying,
  ok,
  type Result,
  statusOf,
} from './failure.js'
export { suggest } from './suggest.js'
export { failureFromSystemError } from './system-error.js'
