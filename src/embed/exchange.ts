import { type JsonValue, print } from '../json/index.js'
import type { HeaderPair, OutboundAnswer, OutboundProblem } from '../outbound/index.js'
import { excerpt } from './failures.js'
import type { Patience } from './patience.js'
import type { EmbedServices } from './services.js'

/** Where requests go, and what may help when the provider refuses them. */
export interface Target {
  readonly url: string
  /** In the order in which they are sent. */
  readonly headers: readonly HeaderPair[]
  /** What to look at when a request is refused with this status; without a final stop. */
  hint(status: number): string | undefined
}

/** What came of reading an answer. A reason says where, what was expected and what was found. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** What came of a request in the end. `status` is that of the answer, if one came. */
export type Exchanged<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly status?: number }

/** `slowly` is for a provider that asked for fewer requests. */
type Retry = 'never' | 'soon' | 'slowly'

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly status?: number; readonly retry: Retry }

interface Question<T> {
  readonly body: JsonValue
  /** Reads the parsed answer. What cannot be read now would not be readable a second time. */
  readonly read: (answer: unknown) => Reading<T>
}

/** Attempts after the first one (spec 7 §1.3). */
const MAX_RETRIES = 10
const RATE_LIMIT_PAUSE_MS = 100
/** Ten vectors of 65,536 components as text; whoever sends more does not send vectors. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const SHOWN_CHARACTERS = 1_000

type SendOutcome =
  | { readonly ok: true; readonly value: OutboundAnswer }
  | { readonly ok: false; problem: OutboundProblem }

/** The server behind a remote embedder. */
export class Provider {
  constructor(
    private readonly services: EmbedServices,
    private readonly target: Target,
  ) {}

  /** Asks, and again where the outcome may change, until the caller's patience ends (spec 7 §1.3). */
  async ask<T>({ body, read }: Question<T>, patience: Patience): Promise<Exchanged<T>> {
    const text = print(body)
    for (let retries = 0; ; retries++) {
      const attempt = readAttempt(this.target, await this.send(text, patience), read)
      patience.heard(attempt.ok ? undefined : attempt.reason)
      if (attempt.ok || attempt.retry === 'never' || retries === MAX_RETRIES) return attempt
      if (!(await patience.pause(pauseMs(this.services, retries, attempt.retry)))) return attempt
    }
  }

  private async send(body: string, patience: Patience): Promise<SendOutcome> {
    const timeoutMs = patience.timeoutMs()
    if (timeoutMs <= 0) return { ok: false, problem: { kind: 'timeout', message: 'no time is left to ask' } }
    return this.services.client.request({
      method: 'POST',
      url: this.target.url,
      headers: this.target.headers,
      body,
      timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal: patience.signal,
    })
  }
}

/** Ten times as long after each failure, up to the operator's limit, and a little less so that callers spread out. */
function pauseMs({ maxRetryMs, random = Math.random }: EmbedServices, retries: number, retry: Retry): number {
  const wanted = 10 ** retries + (retry === 'slowly' ? RATE_LIMIT_PAUSE_MS : 0)
  return Math.min(wanted, maxRetryMs) * (0.5 + random() / 2)
}

function readAttempt<T>(target: Target, sent: SendOutcome, read: (answer: unknown) => Reading<T>): Attempt<T> {
  if (!sent.ok) return { ok: false, reason: sent.problem.message, retry: retryAfter(sent.problem) }
  const { status, body } = sent.value
  if (status < 200 || status > 299) return refused(target, status, body)
  const parsed = parseAnswer(body)
  if (!parsed.ok) return { ...parsed, status, retry: 'soon' }
  const reading = read(parsed.value)
  return reading.ok ? reading : { ...reading, status, retry: 'never' }
}

function retryAfter({ kind }: OutboundProblem): Retry {
  return kind === 'aborted' || kind === 'too-large' ? 'never' : 'soon'
}

function refused(target: Target, status: number, body: Buffer): Attempt<never> {
  const hint = target.hint(status)
  const text = excerpt(body.toString('utf8').trim(), SHOWN_CHARACTERS)
  const reason = `${meaningOf(status)}${text === '' ? ' without more words' : `: ${text}`}${hint ? ` (${hint})` : ''}`
  return { ok: false, reason, status, retry: retryOn(status) }
}

function meaningOf(status: number): string {
  if (status === 401) return 'the provider refused the credentials with status 401'
  if (status === 429) return 'the provider asked for fewer requests with status 429'
  return `the provider answered with status ${status}`
}

function retryOn(status: number): Retry {
  if (status === 429) return 'slowly'
  return status >= 400 && status < 500 ? 'never' : 'soon'
}

/** Plain data instead of `JsonValue`: vectors are all that is read, and there are many numbers. */
function parseAnswer(body: Buffer): Reading<unknown> {
  const text = body.toString('utf8')
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, reason: `the answer of the provider is not JSON: ${excerpt(text, 200) || 'it is empty'}` }
  }
}
