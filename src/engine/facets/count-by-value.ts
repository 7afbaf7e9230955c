import type { Bitmap } from '../../bitmap/index.js'
import type { FacetColumn, FacetValue } from '../../columns/index.js'
import type { FacetCount, FacetStats, FieldCounts } from './model.js'
import { numberLabel } from './number-label.js'
import type { SelectedField } from './select-fields.js'
import { countingCost, partsUpTo, readingCost } from './walk-cost.js'

/** A value with the documents that hold it. */
export interface OrderedValue<T> extends FacetValue<T> {
  /** It is in memory. */
  readonly isKept?: boolean
}

/** The values of a field in their order, or from the last one on. */
export interface OrderedValues {
  numbers(isReverse?: boolean): Iterable<OrderedValue<number>>
  strings(isReverse?: boolean): Iterable<OrderedValue<string>>
}

interface Walk {
  readonly values: OrderedValues
  readonly column: FacetColumn
  readonly candidates: Bitmap
  readonly maxValues: number
  /** What it may cost, in documents looked at. */
  readonly maxCost: number
}

/**
 * Looks at the documents of values, numbers by value and then strings. In alphabetical order as many as are shown are
 * enough, but the most frequent ones are known when all were counted. Undefined when it would cost too much.
 */
export function countByValue({ attribute, order }: SelectedField, walk: Walk): FieldCounts | undefined {
  const { values, maxValues } = walk
  const steps = new Steps(walk)
  const wanted = order === 'count' ? Number.POSITIVE_INFINITY : maxValues
  const numbers = steps.take(values.numbers(), wanted)
  const stats = statsOf(numbers, steps, values)
  const texts = steps.take(values.strings(), wanted - numbers.length)
  if (steps.isTooSlow) return undefined
  const shownNumbers = shown(numbers, order, maxValues)
  const shownTexts = shown(texts, order, maxValues - shownNumbers.length)
  return { attribute, values: [...shownNumbers.map(numberCount), ...shownTexts.map(textCounter(walk))], stats }
}

interface CountedValue<T> extends FacetValue<T> {
  readonly count: number
}

/** The most frequent ones first, and of those that are as frequent the last one; or as they come. */
function shown<T>(values: readonly CountedValue<T>[], order: SelectedField['order'], limit: number): CountedValue<T>[] {
  const inOrder = order === 'count' ? values.toReversed().sort((a, b) => b.count - a.count) : values
  return inOrder.slice(0, limit)
}

const numberCount = ({ value, count }: CountedValue<number>): FacetCount => ({
  label: numberLabel(value),
  value,
  count,
})

const textCounter =
  ({ column, candidates }: Walk) =>
  ({ value, docIds, count }: CountedValue<string>): FacetCount => {
    return { label: column.spellingOf(docIds.firstCommon(candidates), value), value, count }
  }

/** After so many values without a hit it is clear how it goes on. */
const MAX_MISSES = 8

/** Passes over values that no candidate has. */
class Steps {
  isTooSlow = false
  private readonly candidates: Bitmap
  private readonly parts: number
  private cost = 0
  private stepCount = 0
  private foundCount = 0

  constructor(private readonly walk: Walk) {
    this.candidates = walk.candidates
    this.parts = partsUpTo(walk.candidates.max)
  }

  take<T>(values: Iterable<OrderedValue<T>>, wanted: number): CountedValue<T>[] {
    const found: CountedValue<T>[] = []
    if (wanted <= 0) return found
    for (const { value, docIds, isKept } of values) {
      if (this.isTooSlow) break
      const count = docIds.andCount(this.candidates)
      this.step(docIds.size, count, isKept === true)
      if (count > 0 && found.push({ value, docIds, count }) >= wanted) break
    }
    return found
  }

  /** Looks ahead to what as many values as are wanted would cost at this pace. */
  private step(size: number, count: number, isKept: boolean): void {
    this.stepCount++
    if (count > 0) this.foundCount++
    this.cost += countingCost(size, this.parts) + (isKept ? 0 : readingCost(size, this.parts))
    const { maxCost, maxValues } = this.walk
    const isClear = this.foundCount > 0 || this.stepCount >= MAX_MISSES
    const wholeCost = isClear ? (this.cost * maxValues) / Math.max(this.foundCount, 1) : 0
    this.isTooSlow = this.cost > maxCost || wholeCost > 2 * maxCost
  }
}

/** The largest number need not be among those that are shown. */
function statsOf(numbers: readonly CountedValue<number>[], steps: Steps, values: OrderedValues): FacetStats | null {
  const [last] = numbers.length === 0 ? [] : steps.take(values.numbers(true), 1)
  return last === undefined ? null : { min: numbers[0]!.value, max: last.value }
}
