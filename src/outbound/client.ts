import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { guardedConnector, type Resolve, systemResolve } from './connector.js'
import { Deadline, type StartTimer, systemTimer } from './deadline.js'
import { toOutboundError } from './foreign-error.js'
import { type HeaderPair, type Hop, nextHop, type OutboundBody, parseTarget, wireHeaders } from './hop.js'
import type { AllowedNetworks } from './policy.js'
import { OutboundError, type Outcome, problemError } from './problem.js'

export interface OutboundOptions {
  readonly networks: AllowedNetworks
  /** Sent as `User-Agent` unless the request names its own. */
  readonly userAgent: string
  /** Name resolution; the system's by default. */
  readonly resolve?: Resolve
  readonly startTimer?: StartTimer
}

export interface OutboundRequest {
  readonly method: string
  readonly url: string
  /** Pairs, or a `Map`. A name may come twice. Headers about framing (`Content-Length`, ...) are left out. */
  readonly headers?: Iterable<HeaderPair>
  /** Text and bytes are sent with `Content-Length`, an iterable in chunks. */
  readonly body?: OutboundBody
  /** Sends text or bytes in chunks too. Unlike an iterable they can be sent again when a redirect asks for it. */
  readonly chunked?: boolean
  /** For everything: redirects, headers and the whole body of the answer. */
  readonly timeoutMs: number
  /** For name resolution, TCP and TLS of one connection. Default 10 s. */
  readonly connectTimeoutMs?: number
  /** Limit of the answer's body. */
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal
  /** Default true. Every target is checked by the policy, another origin gets no credentials, ten hops at most. */
  readonly followRedirects?: boolean
}

interface AnswerHead {
  readonly status: number
  /** Names in lower case; values of repeated headers are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
}

export interface OutboundAnswer extends AnswerHead {
  readonly body: Buffer
}

export interface OutboundStream extends AnswerHead {
  /** Read at the caller's pace. Throws `OutboundError` when the answer breaks off, is too large or too late. */
  readonly body: AsyncIterable<Uint8Array>
  /** For a caller that needs only the head: frees the connection in the background. */
  discard(): void
}

/** The one way out: every outgoing HTTP request of the server. An answer of any status is a success here. */
export interface Outbound {
  request(request: OutboundRequest): Promise<Outcome<OutboundAnswer>>
  stream(request: OutboundRequest): Promise<Outcome<OutboundStream>>
  /** Ends all running requests with `aborted`. */
  close(): Promise<void>
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 10
// A rest this small is read to keep the connection; beyond it a new connection is cheaper.
const DISCARD_LIMIT_BYTES = 64 * 1024

export function createOutbound(options: OutboundOptions): Outbound {
  return new Client(options)
}

class Client implements Outbound {
  // The time to connect belongs to the pool, not to the request; callers use a handful of values.
  private readonly agents = new Map<number, Agent>()
  private readonly startTimer: StartTimer
  private isClosed = false

  constructor(private readonly options: OutboundOptions) {
    this.startTimer = options.startTimer ?? systemTimer
  }

  async request(request: OutboundRequest): Promise<Outcome<OutboundAnswer>> {
    const opened = await this.stream(request)
    if (!opened.ok) return opened
    const { status, headers, body } = opened.value
    try {
      return { ok: true, value: { status, headers, body: await readAll(body) } }
    } catch (error) {
      if (error instanceof OutboundError) return { ok: false, problem: error.problem }
      throw error
    }
  }

  async stream(request: OutboundRequest): Promise<Outcome<OutboundStream>> {
    try {
      const first: Hop = {
        method: request.method,
        url: parseTarget(request.url),
        headers: [...(request.headers ?? [])],
        body: request.body,
      }
      return { ok: true, value: await this.open(request, first) }
    } catch (error) {
      if (error instanceof OutboundError) return { ok: false, problem: error.problem }
      throw error
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()))
  }

