/** The values that make documents duplicates of each other. */
export interface DocumentValues {
  /** Numbers and normalized strings; empty for a document that is never a duplicate. */
  of(docId: number): readonly (number | string)[]
}

/** Which values were taken by documents that came before (spec 6 §8). */
export class DistinctValues {
  private readonly seen = new Set<number | string>()

  constructor(private readonly values: DocumentValues) {}

  /** Whether an earlier document has one of its values. */
  isSeen(docId: number): boolean {
    return this.seen.size > 0 && this.hasAny(this.values.of(docId))
  }

  /** Takes the values of a document; answers false, and takes nothing, when one of them is gone. */
  take(docId: number): boolean {
    const values = this.values.of(docId)
    if (this.hasAny(values)) return false
    for (const value of values) this.seen.add(value)
    return true
  }

  private hasAny(values: readonly (number | string)[]): boolean {
    for (const value of values) if (this.seen.has(value)) return true
    return false
  }

  /** One document of each group of duplicates, the first of those given. */
  static firstOfEach(docIds: Iterable<number>, values: DocumentValues): number[] {
    const distinct = new DistinctValues(values)
    return [...docIds].filter((docId) => distinct.take(docId))
  }
}
