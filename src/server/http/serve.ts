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
import { groupByPath, type Pattern } from './pattern.js'
import { respond } from './respond.js'
import type { Route } from './route.js'
import { createRouter, type Match, type Router } from './router.js'
import { shownPath } from './shown-path.js'
import { drainBody } from './unread-body.js'
import { protocolRefusal, type Refusal, unknownPath, wrongMethod } from './unrouted.js'

/** Prepares the function that takes every request to its answer. */
export function createServe(
  context: ServerContext,
  routes: readonly Route[],
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const patterns = groupByPath(routes)
  const desk: Desk = { context, patterns, findPath: createRouter(patterns), log: context.log.child('server') }
  return (request, response) => serve(desk, request, response)
}

interface Desk {
  readonly context: ServerContext
  readonly patterns: readonly Pattern[]
  readonly findPath: Router
  readonly log: Logger
}

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  const exchange = openExchange({ request, response, encoding })
  const match = desk.findPath(exchange.path)
  try {
    const answer = await answerTo(desk, exchange, match)
    // Else a client could keep its connection, and the closing server waiting, for as long as it likes.
    if (desk.context.closing.aborted) response.shouldKeepAlive = false
    drainBody(request)
    const sent = respond(exchange, answer)
    if (sent !== undefined) await sent
    recordRequest({ context: desk.context, log: desk.log, exchange, answer, pattern: match?.pattern.path })
  } catch (error) {
    if (!(error instanceof ClientGoneError)) {
      desk.log.error({ path: shownPath(exchange.path), error }, 'an answer could not be sent')
    }
    response.destroy()
  }
}

/** Objects of each request are written out, not spread from others: that would give each of them a new hidden class. */
function answerTo(desk: Desk, exchange: Exchange, match: Match | undefined): Answer | Promise<Answer> {
  const preflight = answerPreflight(exchange.method, exchange.request.headers)
  if (preflight) return preflight
  const misuse = protocolRefusal(exchange)
  if (misuse) return refused(desk, misuse)
  if (!match) return refused(desk, unknownPath(exchange.path, desk.patterns))
  const route = match.pattern.byMethod.get(exchange.method)
  if (!route) return refused(desk, wrongMethod(exchange, match.pattern))
  const { context, log } = desk
  return dispatch({ context, log, exchange, route, params: match.params })
}

function refused({ context }: Desk, { failure, status, headers }: Refusal): Answer {
  return { ...errorAnswer(failure, context.config.errorsUrl, status), headers }
}
