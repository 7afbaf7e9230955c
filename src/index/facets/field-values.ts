import { compareBytes } from '../../byte-order/index.js'
import type { ColumnRow, TextValue } from '../columns/column-value.js'

/** What a document has in one field. That there are values says that the field is there, whatever they are. */
export class FieldValues {
  /** The value is null, not just one in an array. */
  isNull = false
  /** The value is `""`, `[]` or `{}`. */
  isEmpty = false
  private readonly numbers: number[] = []
  private readonly texts: TextValue[] = []
  private sorted: ColumnRow | undefined

  addNumber(value: number): void {
    // Adding zero makes one of both zeros.
    this.numbers.push(value + 0)
  }

  addText(text: TextValue): void {
    this.texts.push(text)
  }

  /** All values. Of two spellings with the same norm the last one stays (spec 6 §7.2). To be asked when all were added. */
  get row(): ColumnRow {
    this.sorted ??= [...uniqueNumbers(this.numbers), ...uniqueTexts(this.texts)]
    return this.sorted
  }
}

function uniqueNumbers(numbers: number[]): readonly number[] {
  return numbers.length < 2 ? numbers : [...new Set(numbers)].sort((a, b) => a - b)
}

function uniqueTexts(texts: TextValue[]): readonly TextValue[] {
  if (texts.length < 2) return texts
  texts.sort((a, b) => compareBytes(a.norm, b.norm))
  return texts.filter((text, i) => i === texts.length - 1 || text.norm !== texts[i + 1]!.norm)
}
