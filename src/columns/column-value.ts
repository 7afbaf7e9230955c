import { compareBytes } from '../byte-order/index.js'

/** A string as it is compared (`normalizeStoredFacet`), and as the document spells it. */
export interface TextValue {
  readonly norm: string
  /** Null when it is too long to be kept here: the document has it. */
  readonly spelling: string | null
}

export type ColumnValue = number | TextValue

/** The values of one document in one field: numbers ascending, then texts by their norm; none twice. */
export type ColumnRow = readonly ColumnValue[]

/** The longest spelling that a column keeps, in UTF-8 bytes: as long as the longest norm. */
const MAX_SPELLING_BYTES = 468

export function textValue(norm: string, spelling: string): TextValue {
  // No character takes more than three bytes for each of its UTF-16 units.
  const isShort = spelling.length * 3 <= MAX_SPELLING_BYTES || Buffer.byteLength(spelling) <= MAX_SPELLING_BYTES
  return { norm, spelling: isShort ? spelling : null }
}

/** Numbers before texts, texts with the same norm by their spelling. */
export function compareValues(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  if (typeof b === 'number') return 1
  return compareBytes(a.norm, b.norm) || compareBytes(a.spelling ?? '', b.spelling ?? '')
}

export function areSameRows(a: ColumnRow, b: ColumnRow): boolean {
  return a.length === b.length && a.every((value, i) => isSameValue(value, b[i]!))
}

function isSameValue(a: ColumnValue, b: ColumnValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return a.norm === b.norm && a.spelling === b.spelling
}
