import { parseBytes } from '../../json/index.js'
import { type Outbound, OutboundError, type OutboundStream } from '../../outbound/index.js'
import { type ProviderError, providerError, refusedBy } from './problem.js'

/** Longer than any answer takes. Silence ends one much sooner. */
export const LONGEST_ANSWER_MS = 60 * 60 * 1000
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024

export interface FetchOptions {
  readonly outbound: Pick<Outbound, 'stream'>
  /** Credentials among them. */
  readonly headers: Readonly<Record<string, string>>
}

type FetchEvents = (url: string | URL | Request, init?: RequestInit) => Promise<OutboundStream>

/** Names that are passed on: the rest tells the provider about this machine, or comes from the environment. */
const PASSED_HEADERS = ['accept', 'content-type']

/**
 * Takes what `fetch` takes, and goes the one way out, so that the address policy and the limits hold. Answers with
 * streams of events only, and throws a `ProviderError` for everything else.
 */
export function outboundFetch({ outbound, headers }: FetchOptions): FetchEvents {
  return async (url, init = {}) => {
    const given = new Headers(init.headers)
    const passed = PASSED_HEADERS.flatMap((name): [string, string][] => {
      const value = given.get(name)
      return value === null ? [] : [[name, value]]
    })
    const answered = await outbound.stream({
      method: init.method ?? 'GET',
      url: String(url),
      headers: [...passed, ...Object.entries(headers)],
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      timeoutMs: LONGEST_ANSWER_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      ...(init.signal ? { signal: init.signal } : {}),
    })
    if (!answered.ok) throw unreachable(answered.problem.message)
    return checkedStream(answered.value)
  }
}

const unreachable = (reason: string): ProviderError =>
  providerError('remote_could_not_send_request', `The provider could not be reached: ${reason}.`)

async function checkedStream(answer: OutboundStream): Promise<OutboundStream> {
  const isStream = answer.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
  if (answer.status !== 200 || !isStream) throw await refusal(answer)
  return answer
}

/** What the provider says about its refusal. */
async function refusal(answer: OutboundStream): Promise<ProviderError> {
  const parsed = parseBytes(await readStart(answer))
  return refusedBy(answer.status, parsed.ok ? parsed.value : undefined)
}

async function readStart({ body }: OutboundStream): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_ERROR_BYTES) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  return Buffer.concat(chunks)
}
