/**
 * Keys of the database `termSets`, which says of frequent terms (see `frequent-terms.ts`) which documents have them
 * where:
 *
 * ```
 * range(3 bytes) kind(1 byte) term(2 bytes) part(2 bytes)
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
const KIND_BYTES = 1
const HEAD_BYTES = RANGE_BYTES + KIND_BYTES

export function setKey(range: number, kind: SetKind, term: number, part: number): Buffer {
  const key = Buffer.allocUnsafe(HEAD_BYTES + 4)
  key.writeUIntBE(range, 0, RANGE_BYTES)
  key[RANGE_BYTES] = kind
  key.writeUInt16BE(term, HEAD_BYTES)
  key.writeUInt16BE(part, HEAD_BYTES + 2)
  return key
}

export const partOf = (key: Buffer): number => key.readUInt16BE(HEAD_BYTES + 2)

/** Behind all keys of a term of one kind. Terms are numbered below 65,535. */
export const termEnd = (range: number, kind: SetKind, term: number): Buffer => setKey(range, kind, term + 1, 0)
