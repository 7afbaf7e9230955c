import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Negotiated } from './accept-encoding.js'
import { normalizeTarget } from './path.js'

/** One request and its response, with what the way out and the log need to know. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** Normalized. */
  readonly path: string
  readonly rawQuery: string
  readonly encoding: Negotiated
  readonly startedAtMs: number
}

export function openExchange(fields: {
  request: IncomingMessage
  response: ServerResponse
  encoding: Negotiated
}): Exchange {
  const { request, response, encoding } = fields
  const target = normalizeTarget(request.url ?? '/')
  const question = target.indexOf('?')
  return {
    request,
    response,
    encoding,
    method: request.method ?? 'GET',
    path: question === -1 ? target : target.slice(0, question),
    rawQuery: question === -1 ? '' : target.slice(question + 1),
    startedAtMs: performance.now(),
  }
}
