/** So often a thread is looked at until it counts as lost. */
const LOOKS = 10

export interface LifeWatchOptions {
  /** How long a thread may give no sign of life beside the time that its searches may take. */
  readonly lostAfterMs: number
  /** Somebody waits for the thread. */
  isAwaited(): boolean
  /** Asks the thread for a sign, which it gives unless it is busy. */
  ask(): void
  onLost(quietMs: number): void
  /** A number that changes as long as the thread gets on with its work, though it gives no sign. */
  pulse?(): number
  /** Calls `look` again and again until the answer is called. Default: an interval that keeps no process alive. */
  readonly startInterval?: (everyMs: number, look: () => void) => () => void
}

const systemInterval: NonNullable<LifeWatchOptions['startInterval']> = (everyMs, look) => {
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Notices when a thread that others wait for gives no sign of life. Time passes by looks, not by the clock: when the
 * whole process was stopped for an hour, that hour does not count.
 */
export class LifeWatch {
  private readonly everyMs: number
  /** To be called when the thread is gone. */
  readonly stop: () => void
  private hasSign = false
  private quietMs = 0
  private lastPulse = 0
  private cutoffMs = 0

  constructor(private readonly options: LifeWatchOptions) {
    this.everyMs = options.lostAfterMs / LOOKS
    this.stop = (options.startInterval ?? systemInterval)(this.everyMs, () => this.look())
  }

  /** To be called at each sign of life. */
  sign(): void {
    this.hasSign = true
  }

  /** From now on searches may take so long before they give up themselves. */
  allow(cutoffMs: number): void {
    this.cutoffMs = Math.max(this.cutoffMs, cutoffMs)
  }

  private look(): void {
    const { lostAfterMs, isAwaited, ask, onLost } = this.options
    const isWell = this.hasSign || this.hasBeaten() || !isAwaited()
    this.hasSign = false
    this.quietMs = isWell ? 0 : this.quietMs + this.everyMs
    if (this.quietMs > lostAfterMs + this.cutoffMs) onLost(this.quietMs)
    else if (!isWell) ask()
  }

  private hasBeaten(): boolean {
    const before = this.lastPulse
    this.lastPulse = this.options.pulse?.() ?? 0
    return this.lastPulse !== before
  }
}
