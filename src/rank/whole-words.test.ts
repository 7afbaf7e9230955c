import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import { SearchScratch } from '../match/index.js'
import type { WordPostings } from '../postings/index.js'
import { coarsePosition } from '../text/index.js'
import type { RankContext } from './rank-context.js'
import { findWhole } from './whole-words.js'

const FIELDS = 3
const DOCS = 40

const place = fc
  .record({ field: fc.nat(FIELDS - 1), position: fc.oneof(fc.nat(3), fc.nat(40)) })
  .map(({ field, position }) => field * 0x1_0000 + position)
const positionsOf = fc
  .uniqueArray(place, { minLength: 1, maxLength: 5 })
  .map((positions) => positions.sort((a, b) => a - b))
const word = fc.array(fc.option(positionsOf, { nil: undefined, freq: 3 }), { maxLength: DOCS })
const counts = fc.array(fc.nat(4), { minLength: FIELDS * DOCS, maxLength: FIELDS * DOCS })
const query = fc.record({
  position: fc.oneof(fc.nat(3), fc.nat(40)),
  length: fc.integer({ min: 1, max: 4 }),
  best: fc.option(fc.constantFrom(Uint8Array.of(1, 0, 0), Uint8Array.of(0, 1, 1)), { nil: undefined }),
})

/** In pieces of so many documents, in arrays that are longer. */
function postingsOf(positions: readonly (readonly number[] | undefined)[], perPiece: number): WordPostings {
  const docIds = [...positions.keys()].filter((docId) => positions[docId] !== undefined)
  const eachPiece: WordPostings['eachPiece'] = (visit) => {
    for (let from = 0; from < docIds.length; from += perPiece) {
      const some = docIds.slice(from, from + perPiece)
      const starts = [0]
      for (const docId of some) starts.push(starts.at(-1)! + positions[docId]!.length)
      visit({
        docIds: Uint32Array.from([...some, 7]),
        starts: Uint32Array.from([...starts, 99]),
        positions: Uint32Array.from([...some.flatMap((docId) => positions[docId]!), 1, 2]),
        count: some.length,
      })
    }
  }
  return { eachPiece } as WordPostings
}

test('documents that may be a query are those that a look at every place finds', () => {
  fc.assert(
    fc.property(
      word,
      counts,
      query,
      fc.integer({ min: 1, max: 9 }),
      (positions, countOf, { position, length, best }, size) => {
        const wordCount = (docId: number, field: number) => countOf[docId * FIELDS + field]!
        const scratch = new SearchScratch()
        const context = {
          words: { wordCount },
          newBits: () => new DenseDocSet(DOCS),
          checkTime: () => undefined,
          scratch,
        }
        const found = findWhole(context as unknown as RankContext, {
          postings: postingsOf(positions, size),
          position,
          length,
          best,
        })
        const isPlaced = (at: number) => coarsePosition(at & 0xffff) === coarsePosition(position)
        const expected = [...positions.keys()].filter((docId) => {
          const own = positions[docId] ?? []
          return own.some(isPlaced) && own.some((at) => wordCount(docId, at >>> 16) === length)
        })
        const isBest = (docId: number) => (positions[docId]!.some((at) => best?.[at >>> 16] === 1) ? 1 : 0)
        expect([[...found.docIds], [...found.isBest]]).toEqual([expected, expected.map(isBest)])
      },
    ),
  )
})
