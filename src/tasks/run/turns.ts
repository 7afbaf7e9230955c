import type { JobOutcome, PreparedJob } from '../../index/index.js'

type Verdict = 'commit' | 'abort'

interface Preparing {
  prepare(): Promise<JobOutcome>
  commit(): Promise<JobOutcome>
  abort(): Promise<unknown>
}

/** What is asked of indexing, one thing after the other. A prepared job keeps its turn until it has been decided about. */
export class Turns {
  private queue: Promise<unknown> = Promise.resolve()
  private abortHeld = (): void => {}
  private isClosing = false

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work)
    this.queue = turn.catch(() => {})
    return turn
  }

  async takeUntilDecided({ prepare, commit, abort }: Preparing): Promise<PreparedJob> {
    let decide!: (verdict: Verdict) => void
    const decided = new Promise<Verdict>((resolve) => {
      decide = resolve
    })
    const prepared = this.take(prepare)
    const ended = this.take(async () => {
      await prepared
      this.abortHeld = () => decide('abort')
      if (this.isClosing) this.abortHeld()
      if ((await decided) === 'commit') return commit()
      await abort()
      return undefined
    })
    let isCommitted = false
    return {
      outcome: await prepared,
      async commit() {
        isCommitted = true
        decide('commit')
        const outcome = await ended
        if (outcome === undefined) throw new Error('a job that was aborted cannot be committed')
        return outcome
      },
      async abort() {
        decide('abort')
        if (!isCommitted) await ended
      },
    }
  }

  /** The last turn: nobody is going to decide about jobs that are held up to then, so they are aborted. */
  takeLast(work: () => Promise<void>): Promise<void> {
    this.isClosing = true
    this.abortHeld()
    return this.take(work)
  }
}
