import { compareBytes } from '../../byte-order/index.js'
import type { FacetColumn } from '../../columns/index.js'
import { type AllowedLanguages, foldText } from '../../text/index.js'

/** A string of a facet by its ordinal, and the form in which facet search compares it. */
interface FoldedValue {
  readonly folded: string
  readonly norm: string
  readonly ordinal: number
}

/**
 * The strings of one column, sorted by their folded form and then by their norm. Strings that no document has any more
 * may be among them.
 */
export class FoldedValues {
  private values: FoldedValue[] = []
  /** How many ordinals of the column are in it. */
  private seen = 0

  constructor(
    private readonly column: FacetColumn,
    private readonly locales: AllowedLanguages,
  ) {}

  isFor(locales: AllowedLanguages): boolean {
    return this.locales?.join() === locales?.join()
  }

  /** Takes in what documents have now. */
  update(): void {
    this.column.meetAll()
    const added: FoldedValue[] = []
    for (; this.seen < this.column.size; this.seen++) {
      const norm = this.column.valueOf(this.seen)
      if (typeof norm === 'string') added.push({ folded: foldValue(norm, this.locales), norm, ordinal: this.seen })
    }
    this.values = mergeSorted(this.values, added.sort(compareFolded))
  }

  get size(): number {
    return this.values.length
  }

  foldedAt(index: number): string {
    return this.values[index]!.folded
  }

  ordinalAt(index: number): number {
    return this.values[index]!.ordinal
  }
}

/** The longest folded form, in UTF-8 bytes (spec 6 §7.4). */
const MAX_FOLDED_BYTES = 468

/** The normalization of words, applied to a normalized value as a whole. */
export function foldValue(norm: string, locales: AllowedLanguages): string {
  const folded = foldText(norm, locales)
  const bytes = Buffer.from(folded)
  if (bytes.length <= MAX_FOLDED_BYTES) return folded
  let end = MAX_FOLDED_BYTES
  // Not within a character: those bytes begin with the bits 10.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

const compareFolded = (a: FoldedValue, b: FoldedValue): number =>
  compareBytes(a.folded, b.folded) || compareBytes(a.norm, b.norm)

function mergeSorted(a: FoldedValue[], b: FoldedValue[]): FoldedValue[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const merged: FoldedValue[] = []
  let i = 0
  for (const value of b) {
    while (i < a.length && compareFolded(a[i]!, value) < 0) merged.push(a[i++]!)
    merged.push(value)
  }
  while (i < a.length) merged.push(a[i++]!)
  return merged
}
