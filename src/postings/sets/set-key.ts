/**
 * Keys of the database `termSets`, which says of frequent terms (see `frequent-terms.ts`) which documents have them
 * where:
 *
 * ```
 * range(3 bytes) term(2 bytes) kind(1 byte) part(2 bytes)
 * ```
 *
 * for docIds from `range` times 16,384 on: what belongs to one range of documents lies together and is renewed together.
 * Values are lists of docIds, counted from the first of the range (`doc-list.ts`): one, or for pairs one for each distance.
 */
const RANGE_BITS = 14
export const RANGE_SIZE = 1 << RANGE_BITS

export const rangeOf = (docId: number): number => docId >>> RANGE_BITS

export const SET_KIND = {
  /** Documents with the term in a field: `part` is its number. */
  field: 1,
  /** Documents with the term at a coarse position of any field: `part` is its step (`POSITION_STEPS`). */
  position: 2,
  /** Documents in which another term follows: `part` is its number. */
  pair: 3,
} as const

export type SetKind = (typeof SET_KIND)[keyof typeof SET_KIND]

const RANGE_BYTES = 3
const TERM_AT = RANGE_BYTES
const KIND_AT = TERM_AT + 2
const PART_AT = KIND_AT + 1
const KEY_BYTES = PART_AT + 2

export function setKey(range: number, kind: SetKind, term: number, part: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES)
  key.writeUIntBE(range, 0, RANGE_BYTES)
  key.writeUInt16BE(term, TERM_AT)
  key[KIND_AT] = kind
  key.writeUInt16BE(part, PART_AT)
  return key
}

export const partOf = (key: Buffer): number => key.readUInt16BE(PART_AT)

/** The first key of a range behind those of a term. Terms are numbered below 65,535. */
export const termEnd = (range: number, term: number): Buffer => setKey(range, SET_KIND.field, term + 1, 0)

export const kindOf = (key: Buffer): number => key[KIND_AT]!
