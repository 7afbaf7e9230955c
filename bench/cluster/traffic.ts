import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterServer } from '../../scripts/cluster/local-cluster.js'

const WRITERS = 3
const WRITE_EVERY_MS = 30
const WRITE_TIMEOUT_MS = 40_000
const SEARCH_EVERY_MS = 10
/** After this a client gives up on a server that stands still, and asks the next one. */
const SEARCH_TIMEOUT_MS = 1_000

/** What clients went through since a moment. */
export interface Experience {
  /** The longest time in which none was acknowledged, or answered, in milliseconds. */
  readonly writeGapMs: number
  readonly searchGapMs: number
  /** Writes with another answer than 202. */
  readonly refused: number
  /** Searches that neither of two servers answered. */
  readonly failed: number
  /** Answers that lack something. */
  readonly incomplete: number
}

export interface TrafficOptions {
  readonly servers: readonly ClusterServer[]
  readonly index: string
  readonly search: (turn: number) => object
  /** Whether an answer to a search has everything. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the server
  readonly isComplete?: (body: any) => boolean
  /** Without it there are searches only. */
  readonly document?: (id: number) => object
}

/** Clients that write and search all the time, each time at another server; searches are asked twice at most. */
export class Traffic {
  private readonly ending = new AbortController()
  private readonly running: Promise<unknown>
  private writeGap = new Gap()
  private searchGap = new Gap()
  private refused = 0
  private failed = 0
  private incomplete = 0
  private nextId = 1_000_000
  /** When the last write was sent that has been acknowledged. */
  private acknowledged = 0

  constructor(private readonly options: TrafficOptions) {
    const { document } = options
    const writers = document === undefined ? [] : Array.from({ length: WRITERS }, () => this.write(document))
    this.running = Promise.all([...writers, this.search()])
  }

  /** Counts from now on. */
  begin(): void {
    this.writeGap = new Gap()
    this.searchGap = new Gap()
    this.refused = 0
    this.failed = 0
    this.incomplete = 0
  }

  experience(): Experience {
    const { refused, failed, incomplete } = this
    return { writeGapMs: this.writeGap.longest(), searchGapMs: this.searchGap.longest(), refused, failed, incomplete }
  }

  /** Until a write is acknowledged that is sent from now on. */
  async writesGoOn(): Promise<void> {
    const now = performance.now()
    while (this.acknowledged < now) await pause(WRITE_EVERY_MS)
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await this.running
  }

  private async write(document: (id: number) => object): Promise<void> {
    const { servers, index } = this.options
    while (!this.ending.signal.aborted) {
      const id = this.nextId++
      const sentAt = performance.now()
      const status = await servers[id % servers.length]!.request(
        'POST',
        `/indexes/${index}/documents`,
        [document(id)],
        WRITE_TIMEOUT_MS,
      ).then(
        (answer) => answer.status,
        () => undefined,
      )
      if (status === 202) {
        this.writeGap.end()
        this.acknowledged = Math.max(this.acknowledged, sentAt)
      } else if (status !== undefined) this.refused++
      await pause(WRITE_EVERY_MS)
    }
  }

  private async search(): Promise<void> {
    for (let i = 0; !this.ending.signal.aborted; i++) {
      if ((await this.isAnswered(i)) || (await this.isAnswered(i + 1))) this.searchGap.end()
      else this.failed++
      await pause(SEARCH_EVERY_MS)
    }
  }

  private async isAnswered(turn: number): Promise<boolean> {
    const { servers, index, search, isComplete = () => true } = this.options
    const server = servers[turn % servers.length]!
    const path = `/indexes/${index}/search`
    const answer = await server.request('POST', path, search(turn), SEARCH_TIMEOUT_MS).catch(() => undefined)
    if (answer?.status !== 200) return false
    if (!isComplete(answer.body)) this.incomplete++
    return true
  }
}

class Gap {
  private last = performance.now()
  private max = 0

  end(): void {
    this.max = this.longest()
    this.last = performance.now()
  }

  longest(): number {
    return Math.max(this.max, performance.now() - this.last)
  }
}
