import type { Bitmap } from '../bitmap/index.js'
import { type FacetColumn, ValueMarks } from '../columns/index.js'
import type { SearchIndex } from '../match/index.js'
import { emptyStrings } from './empty-strings.js'
import type { RankRequest } from './model.js'
import { columnOf } from './order/columns-of.js'

/** By what documents are alike. */
export interface DistinctSource {
  /** Without a column no document has a value, and none is like another. */
  readonly column: FacetColumn | undefined
  /** Documents that are alike since they have an empty string. */
  readonly empty?: Bitmap
}

/** Null without a distinct attribute. */
export function distinctSource(
  index: SearchIndex,
  { distinct, isEmptyDistinct }: Pick<RankRequest, 'distinct' | 'isEmptyDistinct'>,
): DistinctSource | null {
  if (distinct === null) return null
  const column = columnOf(index, distinct)
  return isEmptyDistinct ? { column, empty: emptyStrings(index, distinct) } : { column }
}

/** Which values of an attribute were taken by documents that came before (spec 6 §8). */
export class DistinctValues {
  private readonly seen = new ValueMarks()
  private isEmptySeen = false

  constructor(private readonly source: DistinctSource) {}

  /** Whether an earlier document has one of its values. */
  isSeen(docId: number): boolean {
    if (this.isEmptySeen && this.source.empty!.has(docId)) return true
    return this.seen.size > 0 && this.source.column!.hasMarked(docId, this.seen)
  }

  /** Takes the values of a document; answers false, and takes nothing, when one of them is gone. */
  take(docId: number): boolean {
    if (this.isSeen(docId)) return false
    this.source.column?.mark(docId, this.seen)
    this.isEmptySeen ||= this.source.empty?.has(docId) === true
    return true
  }

  /** One document of each group of duplicates, the first of those given. */
  static firstOfEach(docIds: Uint32Array, source: DistinctSource): Uint32Array {
    const distinct = new DistinctValues(source)
    return docIds.filter((docId) => distinct.take(docId))
  }
}
