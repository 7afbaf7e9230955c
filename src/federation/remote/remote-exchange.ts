import { setTimeout as sleep } from 'node:timers/promises'
import {
  type SearchContext,
  type SearchRemote,
  SHARD_VERSION_HEADER,
  SHARDS_HEADER,
  SHARDS_OF_CHAT,
  TIME_LEFT_HEADER,
} from '../../answer/index.js'
import { type Failure, failure, type Result, statusOf } from '../../errors/index.js'
import { isObject, type JsonValue, parseBytes } from '../../json/index.js'
import {
  type HeaderPair,
  type OutboundAnswer,
  type OutboundProblem,
  remoteOrigin,
  remoteProblem,
  remoteRefusal,
  remoteSays,
} from '../../outbound/index.js'

/** As often as one server is asked where nobody else can be. */
export const MAX_ATTEMPTS = 4
/** A server that does not know the shards yet is waited for so long, and asked again so often. */
const UNKNOWN_SHARDS_MS = 2000
const UNKNOWN_SHARDS_PAUSE_MS = 50
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

/** What asking needs to know. */
export type RemoteContext = Pick<
  SearchContext,
  'network' | 'remotes' | 'includesMetadata' | 'isForChat' | 'canPlanAgain'
>

/** One server and what it is asked. */
export interface RemoteJob<T> {
  readonly name: string
  readonly remote: SearchRemote
  readonly path: string
  readonly body: string
  /** It is asked for the documents of shards: they are to add up to the whole. */
  readonly isForShards: boolean
  /** On the clock of `performance.now()`, for all attempts together. */
  readonly deadline: number
  readonly maxAttempts: number
  readonly signal: AbortSignal
  read(name: string, answer: JsonValue): T | AnswerProblem
}

/** What is wrong with an answer: it is of another kind, or its hits lack what merging needs. */
export type AnswerProblem = 'of another kind' | 'incomplete hits'

/** The outcome of one attempt; `isFinal` when another one would not help. */
type Attempt<T> = { readonly answer: T } | { readonly failure: Failure; readonly isFinal: boolean }

/** The request to one server, tried several times (spec 8 §3.7). */
export class RemoteExchange<T extends object> {
  constructor(
    private readonly job: RemoteJob<T>,
    private readonly context: RemoteContext,
  ) {}

  async send(): Promise<Result<T>> {
    const origin = remoteOrigin(this.job.remote.url)
    if (origin === undefined)
      return { ok: false, failure: failure('invalid_network_url', this.says('its URL is unusable')) }
    const patientUntil = performance.now() + UNKNOWN_SHARDS_MS
    for (let attempts = 0; ; ) {
      const outcome = await this.attempt(origin + this.job.path)
      if ('answer' in outcome) return { ok: true, value: outcome.answer }
      const isEarly = outcome.failure.code === 'shard_map_unknown' && performance.now() < patientUntil
      if (outcome.isFinal || (!isEarly && ++attempts === this.job.maxAttempts))
        return { ok: false, failure: outcome.failure }
      if (isEarly) await sleep(UNKNOWN_SHARDS_PAUSE_MS)
    }
  }

  private async attempt(url: string): Promise<Attempt<T>> {
    const { job, context } = this
    const timeoutMs = job.deadline - performance.now()
    if (timeoutMs <= 0) return this.tooLate()
    const answered = await context.remotes.request({
      method: 'POST',
      url,
      headers: this.headers(timeoutMs),
      body: job.body,
      timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal: job.signal,
      followRedirects: false,
    })
    return answered.ok ? this.read(answered.value) : this.problem(answered.problem)
  }

  private headers(timeLeftMs: number): HeaderPair[] {
    const { isForShards, remote } = this.job
    const { searchApiKey } = remote
    return [
      ['Content-Type', 'application/json'],
      ...(searchApiKey === null ? [] : ([['Authorization', `Bearer ${searchApiKey}`]] as const)),
      ['Meili-Proxy-Search', 'true'],
      // Behind it nobody reads the answer: there is no use in working on.
      [TIME_LEFT_HEADER, String(Math.ceil(timeLeftMs))],
      ...(isForShards ? this.shardHeaders() : []),
      ...(this.context.includesMetadata ? ([['Meili-Include-Metadata', 'true']] as const) : []),
    ]
  }

  private shardHeaders(): HeaderPair[] {
    const { network, isForChat } = this.context
    const version = network?.version ?? null
    return [
      [SHARDS_HEADER, isForChat ? SHARDS_OF_CHAT : 'true'],
      ...(version === null ? [] : ([[SHARD_VERSION_HEADER, version]] as const)),
    ]
  }

  private problem(problem: OutboundProblem): Attempt<T> {
    const { kind } = problem
    if (kind === 'timeout') return this.tooLate()
    return { failure: remoteProblem(this.job.name, problem), isFinal: kind === 'aborted' }
  }

  private tooLate(): Attempt<T> {
    const seconds = this.context.remotes.timeoutMs / 1000
    return final(failure('remote_timeout', this.says(`it did not answer within ${seconds} s`)))
  }

  private read(answered: OutboundAnswer): Attempt<T> {
    const { status, body } = answered
    if (status >= 400) return this.refusal(answered)
    const parsed = status === 200 ? parseBytes(body) : undefined
    const answer = parsed?.ok ? this.job.read(this.job.name, parsed.value) : 'of another kind'
    if (typeof answer !== 'string') return { answer }
    const failed = failure('remote_bad_response', this.says(PROBLEMS[answer]))
    return answer === 'incomplete hits' ? final(failed) : again(failed)
  }

  private refusal(answered: OutboundAnswer): Attempt<T> {
    const code = this.job.isForShards ? shardMapCode(answered) : undefined
    if (code === undefined) return { failure: remoteRefusal(this.job.name, answered), isFinal: answered.status < 500 }
    const failed = failure(code, this.says('it goes by other shards'))
    return code === 'shard_map_outdated' ? final(failed) : again(failed)
  }

  private says(what: string): string {
    return remoteSays(this.job.name, what)
  }
}

/** That it does not know the shards by which it is asked. */
function shardMapCode({ status, body }: OutboundAnswer): 'shard_map_outdated' | 'shard_map_unknown' | undefined {
  if (status !== statusOf('shard_map_outdated')) return undefined
  const parsed = parseBytes(body)
  const code = parsed.ok && isObject(parsed.value) ? parsed.value.get('code') : undefined
  return code === 'shard_map_outdated' || code === 'shard_map_unknown' ? code : undefined
}

const PROBLEMS = {
  'of another kind': 'its answer is not one to this question',
  'incomplete hits': 'its hits have no `_federation` with `weightedScoreValues` and `weightedRankingScore`',
} as const

const final = (failed: Failure): Attempt<never> => ({ failure: failed, isFinal: true })
const again = (failed: Failure): Attempt<never> => ({ failure: failed, isFinal: false })
