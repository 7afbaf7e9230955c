import { Worker } from 'node:worker_threads'
import { toError } from '../tasks/index.js'
import type { DeskReply } from './backup-protocol.js'
import type { Desk, DeskAnswer, DeskOrders, DeskWork } from './desk.js'
import type { Watch } from './watch.js'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly watch: Watch
}

/** How often the thread is told whether to stop. */
const LOOK_EVERY_MS = 50

/** A desk on a thread that lives as long as one job. */
export class BackupThread implements Desk {
  private readonly worker: Worker
  private readonly flag = new Int32Array(new SharedArrayBuffer(4))
  private pending: Pending | undefined
  private lost: Error | undefined

  constructor() {
    this.worker = new Worker(new URL('./backup-worker.js', import.meta.url), { workerData: { flag: this.flag.buffer } })
    this.worker.on('message', (reply: DeskReply) => this.receive(reply))
    this.worker.on('error', (error) => this.lose(error as Error))
    this.worker.on('exit', (code) => this.lose(new Error(`the backup thread ended with code ${code}`)))
  }

  async do<W extends DeskWork>(work: W, order: DeskOrders[W], watch: Watch): Promise<DeskAnswer<W>> {
    const look = setInterval(() => this.look(watch), LOOK_EVERY_MS).unref()
    this.look(watch)
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        if (this.lost !== undefined) return reject(this.lost)
        this.pending = { resolve, reject, watch }
        this.worker.postMessage({ work, order })
      })
      // The thread does the same work as the desk of these types.
      return answer as DeskAnswer<W>
    } finally {
      clearInterval(look)
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private look(watch: Watch): void {
    Atomics.store(this.flag, 0, watch.isCancelled() ? 1 : 0)
  }

  private receive(reply: DeskReply): void {
    const { pending } = this
    if (pending === undefined) return
    if (reply.is === 'progress') {
      pending.watch.progress(reply.step, reply.finished, reply.total)
      return
    }
    this.pending = undefined
    if (reply.is === 'done') pending.resolve(reply.value)
    else pending.reject(toError(reply.problem))
  }

  private lose(error: Error): void {
    this.lost ??= error
    this.pending?.reject(error)
    this.pending = undefined
  }
}
