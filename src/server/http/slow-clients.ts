import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long clients are waited for. */
export interface Patience {
  /** From the first byte of a request, or of the connection, to the end of its head. */
  readonly headMs: number
  /** Without a byte of a body that has begun, or of an answer that was not taken yet. */
  readonly idleMs: number
  /** Bytes of a body that have to come in each `periodMs`, however evenly. */
  readonly leastBytes: number
  readonly periodMs: number
  /** How often connections are looked at: several times in `idleMs`. */
  readonly lookEveryMs: number
}

/** A body that makes progress may take hours: 100 bytes a second are fewer than any line carries. */
export const PATIENCE: Patience = {
  headMs: 30_000,
  idleMs: 30_000,
  leastBytes: 6_000,
  periodMs: 60_000,
  lookEveryMs: 5_000,
}

/** The request that a connection is busy with, and what had come of it when. */
interface Client {
  request: IncomingMessage
  response: ServerResponse
  /** Whether it has to take some of what it was sent. */
  isTimed: boolean
  /** All that came on the connection, when the server last waited for more; -1 when it did not. */
  bytes: number
  bytesAt: number
  periodBytes: number
  periodAt: number
}

/** Ends the connections of clients that send or take so slowly that they only hold them. */
export class SlowClients {
  private readonly clients = new Map<Socket, Client>()

  constructor(
    private readonly patience: Patience,
    /** Answers and ends a connection whose request did not arrive in time. */
    private readonly refuse: (socket: Socket) => void,
  ) {}

  /** Looks at all connections every now and then, until the returned function is called. */
  start(): () => void {
    const timer = setInterval(() => this.look(), this.patience.lookEveryMs).unref()
    return () => clearInterval(timer)
  }

  /** A connection has a new request. It costs a look into a map: everything else is left to the next look. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const known = this.clients.get(socket)
    if (known !== undefined) {
      known.request = request
      known.response = response
      return
    }
    const now = performance.now()
    this.clients.set(socket, {
      request,
      response,
      isTimed: false,
      bytes: -1,
      bytesAt: now,
      periodBytes: 0,
      periodAt: now,
    })
    socket.once('close', () => this.clients.delete(socket))
  }

  private look(): void {
    const now = performance.now()
    for (const [socket, client] of this.clients) {
      this.timeAnswer(socket, client)
      if (!isAwaited(client)) client.bytes = -1
      else if (this.isTooSlow(client, socket.bytesRead, now)) this.drop(socket, client)
    }
  }

  /**
   * While a client has not taken all there is for it, Node ends the connection when none of it goes out for `idleMs`.
   * Once it has, the server may think for as long as it needs; after the answer the connection has a timer of its own.
   */
  private timeAnswer(socket: Socket, client: Client): void {
    const isUnread = socket.writableLength > 0
    if (isUnread === client.isTimed) return
    client.isTimed = isUnread
    if (isUnread) socket.setTimeout(this.patience.idleMs)
    else if (!client.response.writableFinished) socket.setTimeout(0)
  }

  private isTooSlow(client: Client, bytes: number, now: number): boolean {
    if (client.bytes === -1) {
      client.periodBytes = bytes
      client.periodAt = now
    }
    if (bytes !== client.bytes) {
      client.bytes = bytes
      client.bytesAt = now
    }
    if (now - client.bytesAt >= this.patience.idleMs) return true
    if (now - client.periodAt < this.patience.periodMs) return false
    const isTooFew = bytes - client.periodBytes < this.patience.leastBytes
    client.periodBytes = bytes
    client.periodAt = now
    return isTooFew
  }

  private drop(socket: Socket, { response }: Client): void {
    if (response.headersSent) socket.destroy()
    else this.refuse(socket)
  }
}

/** Whether the server reads a body and wants more of it. While it does not, the client is not to blame. */
function isAwaited({ request }: Client): boolean {
  if (request.complete || request.destroyed) return false
  const isRead = request.readableFlowing === true || request.listenerCount('readable') > 0
  return isRead && request.readableLength < request.readableHighWaterMark
}
