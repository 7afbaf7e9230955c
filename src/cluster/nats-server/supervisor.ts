import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log/index.js'
import type { NatsServer } from './server.js'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** What ran for so long is not broken. */
const STEADY_MS = 60_000

/** Keeps a nats-server running for as long as this process does. */
export class NatsSupervisor {
  private readonly ending = new AbortController()
  private keeping: Promise<void> = Promise.resolve()
  private readonly endWithProcess = (): void => void this.server.signal('SIGTERM')

  constructor(
    private readonly server: NatsServer,
    private readonly log: Logger,
  ) {}

  /** Resolves when it runs, not when it answers. */
  async start(): Promise<void> {
    await this.server.endFormer()
    process.on('exit', this.endWithProcess)
    await this.server.start()
    this.keeping = this.keep()
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await this.server.stop()
    await this.keeping
    process.off('exit', this.endWithProcess)
  }

  private async keep(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!this.ending.signal.aborted) {
      const since = performance.now()
      await this.server.ended()
      if (this.ending.signal.aborted) break
      pauseMs = performance.now() - since > STEADY_MS ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      const { folder } = this.server.options
      this.log.warn(
        { folder, pauseMs },
        'nats-server has ended and is started again: nats-server.log in its folder says why',
      )
      await sleep(pauseMs, undefined, { signal: this.ending.signal }).catch(() => {})
      if (!this.ending.signal.aborted) await this.startAgain()
    }
    // It may have been on its way up when it was told to end.
    await this.server.stop()
  }

  private async startAgain(): Promise<void> {
    try {
      await this.server.start()
    } catch (error) {
      this.log.error({ error }, 'nats-server could not be started, which is tried again')
    }
  }
}
