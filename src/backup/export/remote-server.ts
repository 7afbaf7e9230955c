import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { FailureError, failureSaying } from '../../errors/index.js'
import { isObject, type JsonValue, parseBytes, print } from '../../json/index.js'
import type { HeaderPair, Outbound, OutboundAnswer } from '../../outbound/index.js'
import { type Attempt, type BackoffLimits, retrying } from '../backoff.js'
import { withoutLastSlashes } from '../slashes.js'
import { checkCancelled, type Watch } from '../watch.js'

export interface RemoteServices {
  readonly outbound: Pick<Outbound, 'request'>
  readonly watch: Watch
  readonly limits?: BackoffLimits
}

interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: readonly HeaderPair[]
  readonly body?: string | Uint8Array
}

/** For one request (spec 2 §9.3). */
const TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 1 << 20

/** Answers after which the same request may work. */
const PASSING = [408, 429, 500, 502, 503, 504]

const compress = promisify(gzip)

/** Another server with the same interface, that indexes are sent to. Throws `FailureError` when it refuses for good. */
export class RemoteServer {
  private readonly url: string

  constructor(
    target: { readonly url: string; readonly apiKey: string | null },
    private readonly services: RemoteServices,
  ) {
    this.url = withoutLastSlashes(target.url)
    this.authorization = target.apiKey === null ? [] : [['Authorization', `Bearer ${target.apiKey}`]]
  }

  private readonly authorization: readonly HeaderPair[]

  async hasIndex(uid: string): Promise<boolean> {
    const request: RemoteRequest = { method: 'GET', path: `/indexes/${uid}` }
    const answer = await this.send(
      request,
      ({ status, body }) => isSuccess(status) || codeOf(body) === 'index_not_found',
    )
    return isSuccess(answer.status)
  }

  async createIndex(uid: string, primaryKey: string | null): Promise<void> {
    await this.sendJson('POST', '/indexes', new Map([['uid', uid] as const, ['primaryKey', primaryKey] as const]))
  }

  async setPrimaryKey(uid: string, primaryKey: string | null): Promise<void> {
    await this.sendJson('PATCH', `/indexes/${uid}`, new Map([['primaryKey', primaryKey]]))
  }

  async setSettings(uid: string, settings: JsonValue): Promise<void> {
    await this.sendJson('PATCH', `/indexes/${uid}/settings`, settings)
  }

  /** One JSON object a line. */
  async addDocuments(uid: string, lines: string): Promise<void> {
    await this.send({
      method: 'POST',
      path: `/indexes/${uid}/documents`,
      headers: [
        ['Content-Type', 'application/x-ndjson'],
        ['Content-Encoding', 'gzip'],
      ],
      body: await compress(lines),
    })
  }

  private async sendJson(method: 'POST' | 'PATCH', path: string, value: JsonValue): Promise<void> {
    await this.send({ method, path, headers: [['Content-Type', 'application/json']], body: print(value) })
  }

  private send(request: RemoteRequest, isFine = successful): Promise<OutboundAnswer> {
    const { watch, limits } = this.services
    const check = () => checkCancelled(watch)
    return retrying(() => this.attempt(request, isFine), { check, ...(limits === undefined ? {} : { limits }) })
  }

  private async attempt(
    request: RemoteRequest,
    isFine: (answer: OutboundAnswer) => boolean,
  ): Promise<Attempt<OutboundAnswer>> {
    const { method, path, headers = [], body } = request
    const outcome = await this.services.outbound.request({
      method,
      url: `${this.url}${path}`,
      headers: [...this.authorization, ...headers],
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    if (!outcome.ok) {
      const { kind, message } = outcome.problem
      return { is: kind === 'protocol' ? 'final' : 'again', error: refusal(request, message) }
    }
    const answer = outcome.value
    if (isFine(answer)) return { is: 'done', value: answer }
    return { is: PASSING.includes(answer.status) ? 'again' : 'final', error: refusal(request, said(answer)) }
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const successful = ({ status }: OutboundAnswer): boolean => isSuccess(status)

function codeOf(body: Buffer): string | undefined {
  const code = memberOf(body, 'code')
  return typeof code === 'string' ? code : undefined
}

function memberOf(body: Buffer, name: string): JsonValue | undefined {
  const parsed = parseBytes(body)
  return parsed.ok && isObject(parsed.value) ? parsed.value.get(name) : undefined
}

/** What another server says about itself, as far as it does. */
function said({ status, body }: OutboundAnswer): string {
  const [code, type, message] = ['code', 'type', 'message'].map((name) => memberOf(body, name))
  if (typeof code !== 'string') return `it answered with status ${status}`
  return `it answered with status ${status}, ${code} (${String(type)}): ${String(message)}`
}

const refusal = ({ method, path }: RemoteRequest, reason: string): FailureError =>
  new FailureError(failureSaying('internal', `The other server did not accept ${method} ${path}: ${reason}.`))
