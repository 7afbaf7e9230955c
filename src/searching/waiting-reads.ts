interface WaitingRead {
  readonly paths: ReadonlySet<string>
  /** Settles when the folders have been read. */
  readonly end: Promise<void>
}

/** Searches that wait for something before they read. Their folders must not be closed for good meanwhile. */
export class WaitingReads {
  private readonly waiting = new Set<WaitingRead>()

  /** Waits for `work`. What follows it without another pause is the reading. */
  async during<T>(work: Promise<T>, paths: ReadonlySet<string>): Promise<T> {
    let finish = () => {}
    const read: WaitingRead = { paths, end: new Promise((resolve) => (finish = resolve)) }
    this.waiting.add(read)
    try {
      return await work
    } finally {
      // Whoever waited for the work goes on before the next turn.
      setImmediate(() => {
        this.waiting.delete(read)
        finish()
      })
    }
  }

  /** Resolves when nobody waits who is going to read the folder. */
  async endOf(path: string): Promise<void> {
    const reads = [...this.waiting].filter(({ paths }) => paths.has(path))
    if (reads.length === 0) return
    await Promise.all(reads.map(({ end }) => end))
    await this.endOf(path)
  }
}
