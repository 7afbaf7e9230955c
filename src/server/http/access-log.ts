import type { Logger } from '../../log/index.js'
import { maskQuery } from '../../secret/index.js'
import type { Answer } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import type { Exchange } from './exchange.js'
import { shownPath } from './shown-path.js'

export interface Answered {
  readonly context: ServerContext
  readonly log: Logger
  readonly exchange: Exchange
  readonly answer: Answer
  /** The path of the route, or undefined when none matched. */
  readonly pattern: string | undefined
}

/** One record for each request (spec 1 §6.6), and its place in the metrics. */
export function recordRequest({ context, log, exchange, answer, pattern }: Answered): void {
  const { method, rawQuery, request, startedAtMs } = exchange
  const path = shownPath(exchange.path)
  const { status } = answer
  const milliseconds = performance.now() - startedAtMs
  const answered = { method, pattern, path, status, seconds: milliseconds / 1000 }
  context.requestMetrics.count(answered)
  if (context.features.isOn('metrics')) context.requestMetrics.time(answered)
  const { host, 'user-agent': agent, 'x-meilisearch-client': client } = request.headers
  const facts = {
    method,
    host,
    path,
    query: maskQuery(rawQuery),
    userAgent: client ?? agent,
    status,
    error: answer.kind === 'whole' ? answer.errorCode : undefined,
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  }
  log.info(facts, 'request')
}
