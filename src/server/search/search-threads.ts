import type { Result } from '../../errors/index.js'
import type { Answered, RequestKind } from '../../search/index.js'
import type { Searching, SearchOrder } from './search-order.js'
import { SearchThread } from './search-thread.js'

/** The search threads. Each takes requests in their order; a new one goes to the thread with the least to do. */
export class SearchThreads implements Searching {
  private readonly threads: readonly SearchThread[]

  constructor(count: number, createThread: () => SearchThread = () => new SearchThread()) {
    this.threads = Array.from({ length: count }, createThread)
  }

  run(order: SearchOrder): Promise<Result<Answered>> {
    return this.leastBusy().ask({ ask: 'run', order }, [memoryOf(order.bytes)]) as Promise<Result<Answered>>
  }

  inspect(kind: RequestKind, bytes: Uint8Array): Promise<Result<readonly string[]>> {
    return this.leastBusy().ask({ ask: 'inspect', kind, bytes }) as Promise<Result<readonly string[]>>
  }

  /** Threads that were not started, or were lost, have nothing open. */
  async release(path: string): Promise<void> {
    const running = this.threads.filter(({ isRunning }) => isRunning)
    await Promise.all(running.map((thread) => thread.ask({ ask: 'release', path })))
  }

  /** One after the other, so that the first is ready soon: to start one costs as much as hundreds of searches. */
  async start(): Promise<void> {
    for (const thread of this.threads) await thread.start()
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }

  /** The first of equals: who searches alone always meets the same warm caches. */
  private leastBusy(): SearchThread {
    return this.threads.reduce((least, thread) => (thread.load < least.load ? thread : least))
  }
}

const memoryOf = (bytes: Uint8Array): ArrayBuffer => bytes.buffer as ArrayBuffer
