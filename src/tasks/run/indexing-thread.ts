import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { IndexStats, JobOutcome } from '../../index/index.js'
import { toError, WorkerThread } from '../../threads/index.js'
import type { DocumentEmbeddingOptions } from './document-embedders.js'
import type { Indexing, ProgressListener, RequestListener } from './indexing.js'
import {
  FLAG_COUNT,
  type IndexingThreadData,
  type Notice,
  OPEN_TRANSACTION,
  type Request,
  STOP,
} from './indexing-protocol.js'
import type { IndexingLimits } from './job-services.js'
import { Turns } from './turns.js'

interface Listeners {
  readonly onProgress?: ProgressListener
  readonly onRequests?: RequestListener | undefined
}

export interface IndexingThreadOptions {
  readonly limits: IndexingLimits
  /** Without it no model can be asked. */
  readonly embedding?: DocumentEmbeddingOptions
  /** Hears of what went wrong without harm. */
  readonly onWarning?: (problem: Error) => void
  /** Starts the code of the thread; the built one unless given. */
  readonly startWorker?: (options: WorkerOptions) => Worker
}

const startBuiltWorker = (options: WorkerOptions): Worker =>
  new Worker(new URL('./indexing-worker.js', import.meta.url), options)

/** A process that ends waits at most this long for a transaction. */
const MAX_EXIT_WAIT_MS = 10_000

/** The indexing thread as the server sees it. */
export class IndexingThread implements Indexing {
  private readonly thread = new WorkerThread<Request, unknown, Notice>({
    name: 'the indexing thread',
    create: () => this.create(),
    onNotice: (notice) => this.receive(notice),
  })
  private readonly memory = new SharedArrayBuffer(FLAG_COUNT * Int32Array.BYTES_PER_ELEMENT)
  private readonly flags = new Int32Array(this.memory)
  /** Of the request under way. */
  private listeners: Listeners = {}
  private readonly turns = new Turns()

  constructor(private readonly options: IndexingThreadOptions) {}

  start(): void {
    this.thread.start()
  }

  run(...[job, onProgress, onRequests]: Parameters<Indexing['run']>) {
    Atomics.store(this.flags, STOP, 0)
    const done = this.ask({ kind: 'run', job }, { onProgress, onRequests }) as Promise<JobOutcome>
    return { done, cancel: () => void Atomics.store(this.flags, STOP, 1) }
  }

  prepare(...[job, onProgress, onRequests]: Parameters<Indexing['prepare']>) {
    Atomics.store(this.flags, STOP, 0)
    let isPrepared = false
    const done = this.turns.takeUntilDecided({
      prepare: async () => {
        const outcome = await this.send({ kind: 'prepare', job }, { onProgress, onRequests })
        isPrepared = true
        return outcome as JobOutcome
      },
      commit: () => this.send({ kind: 'commit' }) as Promise<JobOutcome>,
      // A thread that is lost has left the index as it was.
      abort: () => this.thread.askIfRunning({ kind: 'abort' }),
    })
    return { done, cancel: () => void (isPrepared || Atomics.store(this.flags, STOP, 1)) }
  }

  compact(fromPath: string, toPath: string) {
    return this.ask({ kind: 'compact', fromPath, toPath }) as Promise<{ before: number; after: number }>
  }

  upgrade(fromPath: string, toPath: string) {
    Atomics.store(this.flags, STOP, 0)
    const done = this.ask({ kind: 'upgrade', fromPath, toPath }) as Promise<IndexStats | undefined>
    return { done, cancel: () => void Atomics.store(this.flags, STOP, 1) }
  }

  refreshSets(path: string) {
    Atomics.store(this.flags, STOP, 0)
    const done = this.ask({ kind: 'refreshSets', path }) as Promise<IndexStats>
    return { done, cancel: () => void Atomics.store(this.flags, STOP, 1) }
  }

  completeNames(path: string) {
    return this.ask({ kind: 'completeNames', path }) as Promise<void>
  }

  async release(path: string): Promise<void> {
    await this.turns.take(() => this.thread.askIfRunning({ kind: 'release', path }))
  }

  close(): Promise<void> {
    return this.turns.takeLast(async () => {
      await this.thread.close({ kind: 'close' })
      process.off('exit', this.endTransaction)
    })
  }

  /**
   * When the process ends: lmdb-js would wait forever for a thread that has a transaction open then. One whose work is
   * under way ends as if it were canceled.
   */
  private readonly endTransaction = (): void => {
    Atomics.store(this.flags, STOP, 1)
    this.thread.nudge({ kind: 'abort' })
    Atomics.wait(this.flags, OPEN_TRANSACTION, 1, MAX_EXIT_WAIT_MS)
  }

  private ask(request: Request, listeners: Listeners = {}): Promise<unknown> {
    return this.turns.take(() => this.send(request, listeners))
  }

  private send(request: Request, listeners: Listeners = {}): Promise<unknown> {
    this.listeners = listeners
    return this.thread.ask(request)
  }

  private create(): Worker {
    const { limits, embedding, startWorker = startBuiltWorker } = this.options
    const workerData: IndexingThreadData = { flags: this.memory, embedding, limits }
    process.off('exit', this.endTransaction).on('exit', this.endTransaction)
    return startWorker({ workerData, resourceLimits: { maxYoungGenerationSizeMb: 24 } })
  }

  private receive(notice: Notice): void {
    if (notice.kind === 'warning') this.options.onWarning?.(toError(notice.problem))
    else if (notice.kind === 'progress') this.listeners.onProgress?.(notice.step, notice.finished, notice.total)
    else this.listeners.onRequests?.(notice.requests)
  }
}
