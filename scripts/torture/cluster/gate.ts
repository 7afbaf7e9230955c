/** Whoever works passes it before each piece of work; when it is closed, they wait there. */
export class Gate {
  private opening: Promise<void> | undefined
  private let: () => void = () => {}
  private inside = 0
  private whenEmpty: () => void = () => {}

  /** Does the work once the gate is open. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.opening !== undefined) await this.opening
    this.inside++
    try {
      return await work()
    } finally {
      if (--this.inside === 0) this.whenEmpty()
    }
  }

  /** Resolves when nobody works any more. */
  async close(): Promise<void> {
    this.opening ??= new Promise((resolve) => (this.let = resolve))
    if (this.inside > 0) await new Promise<void>((resolve) => (this.whenEmpty = resolve))
  }

  open(): void {
    this.opening = undefined
    this.let()
  }
}
