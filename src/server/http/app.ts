import type { IncomingMessage } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import type { ServerContext } from '../context.js'
import { normalizeTarget } from './path.js'
import type { Route } from './route.js'
import { createServe, type Pattern } from './serve.js'

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

/** Search filters travel in the query string, so heads of requests are long. */
const MAX_HEADER_BYTES = 128 * 1024

export type App = FastifyInstance

/**
 * The HTTP server. Fastify routes by path alone: every pattern is registered for one method, that of all requests as
 * the router sees them, and the real method is looked at afterwards. A path whose method is wrong must not fall
 * through to a pattern with parameters (spec 1 §1.6), and a table for every method would be eight times as long to
 * build. The first hook answers everything itself, so that bodies are read when their turn comes and no earlier.
 */
export function createApp(context: ServerContext, routes: readonly Route[], tls: ServerOptions | null): App {
  const serve = createServe(context)
  const app = createFastify(tls)
  app.addHook('onRequest', (request, reply, _done) => {
    reply.hijack()
    const { pattern } = request.routeOptions.config
    // What it throws is a mistake of ours that the process must not survive.
    void serve({ request: request.raw, response: reply.raw, pattern, params: request.params })
  })
  for (const pattern of groupByPath(routes)) {
    const url = pattern.path.replace(/\{(\w+)\}/g, ':$1')
    app.route({ method: ROUTED_METHOD, url, config: { pattern }, handler: answeredByHook })
  }
  return app
}

const ROUTED_METHOD = 'GET'

function createFastify(tls: ServerOptions | null): App {
  const options = {
    logger: false,
    rewriteUrl: prepareForRouter,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenRequest,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    // Without these Fastify loads a hundred modules for schemas of its own kind, of which we have none.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  }
  const limits = { maxHeaderSize: MAX_HEADER_BYTES }
  if (!tls) return fastify({ ...options, http: limits })
  // An HTTPS server is used like an HTTP one, and its requests and responses are the same.
  return fastify({ ...options, https: { ...tls, ...limits } }) as unknown as App
}

function noSchemas(): never {
  throw new Error('routes are declared without schemas of the framework')
}

function prepareForRouter(request: IncomingMessage): string {
  request.sentMethod = request.method
  request.method = ROUTED_METHOD
  return normalizeTarget(request.url ?? '/')
}

function groupByPath(routes: readonly Route[]): Pattern[] {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  return [...paths].map(([path, ofPath]) => ({
    path,
    byMethod: new Map(ofPath.map((route) => [route.method, route])),
    allow: ofPath.map(({ method }) => method).join(', '),
  }))
}

function answeredByHook(): never {
  throw new Error('the first hook answers every request')
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is no HTTP gets a bare status line. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
  if (error.code !== 'ECONNRESET' && socket.writable) {
    socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  }
  socket.destroy(error)
}
