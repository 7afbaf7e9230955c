import type { Bitmap } from '../../bitmap/index.js'
import type { FacetColumn, FacetValue } from '../../columns/index.js'
import type { FacetStats, FieldCounts } from './model.js'
import { numberLabel } from './number-label.js'

/** The values of a field in their order, or from the last one on, with the documents that hold them. */
export interface OrderedValues {
  numbers(isReverse?: boolean): Iterable<FacetValue<number>>
  strings(isReverse?: boolean): Iterable<FacetValue<string>>
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
 * The first values of a field, numbers by value and then strings, found by walking through them in order. Undefined when
 * that would cost too much.
 */
export function countByValue(attribute: string, walk: Walk): FieldCounts | undefined {
  const { values, maxValues } = walk
  const steps = new Steps(walk)
  const numbers = steps.take(values.numbers(), maxValues)
  const stats = statsOf(numbers, steps, values)
  const texts = steps.take(values.strings(), maxValues - numbers.length)
  if (steps.isTooSlow) return undefined
  return {
    attribute,
    values: [
      ...numbers.map(({ value, count }) => ({ label: numberLabel(value), value, count })),
      ...texts.map(({ value, count, docIds }) => ({ label: labelOf(value, docIds, walk), value, count })),
    ],
    stats,
  }
}

interface CountedValue<T> extends FacetValue<T> {
  readonly count: number
}

/** What it costs to read the documents of a value, in documents looked at: for each part of the index, and for each. */
export const COST_PER_PART = 800
const COST_PER_DOCUMENT = 2
const PART_BITS = 16

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
    this.parts = (walk.candidates.max >>> PART_BITS) + 1
  }

  take<T>(values: Iterable<FacetValue<T>>, wanted: number): CountedValue<T>[] {
    const found: CountedValue<T>[] = []
    if (wanted <= 0) return found
    for (const { value, docIds } of values) {
      if (this.isTooSlow) break
      const count = docIds.andCount(this.candidates)
      this.step(docIds.size, count)
      if (count > 0 && found.push({ value, docIds, count }) >= wanted) break
    }
    return found
  }

  /** Looks ahead to what as many values as are wanted would cost at this pace. */
  private step(size: number, count: number): void {
    this.stepCount++
    if (count > 0) this.foundCount++
    this.cost += COST_PER_PART * Math.min(size, this.parts) + COST_PER_DOCUMENT * size
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

function labelOf(norm: string, docIds: Bitmap, { column, candidates }: Walk): string {
  return column.spellingOf(docIds.and(candidates).min, norm)
}
