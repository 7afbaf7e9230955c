import type { Answered, RequestKind } from '../answer/index.js'
import type { Result } from '../errors/index.js'
import type { FilterGates } from '../match/index.js'
import type { Inspected, Searching, SearchOrder } from './search-order.js'
import type { Asker } from './search-queue.js'
import type { SearchThread } from './search-thread.js'

export interface SearchThreadsOptions {
  /** How many threads share what is asked. One more answers when all of them are held up, and takes large requests. */
  readonly count: number
  /** The first one has place 0. */
  createThread(place: number): SearchThread
  /** Milliseconds on any clock that never goes back. */
  readonly now?: () => number
}

/**
 * The search threads. Each takes requests in their order; a new one goes to the thread with the least to do. The first
 * thread starts before it is needed, as soon as there is something to search. The others begin cold, with empty caches and
 * code that is not optimized, and take memory: each starts when those before it have been busy for a while. See
 * docs/decisions/021-search-threads-and-memory.md.
 */
export class SearchThreads implements Searching {
  private readonly shared: readonly SearchThread[]
  private readonly spare: SearchThread
  private readonly now: () => number
  /** Since when there has always been something to do for all threads that run. */
  private busySince: number | undefined

  constructor({ count, createThread, now = () => performance.now() }: SearchThreadsOptions) {
    this.shared = Array.from({ length: count }, (_, place) => createThread(place))
    this.spare = createThread(count)
    this.now = now
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
    await Promise.all(this.all().map((thread) => thread.release(path)))
  }

  /** At least one of them. */
  get isRunning(): boolean {
    return this.shared[0]!.isRunning
  }

  async start(): Promise<void> {
    await this.shared[0]!.start()
  }

  async close(): Promise<void> {
    await Promise.all(this.all().map((thread) => thread.close()))
  }

  private all(): SearchThread[] {
    return [...this.shared, this.spare]
  }

  /** Large requests take turns on one thread: nobody else has to wait for all of them, and memory is needed for one. */
  private threadFor(sizeBytes: number): SearchThread {
    if (sizeBytes > LARGE_BYTES) return this.spare
    const least = this.leastBusy()
    if (least.load === 0) {
      this.busySince = undefined
      return least
    }
    const now = this.now()
    this.startNext(now)
    return this.areHeldUp(now) ? this.insteadOf(least) : least
  }

  /** The first of equals: who searches alone always meets the same warm caches. */
  private leastBusy(): SearchThread {
    let least = this.shared[0]!
    for (const thread of this.shared) if (thread.isReady && thread.load < least.load) least = thread
    return least
  }

  private startNext(now: number): void {
    this.busySince ??= now
    if (now - this.busySince < START_AFTER_MS) return
    const next = this.shared.find(({ isReady }) => !isReady)
    if (next !== undefined && !next.isRunning) void next.start()
  }

  private areHeldUp(now: number): boolean {
    return this.shared.every((thread) => (thread.isReady ? thread.silentMs(now) > HELD_UP_MS : !thread.isRunning))
  }

  /** Whoever comes while it starts stays with the others. */
  private insteadOf(least: SearchThread): SearchThread {
    const { spare } = this
    if (spare.isReady) return spare.load < least.load ? spare : least
    if (!spare.isRunning) void spare.start()
    return least
  }
}

/** Of a request. People's searches have some hundred bytes, and programs' some thousand. */
const LARGE_BYTES = 1 << 20

/** Short peaks are over before another thread is of use. */
const START_AFTER_MS = 500

/** One search takes a thread so long, or what comes before it. Most take some milliseconds. */
const HELD_UP_MS = 500

const memoryOf = (bytes: Uint8Array): ArrayBuffer => bytes.buffer as ArrayBuffer
