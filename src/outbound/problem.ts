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
