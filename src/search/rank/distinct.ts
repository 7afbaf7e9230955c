import { type FacetColumn, ValueMarks } from '../../index/index.js'

/** Which values of an attribute were taken by documents that came before (spec 6 §8). */
export class DistinctValues {
  private readonly seen = new ValueMarks()

  /** Without a column no document has a value, and none is like another. */
  constructor(private readonly column: FacetColumn | undefined) {}

  /** Whether an earlier document has one of its values. */
  isSeen(docId: number): boolean {
    return this.seen.size > 0 && this.column!.hasMarked(docId, this.seen)
  }

  /** Takes the values of a document; answers false, and takes nothing, when one of them is gone. */
  take(docId: number): boolean {
    if (this.isSeen(docId)) return false
    this.column?.mark(docId, this.seen)
    return true
  }

  /** One document of each group of duplicates, the first of those given. */
  static firstOfEach(docIds: Uint32Array, column: FacetColumn | undefined): Uint32Array {
    const distinct = new DistinctValues(column)
    return docIds.filter((docId) => distinct.take(docId))
  }
}
