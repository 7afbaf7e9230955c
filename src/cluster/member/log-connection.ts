import type { Logger } from '../../log/index.js'
import type { ReplicatedLog } from '../log/model.js'
import { LogUnavailable } from '../log/problems.js'
import type { Runtime } from './runtime.js'

const RETRY_MS = 1_000

export interface ConnectionOptions {
  readonly open: () => Promise<ReplicatedLog>
  /** What trying again does not cure. */
  readonly isFinal: (error: unknown) => boolean
  readonly closing: AbortSignal
  readonly log: Logger
  readonly runtime: Runtime
}

/** The log, which may be out of reach when the server starts. */
export class LogConnection {
  private opened: ReplicatedLog | undefined
  private waiting: ((log: ReplicatedLog | undefined) => void)[] = []

  constructor(private readonly options: ConnectionOptions) {
    options.closing.addEventListener('abort', () => this.tell(undefined))
  }

  get current(): ReplicatedLog | undefined {
    return this.opened
  }

  /** Tries until it is open. Rejects with what is final; undefined when the server closes. */
  async open(): Promise<ReplicatedLog | undefined> {
    const { open, isFinal, closing, log, runtime } = this.options
    while (!closing.aborted) {
      try {
        this.opened = await open()
        this.tell(this.opened)
        return this.opened
      } catch (error) {
        if (isFinal(error)) throw error
        log.warn({ error }, 'the cluster log cannot be reached, which is tried again')
        await runtime.pause(RETRY_MS, closing)
      }
    }
    return undefined
  }

  /** Waits for it so long, then rejects with `LogUnavailable`. */
  async within(timeoutMs: number): Promise<ReplicatedLog> {
    if (this.opened !== undefined) return this.opened
    const opened = await new Promise<ReplicatedLog | undefined>((resolve) => {
      const cancel = this.options.runtime.after(timeoutMs, () => resolve(undefined))
      this.waiting.push((log) => {
        cancel()
        resolve(log)
      })
    })
    if (opened === undefined) throw new LogUnavailable('it cannot be reached')
    return opened
  }

  private tell(log: ReplicatedLog | undefined): void {
    const { waiting } = this
    this.waiting = []
    for (const each of waiting) each(log)
  }
}
