import { errors } from 'undici'
import { OutboundError, problemError } from './problem.js'

/**
 * What a failed call means. Errors of the client and of sockets carry a `code`; anything else is a mistake in our
 * own code and is thrown on. Messages of foreign errors are not passed on: they could quote a header.
 */
export function toOutboundError(error: unknown, origin: string): OutboundError {
  if (error instanceof OutboundError) return error
  if (error instanceof errors.HTTPParserError) {
    return problemError('protocol', `the answer of ${origin} is not valid HTTP`, error)
  }
  const code = codeOf(error)
  if (code === undefined) throw error
  if (TIMEOUT_CODES.has(code)) return problemError('timeout', `no connection to ${origin} in time`, error)
  if (CLOSED_CODES.has(code)) return problemError('aborted', 'the client for outgoing requests was closed', error)
  if (PROTOCOL_CODES.has(code)) {
    return problemError('protocol', `the exchange with ${origin} is not valid HTTP (${code})`, error)
  }
  return problemError('connect', `the connection to ${origin} failed (${code})`, error)
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
const CLOSED_CODES = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])
const PROTOCOL_CODES = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
