import { type Failure, failure } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import type { Headers } from '../answers/answer.js'
import { CODINGS } from './accept-encoding.js'
import { VARY } from './cors.js'
import type { Exchange } from './exchange.js'
import { nearRoutes } from './near-routes.js'
import type { Pattern } from './pattern.js'

/**
 * A refusal before any route is asked. The interface has no codes for these, so all of them are `bad_request`; the
 * status is the one of HTTP.
 */
export interface Refusal {
  readonly status: number
  readonly failure: Failure
  readonly headers: Headers
}

const NO_HEADERS: Headers = {}

const refusal = (status: number, message: string, headers = NO_HEADERS): Refusal => ({
  status,
  failure: failure('bad_request', message),
  headers,
})

/** What a request asks of HTTP itself that it cannot have. */
export function protocolRefusal({ request, encoding }: Exchange): Refusal | undefined {
  const { host, expect } = request.headers
  if (host === undefined && request.httpVersion === '1.1') {
    return refusal(400, 'A request of HTTP/1.1 must have a Host header.', { Connection: 'close' })
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return refusal(417, `The Expect header may be "100-continue", not ${shown(expect)}.`)
  }
  return encoding === 'none' ? notAcceptable() : undefined
}

function notAcceptable(): Refusal {
  const codings = [...CODINGS, 'identity'].join(', ')
  const message = `The Accept-Encoding header excludes every coding of this server, which are ${codings}.`
  return refusal(406, message, { Vary: `${VARY}, Accept-Encoding` })
}

export function unknownPath(path: string, patterns: readonly Pattern[]): Refusal {
  const near = nearRoutes(path, patterns).map((pattern) => `${pattern.path} (${pattern.allow})`)
  const hint = near.length === 0 ? '' : ` Near it there ${near.length === 1 ? 'is' : 'are'} ${near.join(', ')}.`
  return refusal(404, `There is no route ${shown(path)}.${hint} GET /openapi.json describes all routes.`)
}

export function wrongMethod({ method, path }: Exchange, { allow }: Pattern): Refusal {
  return refusal(405, `The route ${shown(path)} does not take ${method}; its methods are ${allow}.`, { Allow: allow })
}
