import { Readable } from 'node:stream'
import type { Outbound } from '../../outbound/index.js'

/** What the client of the object store hands over to be sent. */
export interface StoreRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface StoreAnswer {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Readable
}

/** Nothing came back: the request may be made again. */
export class TransportError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransportError'
  }
}

/** A part of some hundred megabytes takes its time. */
const TIMEOUT_MS = 15 * 60_000
const MAX_ANSWER_BYTES = 1 << 20

/** Lets the client of the object store call out the way everything does, under the policy for addresses. */
export class OutboundHandler {
  constructor(private readonly outbound: Pick<Outbound, 'request'>) {}

  async handle(request: StoreRequest): Promise<{ response: StoreAnswer }> {
    const outcome = await this.outbound.request({
      method: request.method,
      url: urlOf(request),
      headers: Object.entries(request.headers),
      ...bodyOf(request.body),
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      followRedirects: false,
    })
    if (!outcome.ok) throw new TransportError(outcome.problem.message)
    const { status, headers, body } = outcome.value
    return { response: { statusCode: status, headers: Object.fromEntries(headers), body: Readable.from([body]) } }
  }
}

function urlOf({ protocol, hostname, port, path, query = {} }: StoreRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map(
      (item: string) => `${encodeURIComponent(name)}=${encodeURIComponent(item)}`,
    ),
  )
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search}`
}

function bodyOf(body: unknown): { body?: string | Uint8Array } {
  if (body === undefined || body === null) return {}
  if (typeof body === 'string' || body instanceof Uint8Array) return { body }
  throw new Error('only bodies that are in memory are sent to the object store')
}
