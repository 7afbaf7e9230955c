import type { Runtime } from './runtime.js'

/** A number that only grows, and those who wait until it is high enough. */
export class Position {
  private waiting: { readonly value: number; readonly reached: () => void }[] = []

  constructor(
    private current: number,
    private readonly runtime: Pick<Runtime, 'after'>,
  ) {}

  get value(): number {
    return this.current
  }

  advance(value: number): void {
    if (value <= this.current) return
    this.current = value
    const reached = this.waiting.filter((each) => each.value <= value)
    this.waiting = this.waiting.filter((each) => each.value > value)
    for (const each of reached) each.reached()
  }

  /** Answers whether it was reached in time. */
  async reach(value: number, timeoutMs: number): Promise<boolean> {
    if (this.current >= value) return true
    let waiting: { readonly value: number; readonly reached: () => void } | undefined
    let cancel = () => {}
    const isReached = await new Promise<boolean>((resolve) => {
      waiting = { value, reached: () => resolve(true) }
      this.waiting.push(waiting)
      cancel = this.runtime.after(timeoutMs, () => resolve(false))
    })
    cancel()
    if (!isReached) this.waiting = this.waiting.filter((each) => each !== waiting)
    return isReached
  }
}
