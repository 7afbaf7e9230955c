import { type Failure, failure } from '../../errors/index.js'
import { isObject, parseBytes } from '../../json/index.js'
import {
  type HeaderPair,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
  remoteOrigin,
  remoteProblem,
  remoteRefusal,
  remoteSays,
} from '../../outbound/index.js'
import type { Remote } from '../../state/index.js'

/** A request that changes something on another server. */
export interface RemoteWrite {
  readonly method: string
  readonly path: string
  readonly headers: readonly HeaderPair[]
  readonly body?: OutboundRequest['body']
}

export type RemoteAnswer =
  /** `taskUid` where it answered with a task. */
  | { readonly ok: true; readonly taskUid: number | undefined }
  /** `isPassing`: the same request may be accepted later. `code`: what the server itself called it. */
  | { readonly ok: false; readonly failure: Failure; readonly isPassing: boolean; readonly code: string | undefined }

export interface WriteServices {
  readonly outbound: Pick<Outbound, 'request'>
  readonly signal: AbortSignal
}

/** Documents of a large payload take their time. */
const TIMEOUT_MS = 300_000
const CONNECT_TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 1 << 20

/** Sends one request with the key for writes, and says in the codes of the network what went wrong (spec 8 §3.5, §3.7). */
export async function writeToRemote(
  { name, remote }: { readonly name: string; readonly remote: Remote },
  write: RemoteWrite,
  { outbound, signal }: WriteServices,
): Promise<RemoteAnswer> {
  const origin = remoteOrigin(remote.url)
  if (origin === undefined)
    return refused(failure('invalid_network_url', remoteSays(name, 'its URL is unusable')), true)
  const authorization: HeaderPair[] =
    remote.writeApiKey === null ? [] : [['Authorization', `Bearer ${remote.writeApiKey}`]]
  const answered = await outbound.request({
    method: write.method,
    url: origin + write.path,
    headers: [...write.headers, ...authorization],
    ...(write.body === undefined ? {} : { body: write.body }),
    timeoutMs: TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
    followRedirects: false,
  })
  return answered.ok ? readAnswer(name, answered.value) : refused(remoteProblem(name, answered.problem), true)
}

/** Refusals after which the same request may work: keys can be given. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 429])

function readAnswer(name: string, answered: OutboundAnswer): RemoteAnswer {
  const { status, body } = answered
  const parsed = body.length === 0 ? undefined : parseBytes(body)
  const members = parsed?.ok && isObject(parsed.value) ? parsed.value : undefined
  if (status >= 200 && status < 300) return { ok: true, taskUid: numberOf(members?.get('taskUid')) }
  const code = members?.get('code')
  const isRefused = status >= 400 && status < 500 && !PASSING.has(status)
  return refused(remoteRefusal(name, answered), !isRefused, typeof code === 'string' ? code : undefined)
}

/** Numbers of JSON may come as text that keeps their form. */
function numberOf(value: unknown): number | undefined {
  const number = Number(value)
  return value === undefined || value === null || Number.isNaN(number) ? undefined : number
}

const refused = (why: Failure, isPassing: boolean, code?: string): RemoteAnswer => ({
  ok: false,
  failure: why,
  isPassing,
  code,
})
