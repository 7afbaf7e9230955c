import { Worker } from 'node:worker_threads'
import type { IndexStats, JobOutcome } from '../../index/index.js'
import type { DocumentEmbeddingOptions } from './document-embedders.js'
import type { Indexing, ProgressListener, RequestListener } from './indexing.js'
import { type IndexingThreadData, type Reply, type Request, toError } from './indexing-protocol.js'
import type { IndexingLimits } from './job-services.js'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly listeners: Listeners
}

interface Listeners {
  readonly onProgress?: ProgressListener
  readonly onRequests?: RequestListener | undefined
}

/**
 * The indexing thread as the server sees it. It starts with the first request at the latest, and starts again after a
 * crash, which fails the request that was under way.
 */
export class IndexingThread implements Indexing {
  private worker: Worker | undefined
  private readonly memory = new SharedArrayBuffer(4)
  private readonly flag = new Int32Array(this.memory)
  private pending: Pending | undefined
  private queue: Promise<unknown> = Promise.resolve()

  /** Without options for embedding no model can be asked. `onWarning` hears of what went wrong without harm. */
  constructor(
    private readonly limits: IndexingLimits,
    private readonly embedding?: DocumentEmbeddingOptions,
    private readonly onWarning: (problem: Error) => void = () => {},
  ) {}

  start(): void {
    this.thread()
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

  completeNames(path: string) {
    return this.ask({ kind: 'completeNames', path }) as Promise<void>
  }

  async release(path: string): Promise<void> {
    if (this.worker !== undefined) await this.ask({ kind: 'release', path })
  }

  async close(): Promise<void> {
    const { worker } = this
    if (worker === undefined) return
    await this.ask({ kind: 'close' }).catch((error) => {
      // A thread that is lost while it closes is closed too.
      if (this.worker === worker) throw error
    })
    await worker.terminate()
  }

  /** Requests wait for each other: the thread does one thing at a time. */
  private ask(request: Request, listeners: Listeners = {}): Promise<unknown> {
    const turn = this.queue.then(() => this.send(request, listeners))
    this.queue = turn.catch(() => {})
    return turn
  }

  private send(request: Request, listeners: Listeners): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject, listeners }
      this.thread().postMessage(request)
    })
  }

  private thread(): Worker {
    if (this.worker !== undefined) return this.worker
    const { memory: flag, embedding, limits } = this
    const workerData: IndexingThreadData = { flag, embedding, limits }
    const worker = new Worker(new URL('./indexing-worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    })
    worker.on('message', (reply: Reply) => this.receive(reply))
    worker.on('error', (error) => this.lost(worker, error as Error))
    worker.on('exit', (code) => this.lost(worker, new Error(`the indexing thread ended with code ${code}`)))
    this.worker = worker
    return worker
  }

  private receive(reply: Reply): void {
    const { pending } = this
    if (reply.kind === 'warning') this.onWarning(toError(reply.problem))
    if (pending === undefined || reply.kind === 'warning') return
    if (reply.kind === 'progress') {
      pending.listeners.onProgress?.(reply.step, reply.finished, reply.total)
      return
    }
    if (reply.kind === 'requests') {
      pending.listeners.onRequests?.(reply.requests)
      return
    }
    this.pending = undefined
    if (reply.kind === 'done') pending.resolve(reply.value)
    else pending.reject(toError(reply.problem))
  }

  /** A crash is told twice, as an error and as an end; by the second time another thread may be at work. */
  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.pending?.reject(error)
    this.pending = undefined
  }
}
