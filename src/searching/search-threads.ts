import type { Answered, RequestKind } from '../answer/index.js'
import type { Result } from '../errors/index.js'
import type { FilterGates } from '../match/index.js'
import type { Inspected, Searching, SearchOrder } from './search-order.js'
import type { Asker } from './search-queue.js'
import type { SearchThread } from './search-thread.js'

/**
 * The search threads. Each takes requests in their order; a new one goes to the thread with the least to do. The first
 * thread runs from the start on; each other one starts when those before it are busy, since it takes memory.
 */
export class SearchThreads implements Searching {
  private readonly threads: readonly SearchThread[]

  constructor(count: number, createThread: () => SearchThread) {
    this.threads = Array.from({ length: count }, createThread)
  }

  run(order: SearchOrder, asker?: Asker): Promise<Result<Answered>> {
    const asking = { given: [memoryOf(order.bytes)], asker }
    return this.threadFor(order.bytes.length).ask({ ask: 'run', order }, asking) as Promise<Result<Answered>>
  }

  inspect(kind: RequestKind, bytes: Uint8Array, asker?: Asker): Promise<Result<Inspected>> {
    const asking = { given: [memoryOf(bytes)], asker }
    return this.threadFor(bytes.length).ask({ ask: 'inspect', kind, bytes }, asking) as Promise<Result<Inspected>>
  }

  checkFilter(filter: string, gates: FilterGates, asker?: Asker): Promise<Result<undefined>> {
    const { containsFilter, foreignKeys, network, multimodal } = gates
    const question = {
      ask: 'checkFilter',
      filter,
      gates: { containsFilter, foreignKeys, network, multimodal },
    } as const
    return this.threadFor(filter.length).ask(question, { asker }) as Promise<Result<undefined>>
  }

  async release(path: string): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.release(path)))
  }

  async start(): Promise<void> {
    await this.threads[0]!.start()
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }

  /** Large requests take turns on one thread: nobody else has to wait for all of them, and memory is needed for one. */
  private threadFor(sizeBytes: number): SearchThread {
    return sizeBytes > LARGE_BYTES ? this.threads.at(-1)! : this.leastBusy()
  }

  /** The first of equals: who searches alone always meets the same warm caches. */
  private leastBusy(): SearchThread {
    let least = this.threads[0]!
    for (const thread of this.threads) if (thread.isReady && thread.load < least.load) least = thread
    if (least.load > 0) void this.threads.find(({ isRunning }) => !isRunning)?.start()
    return least
  }
}

/** Of a request. People's searches have some hundred bytes, and programs' some thousand. */
const LARGE_BYTES = 1 << 20

const memoryOf = (bytes: Uint8Array): ArrayBuffer => bytes.buffer as ArrayBuffer
