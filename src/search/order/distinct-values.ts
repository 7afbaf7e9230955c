import type { SearchIndex } from '../search-index.js'
import { columnOf } from './columns-of.js'

/** The values by which documents are told to be alike (spec 6 §8). */
export interface DistinctValues {
  /** Numbers, and strings as `normalizeFacet` makes them; none for a document that is like no other. */
  of(docId: number): readonly (number | string)[]
}

const NONE: DistinctValues = { of: () => [] }

/** The values of exactly this attribute. Valid until the index changes. */
export function distinctValues(
  index: Pick<SearchIndex, 'folder' | 'derive' | 'fields'>,
  attribute: string,
): DistinctValues {
  const column = columnOf(index, attribute)
  return column === undefined ? NONE : { of: (docId) => column.values(docId) }
}
