import { connect } from 'node:net'

const TIMEOUT_MS = 1_000

/**
 * Whether somebody listens under the address of a URL. False only if the machine says that nobody does: one that does not
 * answer may be cut off from this one and still answer others.
 */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: TIMEOUT_MS,
    })
    const answer = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => answer(true))
    socket.once('timeout', () => answer(true))
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code !== 'ECONNREFUSED'))
  })
}
