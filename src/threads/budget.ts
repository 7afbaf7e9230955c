/** What a thread may still spend on the piece of work that it does now. */
export interface WorkBudget {
  /** Throws when the work has to stop. */
  check(): void
}

/** Thrown in the middle of work whose budget is spent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

let current: WorkBudget | undefined

/**
 * From now on the work of this thread is paid for by `budget`, or by nobody. One for the whole thread: work that reads
 * an index does so without a pause, so there is never more than one piece of it at a time.
 */
export function workOn(budget: WorkBudget | undefined): void {
  current = budget
}

/**
 * To be called again and again by whoever may have much to do, such as once for some dozens of documents, where nothing is
 * left half done. It costs about a tenth of a microsecond.
 */
export function checkBudget(): void {
  current?.check()
}

/** Does work for which there is so much time at most, also where nobody pays for it; `tooLong` answers when it is over. */
export function spendAtMost<T>(maxMs: number, work: () => T, tooLong: () => T): T {
  const outer = current
  const limited = new LimitedBudget(outer, maxMs)
  current = limited
  try {
    return work()
  } catch (error) {
    if (limited.isSpent && error instanceof BudgetSpent) return tooLong()
    throw error
  } finally {
    current = outer
  }
}

class LimitedBudget implements WorkBudget {
  isSpent = false
  private readonly limitAt: number

  constructor(
    private readonly outer: WorkBudget | undefined,
    maxMs: number,
  ) {
    this.limitAt = performance.now() + maxMs
  }

  check(): void {
    this.outer?.check()
    this.isSpent = performance.now() > this.limitAt
    if (this.isSpent) throw new BudgetSpent()
  }
}
