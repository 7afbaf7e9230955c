import { Worker } from 'node:worker_threads'
import { WorkerThread } from '../threads/index.js'
import type { BackupAnswer, BackupOrders, BackupWork, Executor } from './backup-executor.js'
import type { BackupProgress, BackupRequest } from './backup-protocol.js'
import type { Watch } from './watch.js'

/** How often the thread is told whether to stop. */
const LOOK_EVERY_MS = 50

/** A executor on a thread that lives as long as one job. */
export class BackupThread implements Executor {
  private readonly flag = new Int32Array(new SharedArrayBuffer(4))
  private watch: Watch | undefined
  private readonly thread = new WorkerThread<BackupRequest, unknown, BackupProgress>({
    name: 'the backup thread',
    create: () =>
      new Worker(new URL('./backup-worker.js', import.meta.url), { workerData: { flag: this.flag.buffer } }),
    // The steps of a job build on each other.
    isUnique: true,
    onNotice: ({ step, finished, total }) => this.watch?.progress(step, finished, total),
  })

  async do<W extends BackupWork>(work: W, order: BackupOrders[W], watch: Watch): Promise<BackupAnswer<W>> {
    const look = setInterval(() => this.look(watch), LOOK_EVERY_MS).unref()
    this.look(watch)
    this.watch = watch
    try {
      // Each work comes with the order of its own, and the thread does the same as the executor of these types.
      return (await this.thread.ask({ work, order } as BackupRequest)) as BackupAnswer<W>
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
