import { fail, ok, type Result } from '../errors/index.js'

export interface SearchQueueOptions {
  /** Searches that may run at the same time. */
  readonly permits: number
  /** Searches that may wait. */
  readonly queueSize: number
  /** A search that waited longer than this is refused when its turn comes. */
  readonly dropAfterMs: number
  /** Milliseconds on any clock that never goes back. */
  readonly now?: () => number
  /** From 0 up to, not including, 1. */
  readonly random?: () => number
}

/** The right to run one search. Giving it back twice is the same as once. */
export interface Permit {
  release(): void
}

/** Whoever asks, as far as the queue must know. Not an `AbortSignal`: making one costs more than a place in the queue. */
export interface Asker {
  readonly isGone: boolean
  /** Calls the listener when the asker goes away. */
  onGone(listener: () => void): void
  offGone(listener: () => void): void
}

/** Somebody who has a signal anyway. */
export const askerWith = (signal: AbortSignal): Asker => ({
  get isGone() {
    return signal.aborted
  },
  onGone: (listener) => signal.addEventListener('abort', listener),
  offGone: (listener) => signal.removeEventListener('abort', listener),
})

interface Waiting {
  readonly since: number
  readonly settle: (outcome: Result<Permit>) => void
}

/**
 * A bounded number of running searches and a bounded number of waiting ones. When the queue is full somebody chosen
 * by chance has to leave it, and whoever waits is started by chance too, so that under overload some requests are
 * answered quickly instead of all of them late (spec 1 §7.1).
 */
export class SearchQueue {
  private readonly waitingList: Waiting[] = []
  private readonly now: () => number
  private readonly random: () => number
  private runningCount = 0

  constructor(private readonly options: SearchQueueOptions) {
    this.now = options.now ?? (() => performance.now())
    this.random = options.random ?? Math.random
  }

  get capacity(): number {
    return this.options.queueSize
  }

  get running(): number {
    return this.runningCount
  }

  get waiting(): number {
    return this.waitingList.length
  }

  /** Whoever asks now need not wait. */
  get hasPlace(): boolean {
    return this.runningCount < this.options.permits && this.waitingList.length === 0
  }

  /**
   * The right to run, at once where there is a place, or when there is one; or the refusal. A client that goes away
   * while it waits gives up its place. One that runs keeps it until its work has ended: that is told to stop, and until it
   * does, a place given to somebody else would only be one in the queue of a busy thread.
   */
  acquire(asker?: Asker): Result<Permit> | Promise<Result<Permit>> {
    if (asker?.isGone) return this.refusal()
    if (this.hasPlace) return ok(this.start())
    if (this.options.queueSize === 0) return this.refusal()
    if (this.waitingList.length >= this.options.queueSize) this.takeAny().settle(this.refusal())
    return this.wait(asker)
  }

  private wait(asker: Asker | undefined): Promise<Result<Permit>> {
    return new Promise((resolve) => {
      const leave = () => {
        const place = this.waitingList.indexOf(waiting)
        if (place !== -1) this.take(place)
        resolve(this.refusal())
      }
      const settle = (outcome: Result<Permit>) => {
        asker?.offGone(leave)
        resolve(outcome)
      }
      const waiting: Waiting = { since: this.now(), settle }
      asker?.onGone(leave)
      this.waitingList.push(waiting)
    })
  }

  private start(): Permit {
    this.runningCount++
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.runningCount--
      this.startWaiting()
    }
    return { release }
  }

  private startWaiting(): void {
    while (this.waitingList.length > 0 && this.runningCount < this.options.permits) {
      const next = this.takeAny()
      const isTooLate = this.now() - next.since > this.options.dropAfterMs
      next.settle(isTooLate ? this.refusal() : ok(this.start()))
    }
  }

  private takeAny(): Waiting {
    return this.take(Math.floor(this.random() * this.waitingList.length))
  }

  /** Order does not matter, so the last one fills the gap. */
  private take(place: number): Waiting {
    const taken = this.waitingList[place]!
    const last = this.waitingList.pop()!
    if (taken !== last) this.waitingList[place] = last
    return taken
  }

  private refusal(): Result<Permit> {
    return fail('too_many_search_requests', this.options.queueSize)
  }
}
