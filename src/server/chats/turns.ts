/**
 * A queue for work that takes a millisecond: one piece of it is done in each turn of the event loop, so that everybody
 * else is served in between, however many come at once. Who comes alone hardly waits.
 */
export class Turns {
  private readonly waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn. What follows without another pause belongs to that turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.serveOne)
    })
  }

  private readonly serveOne = (): void => {
    this.waiting.shift()!()
    if (this.waiting.length > 0) setImmediate(this.serveOne)
  }
}
