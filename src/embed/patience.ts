import { systemTimer } from '../outbound/index.js'
import type { EmbedServices } from './services.js'

/** How long somebody waits for an embedder: for one request, between requests, and in all. */
export interface Patience {
  readonly signal: AbortSignal | undefined
  /** For the next request; nothing is left at 0 or below. */
  timeoutMs(): number
  /** Resolves with whether it makes sense to go on. */
  pause(ms: number): Promise<boolean>
  /** Told of each request: undefined when it went well, else why it failed. */
  heard(problem: string | undefined): void
}

/** Indexing waits as long as the operator allows for each request, and stops with the signal. */
export function patienceForDocuments(services: EmbedServices, signal: AbortSignal): Patience {
  return {
    signal,
    timeoutMs: () => services.requestTimeoutMs,
    pause: async (ms) => {
      await sleep(services, ms, signal)
      return !signal.aborted
    },
    heard: (problem) => services.onRequest?.(problem),
  }
}

/** A search waits until its cutoff and no longer (spec 7 §1.3). */
export function patienceForQuery(services: EmbedServices, deadline: number): Patience {
  const leftMs = () => deadline - (services.now ?? systemNow)()
  return {
    signal: undefined,
    timeoutMs: leftMs,
    pause: async (ms) => {
      await sleep(services, Math.max(0, Math.min(ms, leftMs())))
      return leftMs() > 0
    },
    heard: () => {},
  }
}

export const systemNow = (): number => performance.now()

function sleep({ startTimer = systemTimer }: EmbedServices, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const onEnd = () => {
      cancel()
      signal?.removeEventListener('abort', onEnd)
      resolve()
    }
    const cancel = startTimer(ms, onEnd)
    signal?.addEventListener('abort', onEnd, { once: true })
  })
}
