import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Negotiated } from './accept-encoding.js'
import { queryOf } from './path.js'

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
  const target = fields.request.url ?? '/'
  const [path = '/'] = target.split('?', 1)
  return {
    ...fields,
    method: fields.request.sentMethod ?? 'GET',
    path,
    rawQuery: queryOf(target),
    startedAtMs: performance.now(),
  }
}
