import { fail, ok } from '../../errors/index.js'
import { type Directives, type Log, parseDirectives, type StreamMode } from '../../log/index.js'
import { bool, nullable, object, oneOf, optional, refined, text } from '../../shape/index.js'
import { empty, stream } from '../answers/answer.js'
import { jsonBody, route } from '../http/route.js'
import { LineQueue } from './line-queue.js'

const INFO: Directives = { level: 'INFO', modules: [] }

const target = refined(text, (found) => {
  const parsed = parseDirectives(found)
  return parsed.ok ? ok(parsed.value) : `a log target was expected: ${parsed.reason}`
})

const streamRequest = refined(
  object({
    target: optional(nullable(target), 'bad_request'),
    mode: optional(nullable(oneOf(['human', 'json', 'profile'])), 'bad_request'),
    profileMemory: optional(nullable(bool), 'bad_request'),
  }),
  (request) =>
    request.profileMemory && request.mode !== 'profile'
      ? // This code has nothing to do with typos, but it is what clients know (spec 1 §5.6).
        fail('invalid_settings_typo_tolerance', '`.profileMemory` can only be used with the mode `profile`.')
      : ok(request),
)

const feature = { name: 'logsRoute', doing: 'Using the log routes' } as const

export const routes = [
  route({
    method: 'POST',
    path: '/logs/stream',
    action: 'metrics.get',
    body: jsonBody(streamRequest),
    feature,
    handle({ body, context }) {
      const chunks = listen({ log: context.log, directives: body.target ?? INFO, mode: body.mode ?? 'human' })
      if (!chunks) return fail('bad_request', 'Somebody is listening to the logs already: only one can at a time.')
      context.closing.addEventListener('abort', () => chunks.end(), { once: true })
      const headers = { 'X-Accel-Buffering': 'no' }
      return stream({ status: 200, chunks, contentType: 'application/octet-stream', headers })
    },
  }),

  route({
    method: 'DELETE',
    path: '/logs/stream',
    action: 'metrics.get',
    feature,
    handle({ context }) {
      context.log.closeStream()
      return empty(204)
    },
  }),

  route({
    method: 'POST',
    path: '/logs/stderr',
    action: 'metrics.get',
    body: jsonBody(object({ target: optional(nullable(target), 'bad_request') })),
    feature,
    handle({ body, context }) {
      context.log.setStderrTarget(body.target ?? INFO)
      return empty(204)
    },
  }),
]

function listen({ log, directives, mode }: { log: Log; directives: Directives; mode: StreamMode }): LineQueue | null {
  const queue = new LineQueue(() => opened?.close())
  const opened = log.openStream({ directives, mode, sink: queue })
  return opened && queue
}
