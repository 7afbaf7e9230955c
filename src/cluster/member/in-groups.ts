export interface GroupLimits<T> {
  readonly maxItems: number
  readonly maxBytes: number
  readonly bytesOf: (item: T) => number
}

/**
 * Items in groups: all that came while the group before was being dealt with. What is taken in stays within the limits, so a
 * source that is faster than whoever deals with it waits.
 */
export async function* inGroups<T>(source: AsyncIterable<T>, limits: GroupLimits<T>): AsyncIterable<T[]> {
  const intake = new Intake(limits)
  const taking = intake.takeFrom(source)
  try {
    for (;;) {
      const group = await intake.next()
      if (group === undefined) break
      yield group
    }
    await taking
  } finally {
    intake.stop()
  }
}

class Intake<T> {
  private items: T[] = []
  private bytes = 0
  private hasEnded = false
  private failure: { readonly error: unknown } | undefined
  private wakeTaker: () => void = () => {}
  private wakeSource: () => void = () => {}

  constructor(private readonly limits: GroupLimits<T>) {}

  async takeFrom(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const item of source) {
        this.items.push(item)
        this.bytes += this.limits.bytesOf(item)
        this.wakeTaker()
        if (this.isFull) await new Promise<void>((resolve) => (this.wakeSource = resolve))
        if (this.hasEnded) return
      }
    } catch (error) {
      this.failure = { error }
    }
    this.hasEnded = true
    this.wakeTaker()
  }

  private get isFull(): boolean {
    return this.items.length >= this.limits.maxItems || this.bytes >= this.limits.maxBytes
  }

  /** What came before a failure is handed out before it is thrown. */
  async next(): Promise<T[] | undefined> {
    while (this.items.length === 0) {
      if (this.failure !== undefined) throw this.failure.error
      if (this.hasEnded) return undefined
      await new Promise<void>((resolve) => (this.wakeTaker = resolve))
    }
    const group = this.items
    this.items = []
    this.bytes = 0
    this.wakeSource()
    return group
  }

  stop(): void {
    this.hasEnded = true
    this.wakeSource()
  }
}
