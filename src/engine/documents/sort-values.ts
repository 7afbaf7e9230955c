import type { DocId } from '../../documents/index.js'
import { distanceMeters } from '../../geo/index.js'
import type { SortKey } from '../../match/index.js'
import { columnOf } from '../../rank/index.js'
import type { ScoreValue } from '../score-value.js'
import type { SortedIndex } from './sorted-page.js'

/** What listed documents are compared by with those of other servers: one value for each key (spec 8 §3.7). */
export function documentSortValues(
  index: SortedIndex,
  docIds: Iterable<number>,
  keys: readonly SortKey[],
): ScoreValue[][] {
  const { facets } = index
  const readers = keys.map((key) => {
    const isAscending = key.direction === 'asc'
    if (key.kind === 'geoPoint') {
      return (docId: number): ScoreValue => {
        const position = facets.position(docId as DocId)
        const distance = position === undefined ? null : distanceMeters(key, position)
        return { kind: 'geo', isAscending, distanceMeters: distance }
      }
    }
    const column = columnOf(index, key.attribute)
    return (docId: number): ScoreValue => ({
      kind: 'sort',
      isAscending,
      value: bestOf(column?.values(docId) ?? [], isAscending),
    })
  })
  return Array.from(docIds, (docId) => readers.map((read) => read(docId)))
}

/** Values come in ascending order, numbers first. Any number is better than a text, in both directions. */
function bestOf(values: readonly (number | string)[], isAscending: boolean): number | string | null {
  if (isAscending) return values[0] ?? null
  return values.findLast((value) => typeof value === 'number') ?? values.at(-1) ?? null
}
