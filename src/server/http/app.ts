import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import type { ServerContext } from '../context.js'
import type { Tls } from '../tls.js'
import { createRefuseBroken, MAX_HEADER_BYTES } from './broken-request.js'
import { Listeners, type ListenOptions } from './listeners.js'
import type { Route } from './route.js'
import { createServe } from './serve.js'
import { PATIENCE, type Patience, SlowClients } from './slow-clients.js'

/** After this long, requests that are still running when the server closes lose their connection. */
const CLOSE_GRACE_MS = 10_000

/** How long a connection may wait for its next request: longer than the minute after which proxies give one up. */
const KEEP_ALIVE_MS = 72_000

/** The HTTP server. */
export interface App {
  /** Returns the port, once connections are accepted. */
  listen(options: ListenOptions): Promise<number>
  /** Answers what is running, then ends all connections. */
  close(): Promise<void>
}

export function createApp(context: ServerContext, routes: readonly Route[], tls: Tls | null, patience = PATIENCE): App {
  const serve = createServe(context, routes)
  const refuse = createRefuseBroken(context.config.errorsUrl)
  const slowClients = new SlowClients(patience, (socket) => refuse(LATE, socket))
  const answer: RequestListener = (request, response) => {
    slowClients.begin(request, response)
    request.socket.lastResponse = response
    // What it throws is a mistake of ours that the process must not survive.
    void serve(request, response)
  }
  const listeners = new Listeners(() => createServer(tls, patience, { answer, refuse }))
  const stopLooking = slowClients.start()
  return {
    listen: (options) => listeners.listen(options),
    close: () => listeners.close(CLOSE_GRACE_MS).finally(stopLooking),
  }
}

interface Handlers {
  readonly answer: RequestListener
  /** What is no HTTP goes there. */
  readonly refuse: ReturnType<typeof createRefuseBroken>
}

function createServer(tls: Tls | null, { headMs, lookEveryMs }: Patience, { answer, refuse }: Handlers): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headMs,
    connectionsCheckingInterval: lookEveryMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Of a whole request: a large body over a slow line takes as long as it takes.
    requestTimeout: 0,
    // A missing Host header, and an Expect header of an unknown kind, are refused in our own words.
    requireHostHeader: false,
  }
  const server = tls ? tls.createServer({ ...options, handshakeTimeout: headMs }) : createHttpServer(options)
  return server.on('request', answer).on('checkExpectation', answer).on('clientError', refuse)
}

/** The error that Node reports when a head comes too slowly. */
const LATE = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
