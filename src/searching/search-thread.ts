import { Worker } from 'node:worker_threads'
import { FailureError, failure } from '../errors/index.js'
import type { Logger } from '../log/index.js'
import { WorkerThread } from '../threads/index.js'
import { ClientGoneError } from './client-gone.js'
import { LifeWatch } from './life-watch.js'
import type { ExecutorOptions } from './search-executor.js'
import type { Answer, ThreadNotice, ThreadOutcome, ThreadQuestion, ThreadSetup } from './search-protocol.js'
import type { Asker } from './search-queue.js'
import { ThreadSignals } from './thread-signals.js'

interface AskOptions {
  /** Memory that the thread takes over. */
  readonly given?: ArrayBuffer[]
  /** When it goes away, the thread drops the question, or stops working on it at the next chance. */
  readonly asker?: Asker | undefined
}

/** How a thread is looked after. */
export interface ThreadCare {
  /** Told of threads that were lost. */
  readonly log: Pick<Logger, 'error'>
  /** One that gives no sign of life for so long, beside the cutoff of its searches, is ended. Default 30 s. */
  readonly lostAfterMs?: number
  /** One that had nothing to do for so long is ended, for its memory. Default: none is. */
  readonly endAfterMs?: number | undefined
}

const DEFAULT_LOST_AFTER_MS = 30_000

/** One search thread as the server sees it. One that gives no sign of life is ended, and started again. */
export class SearchThread {
  private readonly thread: WorkerThread<ThreadQuestion, ThreadOutcome, ThreadNotice>
  private watch: LifeWatch | undefined
  private isClosing = false
  private isLoaded = false
  /** When it was given something to do, or last got something done. */
  private movedAt = 0
  /** Of the worker. */
  private signals = new ThreadSignals()

  constructor(
    private readonly create: (signals: ThreadSignals) => Worker,
    private readonly care: ThreadCare,
  ) {
    this.thread = new WorkerThread({
      name: 'a search thread',
      create: () => this.createWatched(),
      onSign: () => this.watch?.sign(),
      onNotice: ({ cutoffMs }) => this.watch?.allow(cutoffMs),
      onLost: (error, requests) => this.lost(error, requests),
      endAfterMs: () => care.endAfterMs,
      farewell: { ask: 'close' },
      onEnd: () => this.watch?.stop(),
    })
  }

  /** Requests that have not been answered. */
  get load(): number {
    return this.thread.load
  }

  get isRunning(): boolean {
    return this.thread.isRunning
  }

  /** Its code is loaded: what it is asked is done at once. */
  get isReady(): boolean {
    return this.thread.isRunning && this.isLoaded
  }

  /** For how long it has been busy without an answer. */
  silentMs(now: number): number {
    return this.load === 0 ? 0 : now - this.movedAt
  }

  /** Resolves when the thread has loaded its code, or was lost meanwhile: whoever needs it next learns why. */
  async start(): Promise<void> {
    await this.ask({ ask: 'start' }).catch(() => {})
  }

  /** Rejects with a `ClientGoneError` when the asker went away before the thread had an answer. */
  async ask(question: ThreadQuestion, { given, asker }: AskOptions = {}): Promise<Answer> {
    if (this.load === 0) this.movedAt = performance.now()
    const { id, answered } = this.thread.send(question, given)
    const outcome = await (asker === undefined ? answered : this.watchAsker(id, asker, answered))
    this.movedAt = performance.now()
    this.isLoaded = true
    if (outcome === 'dropped') throw new ClientGoneError()
    return outcome
  }

  private async watchAsker(id: number, asker: Asker, answered: Promise<ThreadOutcome>): Promise<ThreadOutcome> {
    const { signals } = this
    const abandon = () => signals.abandon(id)
    if (asker.isGone) abandon()
    else asker.onGone(abandon)
    try {
      return await answered
    } finally {
      asker.offGone(abandon)
    }
  }

  /** Resolves when the thread does not have the folder open. One that is lost meanwhile has nothing open any more. */
  async release(path: string): Promise<void> {
    await this.thread.askIfRunning({ ask: 'release', path })
  }

  async close(): Promise<void> {
    this.isClosing = this.thread.isRunning
    await this.thread.close({ ask: 'close' })
  }

  private createWatched(): Worker {
    this.signals = new ThreadSignals()
    this.isLoaded = false
    const { signals, thread } = this
    this.watch = new LifeWatch({
      lostAfterMs: this.care.lostAfterMs ?? DEFAULT_LOST_AFTER_MS,
      isAwaited: () => thread.load > 0,
      ask: () => thread.nudge({ ask: 'start' }),
      onLost: (quietMs) => thread.giveUp(noSignOfLife(quietMs)),
      pulse: () => signals.pulse,
    })
    return this.create(signals)
  }

  private lost(error: Error, requests: number): void {
    this.watch?.stop()
    if (!this.isClosing) this.care.log.error({ error, requests }, 'a search thread was lost')
  }
}

function noSignOfLife(quietMs: number): Error {
  const seconds = Math.round(quietMs / 1000)
  return new FailureError(failure('internal', `a search thread gave no sign of life for ${seconds} s and was ended`))
}

export function createSearchWorker(options: ExecutorOptions, { memory }: ThreadSignals): Worker {
  const workerData: ThreadSetup = { options, signals: memory }
  return new Worker(new URL('./search-worker.js', import.meta.url), {
    workerData,
    resourceLimits: LIMITS,
    // It opens files that this thread reads and closes: they must not be closed with it.
    trackUnmanagedFds: false,
  })
}

/** Nearly all that a search makes is gone at its end: twice the room for new things takes 60 MB and spares no time. */
const LIMITS = { maxYoungGenerationSizeMb: 24 }
