import { TemplateProblem } from './problem.js'

/** What a step (a tag, an output, a turn of a loop) costs, in characters handled in about the same time. */
const STEP_COST = 32

/**
 * Counts the work of one rendering, so that a hostile template ends: each step, and each character read or written by
 * a filter. The text that comes out can therefore never be longer than the limit.
 */
export class Meter {
  private left: number

  constructor(private readonly limit: number) {
    this.left = limit
  }

  step(): void {
    this.spend(STEP_COST)
  }

  spend(characters: number): void {
    this.left -= characters
    if (this.left < 0) throw new TemplateProblem(`the rendering takes too much work (the limit is ${this.limit} units)`)
  }
}
