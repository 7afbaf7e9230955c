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
  /** The last batch that somebody sends or has sent those of. */
  private last = 0
  /** Batches whose webhooks this server has begun to send. */
  private readonly underWay = new Set<number>()

  /** The last batch up to which all webhooks were sent. */
  get sent(): number {
    return this.underWay.size === 0 ? this.last : Math.min(...this.underWay) - 1
  }

  /** Answers, at the latest when it is known who has to, whether this server sends those of a batch. */
  isOurs(sequence: number, isCoordinator: boolean): Promise<boolean> {
    if (sequence <= this.last) return Promise.resolve(false)
    if (isCoordinator) {
      // It may have become so without a change of the lease: by being no longer troubled.
      this.takeOver()
      this.begin(sequence)
      return Promise.resolve(true)
    }
    return new Promise((decide) => this.waiting.push({ sequence, decide }))
  }

  /** This server has sent those of a batch, or given them up. */
  ended(sequence: number): void {
    this.underWay.delete(sequence)
  }

  sentBy(sequence: number): void {
    this.last = Math.max(this.last, sequence)
    this.settle((each) => each.sequence <= sequence, false)
  }

  /** This server coordinates from now on. */
  takeOver(): void {
    for (const { sequence } of this.waiting) this.begin(sequence)
    this.settle(() => true, true)
  }

  private begin(sequence: number): void {
    this.underWay.add(sequence)
    this.last = Math.max(this.last, sequence)
  }

  private settle(isDecided: (waiting: Waiting) => boolean, isOurs: boolean): void {
    const decided = this.waiting.filter(isDecided)
    this.waiting = this.waiting.filter((each) => !isDecided(each))
    for (const { decide } of decided) decide(isOurs)
  }
}
