import { Worker } from 'node:worker_threads'
import { FailureError, failure } from '../errors/index.js'
import type { Logger } from '../log/index.js'
import { toError } from '../tasks/index.js'
import { ClientGoneError } from './client-gone.js'
import { LifeWatch } from './life-watch.js'
import type { DeskOptions } from './search-desk.js'
import type { ThreadOutcome, ThreadQuestion, ThreadReply, ThreadRequest, ThreadSetup } from './search-protocol.js'
import type { Asker } from './search-queue.js'
import { ThreadSignals } from './thread-signals.js'

interface Pending {
  readonly resolve: (outcome: ThreadOutcome) => void
  readonly reject: (error: Error) => void
}

interface Asking {
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
}

const DEFAULT_LOST_AFTER_MS = 30_000

/** The number of questions whose answer nobody waits for. */
const NOBODY = 0

/** Behind this number counting begins anew. */
const LAST_ID = 2 ** 31 - 1

/**
 * One search thread as the server sees it. It starts with the first request, and starts again after a crash, which
 * fails the requests that were under way. So does one that gives no sign of life: it is ended.
 */
export class SearchThread {
  private worker: Worker | undefined
  private watch: LifeWatch | undefined
  private isClosing = false
  private loaded: Worker | undefined
  private readonly pending = new Map<number, Pending>()
  private lastId = 0
  /** Of the worker. */
  private signals = new ThreadSignals()

  constructor(
    private readonly create: (signals: ThreadSignals) => Worker,
    private readonly care: ThreadCare,
  ) {}

  /** Requests that have not been answered. */
  get load(): number {
    return this.pending.size
  }

  get isRunning(): boolean {
    return this.worker !== undefined
  }

  /** Its code is loaded: what it is asked is done at once. */
  get isReady(): boolean {
    return this.worker !== undefined && this.worker === this.loaded
  }

  /** Resolves when the thread has loaded its code, or was lost meanwhile: whoever needs it next learns why. */
  async start(): Promise<void> {
    await this.ask({ ask: 'start' }).then(
      () => {
        this.loaded = this.worker
      },
      () => {},
    )
  }

  /** Rejects with a `ClientGoneError` when the asker went away before the thread had an answer. */
  ask(question: ThreadQuestion, { given = [], asker }: Asking = {}): Promise<ThreadOutcome> {
    this.worker ??= this.startWorker()
    const id = this.nextId()
    const answered = new Promise<ThreadOutcome>((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.worker!.postMessage({ id, question } satisfies ThreadRequest, given)
    })
    return asker === undefined ? answered : this.watchAsker(id, asker, answered)
  }

  private nextId(): number {
    this.lastId = this.lastId === LAST_ID ? 1 : this.lastId + 1
    return this.lastId
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

  /** Resolves when the thread does not have the folder open. */
  async release(path: string): Promise<void> {
    if (this.worker !== undefined) await this.askUnlessLost(this.worker, { ask: 'release', path })
  }

  async close(): Promise<void> {
    const { worker } = this
    if (worker === undefined) return
    this.isClosing = true
    await this.askUnlessLost(worker, { ask: 'close' })
    await worker.terminate()
  }

  /** A thread that is lost meanwhile has nothing open any more. */
  private async askUnlessLost(worker: Worker, question: ThreadQuestion): Promise<void> {
    await this.ask(question).catch((error) => {
      if (this.worker === worker) throw error
    })
  }

  private startWorker(): Worker {
    this.signals = new ThreadSignals()
    return this.lookAfter(this.create(this.signals), this.signals)
  }

  private lookAfter(worker: Worker, signals: ThreadSignals): Worker {
    const watch = new LifeWatch({
      lostAfterMs: this.care.lostAfterMs ?? DEFAULT_LOST_AFTER_MS,
      isAwaited: () => this.pending.size > 0,
      ask: () => worker.postMessage({ id: NOBODY, question: { ask: 'start' } } satisfies ThreadRequest),
      onLost: (quietMs) => this.end(worker, quietMs),
      pulse: () => signals.pulse,
    })
    worker.on('message', (reply: ThreadReply) => this.receive(reply, watch))
    worker.on('error', (error) => this.lost(worker, error as Error))
    worker.on('exit', (code) => this.lost(worker, new Error(`a search thread ended with code ${code}`)))
    this.watch = watch
    return worker
  }

  private receive(reply: ThreadReply, watch: LifeWatch): void {
    watch.sign()
    if (reply.is === 'cutoff') {
      watch.allow(reply.cutoffMs)
      return
    }
    const pending = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if (reply.is === 'outcome') pending?.resolve(reply.outcome)
    else pending?.reject(reply.is === 'dropped' ? new ClientGoneError() : toError(reply.problem))
  }

  /** Nobody waits for its end, which code that is not ours may put off. */
  private end(worker: Worker, quietMs: number): void {
    const reason = `a search thread gave no sign of life for ${Math.round(quietMs / 1000)} s and was ended`
    this.lost(worker, new FailureError(failure('internal', reason)))
    void worker.terminate()
  }

  /** A crash is told twice, as an error and as an end; by the second time another thread may be at work. */
  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.watch?.stop()
    if (!this.isClosing) this.care.log.error({ error, requests: this.pending.size }, 'a search thread was lost')
    const lost = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of lost) reject(error)
  }
}

export function createSearchWorker(options: DeskOptions, { memory }: ThreadSignals): Worker {
  const workerData: ThreadSetup = { options, signals: memory }
  // It opens files that this thread reads and closes: they must not be closed with it.
  return new Worker(new URL('./search-worker.js', import.meta.url), { workerData, trackUnmanagedFds: false })
}
