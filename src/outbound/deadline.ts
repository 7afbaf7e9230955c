import { problemError } from './problem.js'

/** Calls `onTime` once after `delayMs` unless the returned function is called before. */
export type StartTimer = (delayMs: number, onTime: () => void) => () => void

/** A timer of the system. It does not keep the process alive: an open socket does that. */
export const systemTimer: StartTimer = (delayMs, onTime) => {
  const timer = setTimeout(onTime, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

export interface DeadlineOptions {
  readonly timeoutMs: number
  readonly origin: string
  readonly startTimer: StartTimer
  /** The caller's wish to stop. */
  readonly callerSignal: AbortSignal | undefined
}

/** The two ways a call ends from outside: time is over, or the caller lost interest. The first one counts. */
export class Deadline {
  private readonly controller = new AbortController()
  private readonly release: () => void

  constructor({ timeoutMs, origin, startTimer, callerSignal }: DeadlineOptions) {
    const onTime = () => this.stop('timeout', `${origin} took longer than ${timeoutMs} ms`)
    const onAbort = () => this.stop('aborted', `the request to ${origin} was given up`)
    const cancelTimer = startTimer(timeoutMs, onTime)
    callerSignal?.addEventListener('abort', onAbort, { once: true })
    this.release = () => {
      cancelTimer()
      callerSignal?.removeEventListener('abort', onAbort)
    }
    if (callerSignal?.aborted) onAbort()
  }

  /** Aborted with an `OutboundError` as reason. */
  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Settles with `work`, or rejects at the deadline: the client reacts to a signal only once it is connected. */
  async race<T>(work: Promise<T>): Promise<T> {
    let stopWaiting = () => {}
    const stopped = new Promise<never>((_resolve, reject) => {
      const onStop = () => reject(this.signal.reason)
      if (this.signal.aborted) return onStop()
      this.signal.addEventListener('abort', onStop, { once: true })
      stopWaiting = () => this.signal.removeEventListener('abort', onStop)
    })
    return Promise.race([work, stopped]).finally(stopWaiting)
  }

  /** To be called when the exchange is over. */
  end(): void {
    this.release()
  }

  private stop(kind: 'timeout' | 'aborted', message: string): void {
    this.controller.abort(problemError(kind, message))
    this.release()
  }
}
