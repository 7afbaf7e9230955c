import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../log/index.js'
import { ClientGoneError } from '../../searching/index.js'
import { type Answer, errorAnswer } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { negotiateEncoding } from './accept-encoding.js'
import { recordRequest } from './access-log.js'
import { answerPreflight } from './cors.js'
import { dispatch } from './dispatch.js'
import { type Exchange, openExchange } from './exchange.js'
import type { Pattern } from './pattern.js'
import { respond } from './respond.js'
import { shownPath } from './shown-path.js'
import { drainBody } from './unread-body.js'
import { protocolRefusal, type Refusal, unknownPath, wrongMethod } from './unrouted.js'

/** A request as the router hands it on. */
export interface Routed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Undefined when the path is unknown. */
  readonly pattern: Pattern | undefined
  readonly params: unknown
}

/** Prepares the function that takes every request from the router to its answer. */
export function createServe(context: ServerContext, patterns: readonly Pattern[]): (routed: Routed) => Promise<void> {
  const desk: Desk = { context, patterns, log: context.log.child('server') }
  return (routed) => serve(desk, routed)
}

interface Desk {
  readonly context: ServerContext
  readonly patterns: readonly Pattern[]
  readonly log: Logger
}

async function serve(desk: Desk, routed: Routed): Promise<void> {
  const { request, response, pattern } = routed
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  const exchange = openExchange({ request, response, encoding })
  try {
    const answer = await answerTo(desk, routed, exchange)
    // Else a client could keep its connection, and the closing server waiting, for as long as it likes.
    if (desk.context.closing.aborted) response.shouldKeepAlive = false
    drainBody(request)
    const sent = respond(exchange, answer)
    if (sent !== undefined) await sent
    recordRequest({ context: desk.context, log: desk.log, exchange, answer, pattern: pattern?.path })
  } catch (error) {
    if (!(error instanceof ClientGoneError)) {
      desk.log.error({ path: shownPath(exchange.path), error }, 'an answer could not be sent')
    }
    response.destroy()
  }
}

/** Objects of each request are written out, not spread from others: that would give each of them a new hidden class. */
function answerTo(desk: Desk, { request, pattern, params }: Routed, exchange: Exchange): Answer | Promise<Answer> {
  const preflight = answerPreflight(exchange.method, request.headers)
  if (preflight) return preflight
  const misuse = protocolRefusal(exchange)
  if (misuse) return refused(desk, misuse)
  if (!pattern) return refused(desk, unknownPath(exchange.path, desk.patterns))
  const route = pattern.byMethod.get(exchange.method)
  if (!route) return refused(desk, wrongMethod(exchange, pattern))
  const { context, log } = desk
  return dispatch({ context, log, exchange, route, params: params as Readonly<Record<string, string>> })
}

function refused({ context }: Desk, { failure, status, headers }: Refusal): Answer {
  return { ...errorAnswer(failure, context.config.errorsUrl, status), headers }
}
