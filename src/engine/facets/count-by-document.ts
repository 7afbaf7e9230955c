import { compareBytes } from '../../byte-order/index.js'
import type { FacetColumn, MostDocuments, ValueTally } from '../../columns/index.js'
import { firstInOrder } from '../../heap/index.js'
import type { FacetCount, FacetStats, FieldCounts } from './model.js'
import { numberLabel } from './number-label.js'
import type { SelectedField } from './select-fields.js'

/** Up to this many candidates numbers are ordered by their text, as the interface does (spec 6 §7.2). */
export const MAX_TEXT_ORDER = 3000

interface Documents {
  readonly column: FacetColumn
  /** Ascending. Maybe listed when they are asked for. */
  readonly docIds: Uint32Array
  /** The same, where they are most of the index. */
  readonly most?: MostDocuments | undefined
  readonly maxValues: number
  /** Memory to count in. */
  readonly tally: ValueTally
}

/** Looks at the values of each document. */
export function countByDocument({ attribute, order }: SelectedField, documents: Documents): FieldCounts {
  const { column, maxValues, tally } = documents
  countValues(order, documents)
  const byValue: Order = (a, b) => column.compare(a, b)
  const numberOrder = sizeOf(documents) > MAX_TEXT_ORDER ? byValue : byLabel(column)
  const numbers = firstInOrder(tally.foundNumbers, maxValues, order === 'count' ? byCount(documents) : numberOrder)
  const left = maxValues - numbers.length
  const texts = firstInOrder(tally.foundTexts, left, order === 'count' ? byCount(documents) : byValue)
  return {
    attribute,
    values: [...numbers.map((ordinal) => numberCount(documents, ordinal)), ...textCounts(documents, texts)],
    stats: statsOf(documents),
  }
}

function countValues(order: SelectedField['order'], documents: Documents): void {
  const { column, most, maxValues, tally } = documents
  const isFirstWanted = order === 'alpha' && maxValues > 0 && column.hasManyTexts(maxValues)
  if (isFirstWanted) column.countFirst(documents.docIds, tally, maxValues)
  else if (most === undefined || !column.countMost(most, tally)) column.count(documents.docIds, tally)
}

const sizeOf = (documents: Documents): number => documents.most?.count ?? documents.docIds.length

/** Compares ordinals. */
type Order = (a: number, b: number) => number

/** Ties go by value, from the last one on. */
const byCount =
  ({ column, tally }: Documents): Order =>
  (a, b) =>
    tally.counts[b]! - tally.counts[a]! || column.compare(b, a)

function byLabel(column: FacetColumn): Order {
  const labels = new Map<number, string>()
  const labelOf = (ordinal: number): string => {
    const label = labels.get(ordinal) ?? numberLabel(column.valueOf(ordinal) as number)
    labels.set(ordinal, label)
    return label
  }
  return (a, b) => compareBytes(labelOf(a), labelOf(b))
}

function numberCount({ column, tally }: Documents, ordinal: number): FacetCount {
  const value = column.valueOf(ordinal) as number
  return { label: numberLabel(value), value, count: tally.counts[ordinal]! }
}

function textCounts(documents: Documents, ordinals: readonly number[]): FacetCount[] {
  const { column, tally } = documents
  const labels = column.firstSpellings(ordinals, () => documents.docIds)
  return ordinals.map((ordinal, i) => {
    return { label: labels[i]!, value: column.valueOf(ordinal), count: tally.counts[ordinal]! }
  })
}

function statsOf({ column, tally }: Documents): FacetStats | null {
  if (tally.foundNumbers.length === 0) return null
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const ordinal of tally.foundNumbers) {
    const value = column.valueOf(ordinal) as number
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}