  private async open(request: OutboundRequest, first: Hop): Promise<OutboundStream> {
    const { origin } = first.url
    const { startTimer } = this
    const deadline = new Deadline({ timeoutMs: request.timeoutMs, origin, startTimer, callerSignal: request.signal })
    try {
      const answer = await this.follow(request, first, deadline)
      return streamOf({ answer, origin, deadline, maxAnswerBytes: request.maxAnswerBytes })
    } catch (error) {
      deadline.end()
      throw error
    }
  }

  private async follow(request: OutboundRequest, first: Hop, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    let hop = first
    for (let redirects = 0; ; redirects++) {
      deadline.signal.throwIfAborted()
      const answer = await this.exchange(request, hop, deadline)
      if (request.followRedirects === false) return answer
      const next = followed(hop, answer)
      if (next === undefined) return answer
      drop(answer)
      if (redirects === MAX_REDIRECTS) {
        throw problemError('protocol', `${first.url.origin} redirects more than ${MAX_REDIRECTS} times`)
      }
      hop = next
    }
  }

  private async exchange(request: OutboundRequest, hop: Hop, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    const agent = this.agent(request.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS)
    const source = new BodySource(hop.body, request.chunked ?? false)
    const answered = agent.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method as Dispatcher.HttpMethod,
      headers: wireHeaders(hop, this.options.userAgent),
      body: source.body,
      signal: deadline.signal,
      // The deadline covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    try {
      return await deadline.race(answered)
    } catch (error) {
      source.throwIfBroken()
      throw toOutboundError(error, hop.url.origin)
    }
  }

  private agent(connectTimeoutMs: number): Agent {
    if (this.isClosed) throw problemError('aborted', 'the client for outgoing requests was closed')
    const known = this.agents.get(connectTimeoutMs)
    if (known !== undefined) return known
    const { networks, resolve = systemResolve } = this.options
    const agent = new Agent({ connect: guardedConnector({ networks, resolve, connectTimeoutMs }) })
    this.agents.set(connectTimeoutMs, agent)
    return agent
  }
}

/** What is sent, remembering an error of the caller's iterable: that one is the caller's, not the network's. */
class BodySource {
  readonly body: string | Uint8Array | Readable | undefined
  private failure: { readonly error: unknown } | undefined

  constructor(body: OutboundBody | undefined, chunked: boolean) {
    if (body === undefined) return
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    if (isWhole && !chunked) this.body = body
    // A stream of objects has no length in bytes, so it is sent in chunks.
    else this.body = Readable.from(isWhole ? [body] : this.watched(body))
  }

  throwIfBroken(): void {
    if (this.failure !== undefined) throw this.failure.error
  }

  private async *watched(body: AsyncIterable<string | Uint8Array>) {
    try {
      yield* body
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }
}

function followed(hop: Hop, answer: Dispatcher.ResponseData): Hop | undefined {
  try {
    return nextHop(hop, answer.statusCode, headerMap(answer.headers).get('location'))
  } catch (error) {
    drop(answer)
    throw error
  }
}

/** Reads the little that is left or closes the connection. Nobody waits for the outcome. */
function drop({ body }: Dispatcher.ResponseData): Promise<void> {
  return body.dump({ limit: DISCARD_LIMIT_BYTES }).catch(() => {})
}

interface OpenAnswer {
  readonly answer: Dispatcher.ResponseData
  readonly origin: string
  readonly deadline: Deadline
  readonly maxAnswerBytes: number
}

function streamOf(open: OpenAnswer): OutboundStream {
  const { answer, deadline } = open
  return {
    status: answer.statusCode,
    headers: headerMap(answer.headers),
    body: limitedBody(open),
    discard: () => void drop(answer).finally(() => deadline.end()),
  }
}

async function* limitedBody({ answer, origin, deadline, maxAnswerBytes }: OpenAnswer): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxAnswerBytes) {
        throw problemError('too-large', `the answer of ${origin} is larger than ${maxAnswerBytes} bytes`)
      }
      yield chunk
    }
  } catch (error) {
    throw toOutboundError(error, origin)
  } finally {
    deadline.end()
  }
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function headerMap(headers: Record<string, string | string[] | undefined>): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value)
  }
  return map
}
