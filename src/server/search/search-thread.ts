import { Worker } from 'node:worker_threads'
import { toError } from '../../tasks/index.js'
import type { DeskOptions } from './search-desk.js'
import type { ThreadOutcome, ThreadReply, ThreadRequest } from './search-protocol.js'

interface Pending {
  readonly resolve: (outcome: ThreadOutcome) => void
  readonly reject: (error: Error) => void
}

/** What a request asks, before it has its number. */
export type Question = ThreadRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never

/**
 * One search thread as the server sees it. It starts with the first request, and starts again after a crash, which
 * fails the requests that were under way.
 */
export class SearchThread {
  private worker: Worker | undefined
  private loaded: Worker | undefined
  private readonly pending = new Map<number, Pending>()
  private lastId = 0

  constructor(private readonly create: () => Worker) {}

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

  /** `given` is memory that the thread takes over. */
  ask(question: Question, given: ArrayBuffer[] = []): Promise<ThreadOutcome> {
    this.worker ??= this.listenTo(this.create())
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.worker!.postMessage({ ...question, id }, given)
    })
  }

  async close(): Promise<void> {
    const { worker } = this
    if (worker === undefined) return
    await this.ask({ ask: 'close' }).catch((error) => {
      // A thread that is lost while it closes is closed too.
      if (this.worker === worker) throw error
    })
    await worker.terminate()
  }

  private listenTo(worker: Worker): Worker {
    worker.on('message', (reply: ThreadReply) => this.receive(reply))
    worker.on('error', (error) => this.lost(worker, error as Error))
    worker.on('exit', (code) => this.lost(worker, new Error(`a search thread ended with code ${code}`)))
    return worker
  }

  private receive(reply: ThreadReply): void {
    const pending = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if (reply.is === 'outcome') pending?.resolve(reply.outcome)
    else pending?.reject(toError(reply.problem))
  }

  /** A crash is told twice, as an error and as an end; by the second time another thread may be at work. */
  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    const lost = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of lost) reject(error)
  }
}

export const createSearchWorker = (options: DeskOptions): Worker =>
  new Worker(new URL('./search-worker.js', import.meta.url), { workerData: options })
