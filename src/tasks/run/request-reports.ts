import type { EmbedderRequests } from '../../embed/index.js'
import type { RequestListener } from './indexing.js'

/** Told at most this often. */
const TOLD_EVERY_MS = 50

/** Tells how many requests to embedders there were, when that changes. For one job. */
export class RequestReports {
  private told: EmbedderRequests
  private toldAt = Number.NEGATIVE_INFINITY

  /** `source.requests` is another object after each request. */
  constructor(
    private readonly source: { readonly requests: EmbedderRequests },
    private readonly listen: RequestListener,
  ) {
    this.told = source.requests
  }

  /** Called often. */
  tell(nowMs: number): void {
    if (this.source.requests === this.told || nowMs - this.toldAt < TOLD_EVERY_MS) return
    this.toldAt = nowMs
    this.tellLast()
  }

  tellLast(): void {
    const { requests } = this.source
    if (requests === this.told) return
    this.told = requests
    this.listen(requests)
  }
}
