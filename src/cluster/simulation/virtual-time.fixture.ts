import type { Process } from './process.fixture.js'

interface Event {
  readonly at: number
  readonly order: number
  /** Whose step it is: a process that has died takes none. */
  readonly process: Process | undefined
  readonly step: () => void
}

/**
 * A clock that jumps from one event to the next. Promises that an event settles are followed up to their end before the next
 * event, so everything that happens between two events is one step, and the order of steps follows from their times.
 */
export class VirtualTime {
  /** The next one is the last: few are pending at a time. */
  private readonly events: Event[] = []
  private count = 0
  private current = 0

  /** In milliseconds. */
  get now(): number {
    return this.current
  }

  after(ms: number, step: () => void, process?: Process): void {
    this.insert({ at: this.current + Math.max(0, ms), order: this.count++, process, step })
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Takes one step after the other until `isOver`, which is asked after each. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (): void => {
        try {
          if (isOver()) resolve()
          else {
            this.takeStep()
            // Behind all promises that can go on now.
            setImmediate(next)
          }
        } catch (error) {
          reject(error)
        }
      }
      next()
    })
  }

  private takeStep(): void {
    for (;;) {
      const event = this.events.pop()
      if (event === undefined) throw new Error('nothing is left to happen')
      const { at, process, step } = event
      if (process?.isDead) continue
      if (process !== undefined && process.stoppedUntil > at) {
        this.insert({ ...event, at: process.stoppedUntil })
        continue
      }
      this.current = at
      if (!process?.diesAtThisStep()) step()
      return
    }
  }

  private insert(event: Event): void {
    let lo = 0
    let hi = this.events.length
    while (lo < hi) {
      const middle = (lo + hi) >>> 1
      const other = this.events[middle]!
      if (other.at > event.at || (other.at === event.at && other.order > event.order)) lo = middle + 1
      else hi = middle
    }
    this.events.splice(lo, 0, event)
  }
}
