import { type Failure, failure } from '../errors/index.js'
import type { OutboundAnswer } from './client.js'
import type { OutboundProblem } from './problem.js'

/** How much of an answer a message shows. */
const SHOWN_BYTES = 500

/** A sentence about another server of the network, by its name. */
export const remoteSays = (name: string, what: string): string => `Remote \`${name}\`: ${what}.`

/** Scheme and authority of another server's URL, whose path and query do not count; undefined where it is unusable. */
export function remoteOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, origin } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined
}

/** What it means that another server could not be asked (spec 8 §3.7). */
export function remoteProblem(name: string, { kind, message }: OutboundProblem): Failure {
  const said = remoteSays(name, message)
  if (kind === 'timeout') return failure('remote_timeout', said)
  const isBad = kind === 'too-large' || kind === 'protocol'
  return failure(isBad ? 'remote_bad_response' : 'remote_could_not_send_request', said)
}

/** What the status of its answer means, where that is no success (spec 8 §3.7). */
export function remoteRefusal(name: string, { status, body }: Pick<OutboundAnswer, 'status' | 'body'>): Failure {
  const said = remoteSays(name, `it answered with status ${status}: ${body.toString('utf8', 0, SHOWN_BYTES)}`)
  if (status === 401 || status === 403) return failure('remote_invalid_api_key', said)
  if (status >= 500) return failure('remote_remote_error', said)
  return failure(status >= 400 ? 'remote_bad_request' : 'remote_bad_response', said)
}
