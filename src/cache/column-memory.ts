interface Holder {
  readonly sizeBytes: number
}

interface Entry {
  readonly release: () => void
  /** As of the last use. */
  bytes: number
}

/** Lets go of the columns that were not used for longest when all together hold too much memory. */
export class ColumnMemory {
  /** The one used last is last. */
  private readonly entries = new Map<Holder, Entry>()
  private totalBytes = 0

  constructor(private readonly maxBytes: number) {}

  /** `release` is called when the column has to go, to drop what refers to it. */
  add(holder: Holder, release: () => void): void {
    this.entries.set(holder, { release, bytes: 0 })
    this.use(holder)
  }

  /** Takes note of what the column has grown to, and makes room for it by letting go of others. */
  use(holder: Holder): void {
    const entry = this.entries.get(holder)!
    this.remove(holder)
    this.entries.set(holder, entry)
    entry.bytes = holder.sizeBytes
    this.totalBytes += entry.bytes
    for (const [oldest, { release }] of this.entries) {
      if (this.totalBytes <= this.maxBytes || oldest === holder) return
      this.remove(oldest)
      release()
    }
  }

  /** Whether the column may grow. One that was let go of may not. */
  hasRoomFor(holder: Holder): boolean {
    const entry = this.entries.get(holder)
    return entry !== undefined && this.totalBytes - entry.bytes + holder.sizeBytes < this.maxBytes
  }

  /** Whether the column is much larger than all together should be. */
  isExceededBy({ sizeBytes }: Holder): boolean {
    return sizeBytes > 2 * this.maxBytes
  }

  remove(holder: Holder): void {
    this.totalBytes -= this.entries.get(holder)!.bytes
    this.entries.delete(holder)
  }
}
