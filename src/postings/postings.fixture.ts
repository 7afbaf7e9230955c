import fc from 'fast-check'
import type { Postings } from './model.js'

/** Postings as plain as can be: for each docId, ascending, its positions, ascending. */
export type PlainPostings = ReadonlyMap<number, readonly number[]>

/** Positions that meet each other often, and some at the ends of what is possible. */
export const position = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(12)).map(([field, position]) => field * 65_536 + position),
  fc.tuple(fc.nat(65_535), fc.nat(65_535)).map(([field, position]) => field * 65_536 + position),
)

export const positions = fc
  .uniqueArray(position, { minLength: 1, maxLength: 6 })
  .map((list) => list.sort((a, b) => a - b))

export const docId = fc.oneof(fc.nat(40), fc.nat(100_000), fc.nat(0xffff_fffe))

export const plainPostings: fc.Arbitrary<PlainPostings> = fc
  .uniqueArray(fc.tuple(docId, positions), { selector: ([id]) => id, maxLength: 60 })
  .map((entries) => new Map(entries.sort(([a], [b]) => a - b)))

export function toColumns(plain: PlainPostings) {
  const starts = [0]
  const flat: number[] = []
  for (const list of plain.values()) starts.push(flat.push(...list))
  return {
    docIds: Uint32Array.from(plain.keys()),
    starts: Uint32Array.from(starts),
    positions: Uint32Array.from(flat),
  }
}

export function toPlain(postings: Postings | undefined): Map<number, number[]> {
  const plain = new Map<number, number[]>()
  if (postings === undefined) return plain
  const { docIds, starts, positions: flat } = postings
  docIds.forEach((id, i) => {
    plain.set(id, [...flat.subarray(starts[i]!, starts[i + 1]!)])
  })
  return plain
}
