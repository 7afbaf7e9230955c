import type { OpenAI } from 'openai'
import type { Outbound, OutboundStream } from '../../outbound/index.js'
import type { Endpoint } from './endpoint.js'
import { LONGEST_ANSWER_MS, outboundFetch } from './outbound-fetch.js'
import { ProviderError } from './problem.js'

/**
 * Sends the requests of one conversation, one after the other. The package builds them. It is given no secret and
 * nothing of the environment: both are the business of our `fetch`. Reading events is ours too, since it must tell
 * apart what may be wrong with them (spec 7 §5.8).
 */
export class RequestSender {
  private client: OpenAI | undefined
  /** What our `fetch` threw last: the package wraps errors, and loses some. */
  private refusal: ProviderError | undefined
  /** What it got last: through the package every chunk would take a longer way. */
  private answer: OutboundStream | undefined

  constructor(
    private readonly endpoint: Endpoint,
    private readonly outbound: Pick<Outbound, 'stream'>,
  ) {}

  /** The bytes of a stream of events. */
  async send(body: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    this.client ??= await this.connect()
    this.refusal = undefined
    this.answer = undefined
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
    try {
      await this.client.post(this.endpoint.url, { body, headers, signal }).asResponse()
    } catch (error) {
      throw this.refusal ?? error
    }
    if (this.answer === undefined) throw new Error('the package made an answer up')
    return (this.answer as OutboundStream).body
  }

  /** Loaded with the first conversation: most servers never have one. */
  private async connect(): Promise<OpenAI> {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      // Else one of the environment would be read. Requests go to a whole URL.
      baseURL: this.endpoint.url,
      apiKey: 'kept back',
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: LONGEST_ANSWER_MS,
      logLevel: 'off',
      fetch: this.fetch(),
    })
  }

  private fetch(): typeof globalThis.fetch {
    const fetch = outboundFetch({ outbound: this.outbound, headers: this.endpoint.headers })
    return async (url, init) => {
      try {
        this.answer = await fetch(url, init)
        return new Response(null)
      } catch (error) {
        if (error instanceof ProviderError) this.refusal = error
        throw error
      }
    }
  }
}
