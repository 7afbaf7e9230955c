import type { Limits } from './limits.js'
import { LimitProblem } from './problem.js'

// Work on text and on copies is much cheaper than a step, but must not be free: 128 characters or 8 copied entries
// cost one operation. So one document can make a script touch some 128 MB at most, whatever it doubles.
export const CHARACTERS_PER_OPERATION = 128
const COPIES_PER_OPERATION = 8

/** Counts what a run uses and stops it at the limits of spec 3 §6.1. */
export class Meter {
  private spent: number

  /** `credit` is work that is not counted. */
  constructor(
    readonly limits: Limits,
    credit = 0,
  ) {
    this.spent = -credit
  }

  spend(operations: number): void {
    this.spent += operations
    if (this.spent > this.limits.operations) {
      throw new LimitProblem(`the script uses more than ${this.limits.operations} operations`)
    }
  }

  spendText(length: number): void {
    if (length >= CHARACTERS_PER_OPERATION) this.spend(Math.trunc(length / CHARACTERS_PER_OPERATION))
  }

  spendCopies(entries: number): void {
    if (entries >= COPIES_PER_OPERATION) this.spend(Math.trunc(entries / COPIES_PER_OPERATION))
  }

  /** To be asked before an array or map of this size is made. */
  checkEntries(count: number): void {
    if (count > this.limits.entries) {
      throw new LimitProblem(`an array or map would have more than ${this.limits.entries} entries`)
    }
  }

  /** To be asked before a string of this length is made. */
  checkText(length: number): void {
    if (length > this.limits.textLength) {
      throw new LimitProblem(`a string would be longer than ${this.limits.textLength} characters`)
    }
  }
}
