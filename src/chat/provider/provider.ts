import { type Outbound, OutboundError, type StartTimer, systemTimer } from '../../outbound/index.js'
import { type Chunk, readChunk } from './chunk.js'
import type { Endpoint } from './endpoint.js'
import { providerError } from './problem.js'
import { RequestSender } from './request-sender.js'
import { EventReader } from './server-sent-events.js'
import { SilenceWatch } from './silence.js'

/** Asks a language model. */
export interface Provider {
  /**
   * Sends a request (JSON text) and gives the chunks of its answer as they come, those together that came together, at
   * the pace of the reader. Throws a `ProviderError`; ends early, without one, when the signal aborts.
   */
  answer(body: string, signal: AbortSignal): AsyncIterable<readonly Chunk[]>
}

export interface ProviderOptions {
  readonly endpoint: Endpoint
  readonly outbound: Pick<Outbound, 'stream'>
  readonly startTimer?: StartTimer
}

export function openProvider({ endpoint, outbound, startTimer = systemTimer }: ProviderOptions): Provider {
  const sender = new RequestSender(endpoint, outbound)
  return { answer: (body, signal) => readAnswer(sender, body, new SilenceWatch(signal, startTimer)) }
}

const DONE = '[DONE]'

type Answer = AsyncGenerator<readonly Chunk[], void, void>

/** One loop, not several generators one inside the other: a word would wait for each of them. */
async function* readAnswer(sender: RequestSender, body: string, watch: SilenceWatch): Answer {
  const events = new EventReader()
  let isDone = false
  try {
    for await (const bytes of await sender.send(body, watch.signal)) {
      // The time that the reader takes is not silence of the provider.
      watch.rest()
      if (!isDone) {
        const read = readChunks(events.add(bytes))
        if (read.chunks.length > 0) yield read.chunks
        if (read.failure !== undefined) throw read.failure
        isDone = read.isDone
      }
      if (isDone) watch.hurry()
      watch.listen()
    }
    events.end()
    if (!isDone) throw providerError('remote_bad_response', 'The answer of the provider ended before it was complete.')
  } catch (error) {
    if (isDone || watch.isLeft) return
    watch.throwIfSilent()
    throw knownError(error)
  } finally {
    watch.end()
  }
}

interface ReadChunks {
  readonly chunks: readonly Chunk[]
  readonly isDone: boolean
  /** What came before it was good. */
  readonly failure?: unknown
}

function readChunks(events: readonly string[]): ReadChunks {
  const chunks: Chunk[] = []
  for (const data of events) {
    if (data.trim() === DONE) return { chunks, isDone: true }
    try {
      chunks.push(readChunk(data))
    } catch (failure) {
      return { chunks, isDone: false, failure }
    }
  }
  return { chunks, isDone: false }
}

function knownError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  return providerError('remote_bad_response', `The answer of the provider broke off: ${error.problem.message}.`)
}
