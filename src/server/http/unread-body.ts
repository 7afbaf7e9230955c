import type { IncomingMessage } from 'node:http'

/** Beyond these a client that goes on sending after it was answered loses its connection. */
const DRAIN_LIMIT_BYTES = 32 * 1024 * 1024
const DRAIN_LIMIT_MS = 10_000

/**
 * Takes in and throws away what is left of a body that was answered without being read, so that the client gets to
 * see the answer: closing at once would reset the connection under it. The connection stays usable.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed || !announcesBody(request)) return
  let drained = 0
  const giveUp = () => request.destroy()
  const timer = setTimeout(giveUp, DRAIN_LIMIT_MS).unref()
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > DRAIN_LIMIT_BYTES) giveUp()
  })
  request.once('error', () => {}).once('close', () => clearTimeout(timer))
  request.resume()
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
