import { randomUUID } from 'node:crypto'
import { pause } from '../log/persist.js'
import { isListening } from './is-listening.js'

/** What a member takes from the process it runs in, and a simulation provides instead. */
export interface Runtime {
  /** Milliseconds, on a clock that only goes forward. */
  now(): number
  /** Calls back after so long. The returned function prevents that. */
  after(ms: number, callback: () => void): () => void
  /** Waits so long, or until the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** An id that nobody else has. */
  newId(): string
  /** Whether somebody listens under the address of a URL. True when in doubt. */
  isListening(url: string): Promise<boolean>
}

export const processRuntime: Runtime = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  pause,
  newId: randomUUID,
  isListening,
}
