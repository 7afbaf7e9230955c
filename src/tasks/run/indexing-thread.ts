import { Worker } from 'node:worker_threads'
import type { IndexStats, JobOutcome } from '../../index/index.js'
import { toError, WorkerThread } from '../../threads/index.js'
import type { DocumentEmbeddingOptions } from './document-embedders.js'
import type { Indexing, ProgressListener, RequestListener } from './indexing.js'
import type { IndexingThreadData, Notice, Request } from './indexing-protocol.js'
import type { IndexingLimits } from './job-services.js'

interface Listeners {
  readonly onProgress?: ProgressListener
  readonly onRequests?: RequestListener | undefined
}

/** The indexing thread as the server sees it. */
export class IndexingThread implements Indexing {
  private readonly thread = new WorkerThread<Request, unknown, Notice>({
    name: 'the indexing thread',
    create: () => this.create(),
    onNotice: (notice) => this.receive(notice),
  })
  private readonly memory = new SharedArrayBuffer(4)
  private readonly flag = new Int32Array(this.memory)
  /** Of the request under way. */
  private listeners: Listeners = {}
  private queue: Promise<unknown> = Promise.resolve()

  /** Without options for embedding no model can be asked. `onWarning` hears of what went wrong without harm. */
  constructor(
    private readonly limits: IndexingLimits,
    private readonly embedding?: DocumentEmbeddingOptions,
    private readonly onWarning: (problem: Error) => void = () => {},
  ) {}

  start(): void {
    this.thread.start()
  }

  run(...[job, onProgress, onRequests]: Parameters<Indexing['run']>) {
    Atomics.store(this.flag, 0, 0)
    const done = this.ask({ kind: 'run', job }, { onProgress, onRequests }) as Promise<JobOutcome>
    return { done, cancel: () => void Atomics.store(this.flag, 0, 1) }
  }

  compact(fromPath: string, toPath: string) {
    return this.ask({ kind: 'compact', fromPath, toPath }) as Promise<{ before: number; after: number }>
  }

  upgrade(fromPath: string, toPath: string) {
    Atomics.store(this.flag, 0, 0)
    const done = this.ask({ kind: 'upgrade', fromPath, toPath }) as Promise<IndexStats | undefined>
    return { done, cancel: () => void Atomics.store(this.flag, 0, 1) }
  }

  refreshSets(path: string) {
    Atomics.store(this.flag, 0, 0)
    const done = this.ask({ kind: 'refreshSets', path }) as Promise<IndexStats>
    return { done, cancel: () => void Atomics.store(this.flag, 0, 1) }
  }

  completeNames(path: string) {
    return this.ask({ kind: 'completeNames', path }) as Promise<void>
  }

  async release(path: string): Promise<void> {
    await this.inTurn(() => this.thread.askIfRunning({ kind: 'release', path }))
  }

  async close(): Promise<void> {
    await this.inTurn(() => this.thread.close({ kind: 'close' }))
  }

  private ask(request: Request, listeners: Listeners = {}): Promise<unknown> {
    return this.inTurn(() => {
      this.listeners = listeners
      return this.thread.ask(request)
    })
  }

  /** Requests wait for each other: the thread does one thing at a time. */
  private inTurn(send: () => Promise<unknown>): Promise<unknown> {
    const turn = this.queue.then(send)
    this.queue = turn.catch(() => {})
    return turn
  }

  private create(): Worker {
    const { memory: flag, embedding, limits } = this
    const workerData: IndexingThreadData = { flag, embedding, limits }
    return new Worker(new URL('./indexing-worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    })
  }

  private receive(notice: Notice): void {
    if (notice.kind === 'warning') this.onWarning(toError(notice.problem))
    else if (notice.kind === 'progress') this.listeners.onProgress?.(notice.step, notice.finished, notice.total)
    else this.listeners.onRequests?.(notice.requests)
  }
}
