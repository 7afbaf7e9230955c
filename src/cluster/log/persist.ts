import { setTimeout as sleep } from 'node:timers/promises'
import { LogUnavailable } from './problems.js'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 160

export interface Patience {
  /** What is attempted, for the message when it never worked. */
  readonly what: string
  readonly timeoutMs: number
  /** Aborted when the log is closed. */
  readonly signal: AbortSignal
  /** Failures that another attempt would not cure. They are thrown as they are. */
  readonly isFinal?: (error: unknown) => boolean
}

/** Attempts again and again until it works: elections take seconds. Rejects with `LogUnavailable` when time is over. */
export async function persist<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { what, timeoutMs, signal, isFinal } = patience
  const end = performance.now() + timeoutMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (signal.aborted) throw new LogUnavailable(`${what}: it has been closed`)
    try {
      return await attempt()
    } catch (error) {
      if (isFinal?.(error)) throw error
      const isOver = performance.now() + pauseMs >= end
      if (isOver) throw new LogUnavailable(`${what}: no majority answered for ${timeoutMs} ms`, { cause: error })
    }
    await pause(pauseMs, signal)
  }
}

/** Resolves after so long, or as soon as the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
