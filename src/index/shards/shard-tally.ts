import type { Bitmap } from '../../bitmap/index.js'

/** Documents that a task counts, by the names of their shards. */
export type ShardCounts = Readonly<Record<string, number>>

/**
 * Counts documents by their shards. Servers that own some shards in common each count those, so that a plain sum over
 * servers would count their documents twice.
 */
export class ShardTally {
  private counts: Record<string, number> = {}

  constructor(
    private readonly shards: {
      /** Those that are counted. */
      readonly owned: ReadonlySet<string>
      of(documentId: string): string
      /** As before the batch. */
      docIds(name: string): Bitmap
    },
  ) {}

  add(documentId: string): void {
    this.increase(this.shards.of(documentId), 1)
  }

  /** Documents that were there before the batch. */
  addStored(documents: Bitmap): void {
    for (const name of this.shards.owned) {
      const { size } = this.shards.docIds(name).and(documents)
      if (size > 0) this.increase(name, size)
    }
  }

  /** What was counted since the last call. */
  take(): ShardCounts {
    const { counts } = this
    this.counts = {}
    return counts
  }

  private increase(name: string, by: number): void {
    if (!this.shards.owned.has(name)) return
    this.counts[name] = (this.counts[name] ?? 0) + by
  }
}
