import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import { addCheapest, addInPieces, type PositionCosts } from './positions-column.js'

const FIELDS = 4
const place = fc.tuple(fc.nat(FIELDS - 1), fc.nat(9)).map(([field, position]) => field * 0x1_0000 + position)
const entry = fc.tuple(fc.nat(40), fc.uniqueArray(place, { minLength: 1, maxLength: 4 }))

const costs: fc.Arbitrary<PositionCosts> = fc.oneof(
  fc
    .array(fc.nat(3), { minLength: FIELDS, maxLength: FIELDS })
    .map((list) => ({ by: 'field' as const, costs: Uint16Array.from(list), isFirstCheapest: true })),
  fc
    .tuple(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }), fc.boolean())
    .map(([list, isFirstCheapest]) => ({
      by: 'position' as const,
      costs: isFirstCheapest ? Uint16Array.from(list).sort() : Uint16Array.from(list),
      stepOf: Uint8Array.from({ length: 10 }, (_, i) => i),
      isFirstCheapest,
    })),
)

type Entry = readonly [docId: number, positions: readonly number[]]

function columnsOf(entries: readonly Entry[]): Postings {
  const starts = [0]
  for (const [, positions] of entries) starts.push(starts.at(-1)! + positions.length)
  return {
    docIds: Uint32Array.from(entries, ([docId]) => docId),
    starts: Uint32Array.from(starts),
    positions: Uint32Array.from(entries.flatMap(([, positions]) => positions)),
  }
}

const firstsOf = (positions: readonly number[]): number[] =>
  positions.filter((place, i) => i === 0 || place >>> 16 !== positions[i - 1]! >>> 16)

/** Entries of several words: in order as one list, and in pieces as they come. */
function postingsOf(entries: readonly Entry[]): WordPostings {
  const byDoc = new Map<number, number[]>()
  for (const [docId, positions] of entries) byDoc.set(docId, [...(byDoc.get(docId) ?? []), ...positions])
  const merged = [...byDoc].sort(([a], [b]) => a - b).map(([docId, positions]) => [docId, positions.sort()] as const)
  return {
    ...columnsOf(merged),
    count: merged.length,
    addTo: (docs) => docs.addAll(columnsOf(merged).docIds),
    within: () => columnsOf(merged),
    isLong: true,
    eachPiece(visit, which) {
      for (let i = 0; i < entries.length; i += 3) {
        const piece = entries.slice(i, i + 3).map(([docId, positions]): Entry => {
          const ordered = [...positions].sort((a, b) => a - b)
          return [docId, which === 'all' ? ordered : firstsOf(ordered)]
        })
        visit({ ...columnsOf(piece), count: piece.length })
      }
    },
  }
}

test('positions cost the same in order and in pieces', () => {
  const docs = fc.uniqueArray(fc.nat(45), { maxLength: 30 })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), docs, costs, (entries, some, table) => {
      const docIds = Uint32Array.from(some).sort()
      const postings = postingsOf(entries)
      const [inOrder, inPieces] = [new Uint16Array(docIds.length), new Uint16Array(docIds.length)]
      const pairs = new Pairs()
      addCheapest({ column: inOrder, docIds, pairs }, postings, table)
      addInPieces({ column: inPieces, docIds, pairs }, postings, table, () => {})
      expect(inPieces).toEqual(inOrder)
    }),
  )
})
