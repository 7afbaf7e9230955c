import type { Result } from '../../errors/index.js'
import type { Answered, FilterGates, NamedIndexes, RequestKind } from '../../search/index.js'
import { compilersStepBack } from '../../threads/index.js'
import type { Asker } from '../search-queue.js'
import type { Searching, SearchOrder } from './search-order.js'
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
    compilersStepBack()
    const asking = { given: [memoryOf(order.bytes)], asker }
    return this.leastBusy().ask({ ask: 'run', order }, asking) as Promise<Result<Answered>>
  }

  inspect(kind: RequestKind, bytes: Uint8Array, asker?: Asker): Promise<Result<NamedIndexes>> {
    return this.leastBusy().ask({ ask: 'inspect', kind, bytes }, { asker }) as Promise<Result<NamedIndexes>>
  }

  checkFilter(filter: string, gates: FilterGates, asker?: Asker): Promise<Result<undefined>> {
    const { containsFilter, foreignKeys, network, multimodal } = gates
    const question = {
      ask: 'checkFilter',
      filter,
      gates: { containsFilter, foreignKeys, network, multimodal },
    } as const
    return this.leastBusy().ask(question, { asker }) as Promise<Result<undefined>>
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

  /** The first of equals: who searches alone always meets the same warm caches. */
  private leastBusy(): SearchThread {
    let least = this.threads[0]!
    for (const thread of this.threads) if (thread.isReady && thread.load < least.load) least = thread
    if (least.load > 0) void this.threads.find(({ isRunning }) => !isRunning)?.start()
    return least
  }
}

const memoryOf = (bytes: Uint8Array): ArrayBuffer => bytes.buffer as ArrayBuffer
