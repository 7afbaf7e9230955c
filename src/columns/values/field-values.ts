import { compareBytes } from '../../byte-order/index.js'
import type { ColumnRow, ColumnValue, TextValue } from '../column-value.js'

/** What a document has in one field. That there are values says that the field is there, whatever they are. */
export class FieldValues {
  /** The value is null, not just one in an array. */
  isNull = false
  /** The value is `""`, `[]` or `{}`. */
  isEmpty = false
  private values: ColumnValue[] = []
  private isInOrder = true

  addNumber(value: number): void {
    // Adding zero makes one of both zeros.
    this.add(value + 0)
  }

  addText(text: TextValue): void {
    this.add(text)
  }

  /** A number that is no minus zero, or a text. */
  add(value: ColumnValue): void {
    if (this.values.push(value) > 1) this.isInOrder = false
  }

  /** All values. Of two spellings with the same norm the last one stays (spec 6 §7.2). To be asked when all were added. */
  get row(): ColumnRow {
    if (!this.isInOrder) {
      this.values = lastOfEach(this.values.sort(compareMeanings))
      this.isInOrder = true
    }
    return this.values
  }
}

/** Numbers before texts; texts with the same norm are the same. */
function compareMeanings(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : compareBytes(a.norm, b.norm)
}

/** Mostly all of them. */
function lastOfEach(values: ColumnValue[]): ColumnValue[] {
  let kept = 0
  for (let i = 0; i < values.length; i++) {
    const isLast = i === values.length - 1 || !isSameMeaning(values[i]!, values[i + 1]!)
    if (isLast) values[kept++] = values[i]!
  }
  values.length = kept
  return values
}

function isSameMeaning(a: ColumnValue, b: ColumnValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return a.norm === b.norm
}
