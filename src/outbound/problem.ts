import { errors } from 'undici'

/**
 * Why there is no answer:
 * - `refused-address`: the policy forbids the target; nothing was sent
 * - `timeout`: the total time or the time to connect is over
 * - `connect`: no name, no connection, no TLS, or a connection that broke
 * - `too-large`: the body of the answer passed `maxAnswerBytes`
 * - `aborted`: the caller's signal, or `close()`
 * - `protocol`: not an HTTP URL, a header that cannot be sent, an answer that is not HTTP, too many redirects
 */
export type ProblemKind = 'refused-address' | 'timeout' | 'connect' | 'too-large' | 'aborted' | 'protocol'

/** `message` names at most the origin of the target: paths, queries and headers may hold secrets. */
export interface OutboundProblem {
  readonly kind: ProblemKind
  readonly message: string
}

/** An expected outcome of a call: the caller has to look before it can use the answer. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: OutboundProblem }

/** Thrown by the body of a streamed answer when it ends early. */
export class OutboundError extends Error {
  constructor(
    readonly problem: OutboundProblem,
    options?: ErrorOptions,
  ) {
    super(problem.message, options)
    this.name = 'OutboundError'
  }
}

export function problemError(kind: ProblemKind, message: string, cause?: unknown): OutboundError {
  return new OutboundError({ kind, message }, { cause })
}

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
