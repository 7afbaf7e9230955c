import type { Personalizer, PersonalQuestion } from '../answer/index.js'
import { type Failure, failure, failureSaying, ok, type Result } from '../errors/index.js'
import {
  type HeaderPair,
  type Outbound,
  type OutboundAnswer,
  type OutboundProblem,
  type StartTimer,
  systemTimer,
} from '../outbound/index.js'

/** What the operator decides about personalization. Plain data: it travels to threads. */
export interface RerankOptions {
  readonly apiKey: string
  /** Default: the service of Cohere. */
  readonly url?: string
}

/** What the service needs from the process. Clock and dice are handed in by tests. */
export interface RerankServices {
  readonly client: Pick<Outbound, 'request'>
  readonly startTimer?: StartTimer
  /** From 0 to 1, excluding 1. */
  readonly random?: () => number
  /** Milliseconds on the clock of deadlines. Default: `performance.now()`. */
  readonly now?: () => number
}

const SERVICE_URL = 'https://api.cohere.ai/v1/rerank'
const MODEL = 'rerank-english-v3.0'
/** For one request (spec 7 §6). */
const TIMEOUT_MS = 30_000
/** Attempts after the first one. */
const MAX_RETRIES = 10
const RATE_LIMIT_PAUSE_MS = 100
/** An entry of the answer takes some 60 bytes, and pages rarely have more than a thousand hits. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
/** How much of an answer a message shows. */
const SHOWN_CHARACTERS = 500

/** `slowly` is for a service that asked for fewer requests. */
type Retry = 'never' | 'soon' | 'slowly'

type Attempt =
  | { readonly ok: true; readonly places: readonly number[] }
  | { readonly ok: false; readonly failure: Failure; readonly retry: Retry }

/** Asks the service that compares documents with a text, and tries again where the outcome may change (spec 7 §6). */
export class RerankService implements Personalizer {
  private readonly url: string
  private readonly headers: readonly HeaderPair[]
  private readonly now: () => number

  constructor(
    private readonly options: RerankOptions,
    private readonly services: RerankServices,
  ) {
    this.url = options.url ?? SERVICE_URL
    this.headers = [
      ['Content-Type', 'application/json'],
      ['Authorization', `Bearer ${options.apiKey}`],
    ]
    this.now = services.now ?? (() => performance.now())
  }

  async order(question: PersonalQuestion): Promise<Result<readonly number[] | null>> {
    const { documents, deadline } = question
    if (documents.length === 0 || this.now() >= deadline) return ok(null)
    const body = bodyOf(question)
    for (let retries = 0; ; retries++) {
      const attempt = await this.attempt(body, documents.length)
      if (attempt.ok) return ok(attempt.places)
      const leftMs = deadline - this.now()
      if (leftMs <= 0) return ok(null)
      if (attempt.retry === 'never' || retries === MAX_RETRIES) return { ok: false, failure: attempt.failure }
      await this.pause(Math.min(this.pauseMs(retries, attempt.retry), leftMs))
    }
  }

  private async attempt(body: string, count: number): Promise<Attempt> {
    const answered = await this.services.client.request({
      method: 'POST',
      url: this.url,
      headers: this.headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      followRedirects: false,
    })
    return answered.ok ? this.read(answered.value, count) : notAnswered(answered.problem)
  }

  private read({ status, body }: OutboundAnswer, count: number): Attempt {
    const text = body.toString('utf8')
    if (status < 200 || status > 299) return refused(status, this.shown(text))
    const places = readPlaces(text, count)
    if (places !== undefined) return { ok: true, places }
    const reason = `\`results\` with an \`index\` each were expected, this came: ${this.shown(text)}`
    return again(failure('remote_bad_response', says(reason)))
  }

  /** A part of what others wrote, without the key, should they have repeated it. */
  private shown(text: string): string {
    const harmless = text.replaceAll(this.options.apiKey, '***').trim()
    return harmless === ''
      ? 'nothing'
      : Array.from(harmless.slice(0, 2 * SHOWN_CHARACTERS))
          .slice(0, SHOWN_CHARACTERS)
          .join('')
  }

  /** Ten times as long after each failure, and up to twice that, so that searches spread out. */
  private pauseMs(retries: number, retry: Retry): number {
    const { random = Math.random } = this.services
    return (10 ** retries + (retry === 'slowly' ? RATE_LIMIT_PAUSE_MS : 0)) * (1 + random())
  }

  private pause(ms: number): Promise<void> {
    const { startTimer = systemTimer } = this.services
    return new Promise((resolve) => void startTimer(ms, resolve))
  }
}

function bodyOf({ userContext, q, documents }: PersonalQuestion): string {
  return JSON.stringify({ query: `User Context: ${userContext}\nQuery: ${q}`, documents, model: MODEL })
}

/** Undefined when the answer is not one to this question. Places that do not exist, or come again, are left out. */
function readPlaces(text: string, count: number): number[] | undefined {
  const results = resultsOf(text)
  if (results === undefined) return undefined
  const places = new Set<number>()
  for (const result of results) {
    const place = (result as { index?: unknown } | null)?.index
    if (typeof place !== 'number' || !Number.isInteger(place)) return undefined
    if (place >= 0 && place < count) places.add(place)
  }
  return [...places]
}

function resultsOf(text: string): unknown[] | undefined {
  try {
    const { results } = JSON.parse(text) as { results?: unknown }
    return Array.isArray(results) ? results : undefined
  } catch {
    // Not JSON, or `null`, which has no members.
    return undefined
  }
}

function refused(status: number, shown: string): Attempt {
  const reason = says(`it answered with status ${status}: ${shown}`)
  // What a service says of a key may be a hint at the key, and searchers need not be operators.
  if (status === 401) return final(failure('remote_invalid_api_key', says('it refused the key of this server')))
  if (status === 400) return final(failure('remote_bad_request', reason))
  if (status === 429) return { ok: false, failure: failureSaying('too_many_search_requests', reason), retry: 'slowly' }
  if (status > 400 && status < 500) return final(failure('remote_bad_response', reason))
  return again(failure(status >= 500 && status < 600 ? 'remote_remote_error' : 'remote_bad_response', reason))
}

function notAnswered({ kind, message }: OutboundProblem): Attempt {
  const reason = says(message)
  if (kind === 'too-large' || kind === 'protocol') return again(failure('remote_bad_response', reason))
  const failed = failure('remote_could_not_send_request', reason)
  // The policy would refuse it again, and who closed the client does not want it any more.
  return kind === 'refused-address' || kind === 'aborted' ? final(failed) : again(failed)
}

const says = (what: string): string => `\`personalize\`: the service that orders hits could not be used: ${what}.`
const final = (failed: Failure): Attempt => ({ ok: false, failure: failed, retry: 'never' })
const again = (failed: Failure): Attempt => ({ ok: false, failure: failed, retry: 'soon' })
