/** A sample holds at least this much, when there is so much, and less than twice as much. */
const TARGET_BYTES = 32 << 10
/** What is taken of one value and of one document, so that none of them is all there is. */
const VALUE_BYTES = 1024
const DOCUMENT_BYTES = 4096

/** The golden ratio without its one: its multiples, without their whole part, lie evenly between 0 and 1. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The values of one document. They are asked for only where some of them are kept, as copies. */
export interface DocumentValueSample {
  /** Of all values. */
  readonly sizeBytes: number
  readonly values: readonly Uint8Array[]
}

export function seenValues(values: readonly Uint8Array[]): DocumentValueSample {
  return { sizeBytes: sizeOf(values), values }
}

interface SampledDocument {
  readonly order: number
  readonly parts: readonly Uint8Array[]
}

/**
 * Values of documents that lie evenly among all that were seen, but not at even distances: documents of two kinds that
 * take turns are both there.
 */
export class ValueSample {
  /** Of everything that was seen. */
  seenBytes = 0
  private seenDocuments = 0
  private kept: SampledDocument[] = []
  private keptBytes = 0
  /** Which part of the documents is kept. */
  private share = 1

  see(document: DocumentValueSample): void {
    this.seenBytes += document.sizeBytes
    const order = this.seenDocuments++
    if (!this.isKept(order)) return
    const parts = partsOf(document.values)
    this.kept.push({ order, parts })
    this.keptBytes += sizeOf(parts)
    if (this.keptBytes >= 2 * TARGET_BYTES) this.halve()
  }

  values(): Uint8Array[] {
    return this.kept.flatMap(({ parts }) => parts)
  }

  private isKept(order: number): boolean {
    return (order * GOLDEN) % 1 < this.share
  }

  private halve(): void {
    this.share /= 2
    this.kept = this.kept.filter(({ order }) => this.isKept(order))
    this.keptBytes = this.kept.reduce((total, { parts }) => total + sizeOf(parts), 0)
  }
}

/** At most `most` of the numbers from 0 to `count` - 1, spread in the same way. */
export function spread(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i)
  return Array.from({ length: most }, (_, i) => Math.floor(((i * GOLDEN) % 1) * count))
}

function partsOf(values: readonly Uint8Array[]): Uint8Array[] {
  const parts: Uint8Array[] = []
  let left = DOCUMENT_BYTES
  for (const value of values) {
    const size = Math.min(value.length, VALUE_BYTES, left)
    if (size > 0) parts.push(Uint8Array.prototype.slice.call(value, 0, size))
    left -= size
  }
  return parts
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((total, { length }) => total + length, 0)
