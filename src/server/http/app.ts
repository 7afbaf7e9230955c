import type { IncomingMessage } from 'node:http'
import type { ServerOptions } from 'node:https'
import { type FastifyInstance, fastify } from 'fastify'
import type { ServerContext } from '../context.js'
import { createRefuseBroken, MAX_HEADER_BYTES } from './broken-request.js'
import { normalizeTarget } from './path.js'
import { groupByPath, type Pattern } from './pattern.js'
import type { Route } from './route.js'
import { createServe } from './serve.js'
import { PATIENCE, SlowClients } from './slow-clients.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    pattern?: Pattern
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** What the client sent; `method` is for the router. */
    sentMethod?: string
  }
}

export type App = FastifyInstance

/**
 * The HTTP server. Fastify routes by path alone: every pattern is registered for one method, that of all requests as
 * the router sees them, and the real method is looked at afterwards. A path whose method is wrong must not fall
 * through to a pattern with parameters (spec 1 §1.6), and a table for every method would be eight times as long to
 * build. The first hook answers everything itself, so that bodies are read when their turn comes and no earlier.
 */
export function createApp(
  context: ServerContext,
  routes: readonly Route[],
  tls: ServerOptions | null,
  patience = PATIENCE,
): App {
  const patterns = groupByPath(routes)
  const serve = createServe(context, patterns)
  const refuse = createRefuseBroken(context.config.errorsUrl)
  const app = createFastify(tls, { refuse, ...patience })
  const slowClients = new SlowClients(patience, (socket) => refuse(LATE, socket))
  const stopLooking = slowClients.start()
  app.addHook('onClose', async () => stopLooking())
  app.addHook('onRequest', (request, reply, _done) => {
    reply.hijack()
    slowClients.begin(request.raw, reply.raw)
    const { pattern } = request.routeOptions.config
    request.raw.socket.lastResponse = reply.raw
    // What it throws is a mistake of ours that the process must not survive.
    void serve({ request: request.raw, response: reply.raw, pattern, params: request.params })
  })
  for (const pattern of patterns) {
    const url = pattern.path.replace(/\{(\w+)\}/g, ':$1')
    app.route({ method: ROUTED_METHOD, url, config: { pattern }, handler: answeredByHook })
  }
  return app
}

const ROUTED_METHOD = 'GET'

interface Care {
  /** What is no HTTP goes there. */
  readonly refuse: ReturnType<typeof createRefuseBroken>
  readonly headMs: number
  readonly lookEveryMs: number
}

function createFastify(tls: ServerOptions | null, { refuse, headMs, lookEveryMs }: Care): App {
  const options = {
    logger: false,
    rewriteUrl: prepareForRouter,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Of a whole request: a large body over a slow line takes as long as it takes.
    requestTimeout: 0,
    clientErrorHandler: refuse,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    // Without these Fastify loads a hundred modules for schemas of its own kind, of which we have none.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  }
  const http = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headMs,
    connectionsCheckingInterval: lookEveryMs,
    // A missing Host header, and an Expect header of an unknown kind, are refused in our own words.
    requireHostHeader: false,
  }
  // An HTTPS server is used like an HTTP one, and its requests and responses are the same.
  const app = tls
    ? (fastify({ ...options, https: { ...tls, ...http, handshakeTimeout: headMs } }) as unknown as App)
    : fastify({ ...options, http })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

function noSchemas(): never {
  throw new Error('routes are declared without schemas of the framework')
}

function prepareForRouter(request: IncomingMessage): string {
  request.sentMethod = request.method
  request.method = ROUTED_METHOD
  return normalizeTarget(request.url ?? '/')
}

function answeredByHook(): never {
  throw new Error('the first hook answers every request')
}

/** The error that Node reports when a head comes too slowly. */
const LATE = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
