import { Worker } from 'node:worker_threads'
import { WorkerThread } from '../threads/index.js'
import type { DeskProgress, DeskRequest } from './backup-protocol.js'
import type { Desk, DeskAnswer, DeskOrders, DeskWork } from './desk.js'
import type { Watch } from './watch.js'

/** How often the thread is told whether to stop. */
const LOOK_EVERY_MS = 50

/** A desk on a thread that lives as long as one job. */
export class BackupThread implements Desk {
  private readonly flag = new Int32Array(new SharedArrayBuffer(4))
  private watch: Watch | undefined
  private readonly thread = new WorkerThread<DeskRequest, unknown, DeskProgress>({
    name: 'the backup thread',
    create: () =>
      new Worker(new URL('./backup-worker.js', import.meta.url), { workerData: { flag: this.flag.buffer } }),
    // The steps of a job build on each other.
    isUnique: true,
    onNotice: ({ step, finished, total }) => this.watch?.progress(step, finished, total),
  })

  async do<W extends DeskWork>(work: W, order: DeskOrders[W], watch: Watch): Promise<DeskAnswer<W>> {
    const look = setInterval(() => this.look(watch), LOOK_EVERY_MS).unref()
    this.look(watch)
    this.watch = watch
    try {
      // Each work comes with the order of its own, and the thread does the same as the desk of these types.
      return (await this.thread.ask({ work, order } as DeskRequest)) as DeskAnswer<W>
    } finally {
      clearInterval(look)
      this.watch = undefined
    }
  }

  close(): Promise<void> {
    return this.thread.close()
  }

  private look(watch: Watch): void {
    Atomics.store(this.flag, 0, watch.isCancelled() ? 1 : 0)
  }
}
