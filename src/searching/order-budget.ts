import { BudgetSpent, type WorkBudget } from '../threads/index.js'

/**
 * How long a request may keep a search thread to itself, beside the cutoffs of the indexes that it searches. Whoever lists
 * a million documents, or searches with hundreds of queries at once, takes seconds; what takes longer than this keeps
 * others waiting.
 */
const MAX_ORDER_MS = 60_000

/** Whoever the thread works for. */
export interface OrderSignals {
  /** Nobody waits for the answer any more. */
  isAbandoned(): boolean
  /** The thread gets on. */
  beat(): void
}

/** Thrown in the middle of work for somebody who has gone. */
export class OrderAbandoned extends Error {
  override readonly name = 'OrderAbandoned'
}

/** What one order may take. */
export class OrderBudget implements WorkBudget {
  private limitAt: number
  /** When whoever asked has stopped waiting. */
  private readonly uselessAt: number

  constructor(
    private readonly signals: OrderSignals | undefined,
    private readonly maxMs = MAX_ORDER_MS,
    timeLeftMs = Number.POSITIVE_INFINITY,
  ) {
    const now = performance.now()
    this.limitAt = now + maxMs
    this.uselessAt = now + timeLeftMs
  }

  /** A search has so much time of its own. */
  allow(cutoffMs: number): void {
    this.limitAt += cutoffMs
  }

  check(): void {
    this.signals?.beat()
    if (this.signals?.isAbandoned()) throw new OrderAbandoned()
    const now = performance.now()
    if (now > this.uselessAt) throw new BudgetSpent('whoever asked does not wait any longer')
    if (now > this.limitAt) throw new BudgetSpent(`it took longer than ${this.maxMs / 1000} s`)
  }
}
