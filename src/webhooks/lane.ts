import type { Delivery } from './parcel.js'

/** So many calls to one receiver are under way at once: batches may end faster than it answers. */
const MAX_SENDING = 8

/** What waits for one receiver, and how much is on its way there. Each has its own, so one that hangs delays nobody. */
export class Lane {
  private readonly waiting = new Set<Delivery>()
  private sending = 0

  get isIdle(): boolean {
    return this.waiting.size === 0 && this.sending === 0
  }

  add(delivery: Delivery): void {
    this.waiting.add(delivery)
  }

  drop(delivery: Delivery): void {
    this.waiting.delete(delivery)
  }

  /** The oldest one that waits, which is now on its way until `arrived`; undefined when none waits or too many are. */
  take(): Delivery | undefined {
    if (this.sending === MAX_SENDING) return undefined
    const [next] = this.waiting
    if (next === undefined) return undefined
    this.waiting.delete(next)
    this.sending++
    return next
  }

  arrived(): void {
    this.sending--
  }
}
