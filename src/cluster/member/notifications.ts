interface Waiting {
  readonly sequence: number
  readonly decide: (isOurs: boolean) => void
}

/**
 * Who sends the webhooks of a batch: the coordinator. The others wait until it has, and whoever takes its place sends what it
 * had not: a webhook may be sent twice, and is not left out.
 */
export class Notifications {
  private waiting: Waiting[] = []
  private last = 0

  /** The last batch whose webhooks were sent. */
  get sent(): number {
    return this.last
  }

  /** Answers, at the latest when it is known who has to, whether this server sends those of a batch. */
  isOurs(sequence: number, isCoordinator: boolean): Promise<boolean> {
    if (sequence <= this.last) return Promise.resolve(false)
    if (isCoordinator) {
      // It may have become so without a change of the lease: by being no longer troubled.
      this.takeOver()
      this.last = sequence
      return Promise.resolve(true)
    }
    return new Promise((decide) => this.waiting.push({ sequence, decide }))
  }

  sentBy(sequence: number): void {
    this.last = Math.max(this.last, sequence)
    this.settle((each) => each.sequence <= sequence, false)
  }

  /** This server coordinates from now on. */
  takeOver(): void {
    for (const { sequence } of this.waiting) this.last = Math.max(this.last, sequence)
    this.settle(() => true, true)
  }

  private settle(isDecided: (waiting: Waiting) => boolean, isOurs: boolean): void {
    const decided = this.waiting.filter(isDecided)
    this.waiting = this.waiting.filter((each) => !isDecided(each))
    for (const { decide } of decided) decide(isOurs)
  }
}
