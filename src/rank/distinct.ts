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

  /** No document is like one that came before. */
  get isNothingSeen(): boolean {
    return this.seen.size === 0 && !this.isEmptySeen
  }

  /** Whether an earlier document has one of its values. */
  isSeen(docId: number): boolean {
    if (this.isEmptySeen && this.source.empty!.has(docId)) return true
    return this.seen.size > 0 && this.source.column!.hasMarked(docId, this.seen)
  }

  /** Those of some documents, given ascending, of which `isSeen` is true. */
  seenOf(docIds: Uint32Array): Uint32Array {
    if (this.isNothingSeen) return NO_DOC_IDS
    if (this.isEmptySeen || this.source.column === undefined) return docIds.filter((docId) => this.isSeen(docId))
    return this.source.column.withMarked(docIds, this.seen)
  }

  /** Takes the values of a document; answers false, and takes nothing, when one of them is gone. */
  take(docId: number): boolean {
    if (this.isSeen(docId)) return false
    this.source.column?.mark(docId, this.seen)
    this.isEmptySeen ||= this.source.empty?.has(docId) === true
    return true
  }

  /** Takes the values of some documents, given ascending, one after the other; answers those of which `take` is true. */
  takeAll(docIds: Uint32Array): Uint32Array {
    const { column, empty } = this.source
    if (column === undefined || empty?.isEmpty === false) return docIds.filter((docId) => this.take(docId))
    return column.takeUnmarked(docIds, this.seen)
  }

  /** One document of each group of duplicates, the first of those given, which ascend. */
  static firstOfEach(docIds: Uint32Array, source: DistinctSource): Uint32Array {
    return new DistinctValues(source).takeAll(docIds)
  }
}

const NO_DOC_IDS = new Uint32Array(0)
