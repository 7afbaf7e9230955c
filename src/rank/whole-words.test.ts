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
  const of = (some: readonly number[]) => {
    const starts = [0]
    for (const docId of some) starts.push(starts.at(-1)! + positions[docId]!.length)
    return { docIds: some, starts, positions: some.flatMap((docId) => positions[docId]!) }
  }
  const eachPiece: WordPostings['eachPiece'] = (visit) => {
    for (let from = 0; from < docIds.length; from += perPiece) {
      const some = of(docIds.slice(from, from + perPiece))
      visit({
        docIds: Uint32Array.from([...some.docIds, 7]),
        starts: Uint32Array.from([...some.starts, 99]),
        positions: Uint32Array.from([...some.positions, 1, 2]),
        count: some.docIds.length,
      })
    }
  }
  const within: WordPostings['within'] = (wanted) => {
    const some = of(docIds.filter((docId) => wanted.includes(docId)))
    return {
      docIds: Uint32Array.from(some.docIds),
      starts: Uint32Array.from(some.starts),
      positions: Uint32Array.from(some.positions),
    }
  }
  return { eachPiece, within } as WordPostings
}

/** What is stored of a frequent word: no document that has it at its position is missing, others may be there. */
const stored = fc.option(fc.array(fc.nat(DOCS - 1)), { nil: undefined })

test('documents that may be a query are those that a look at every place finds', () => {
  fc.assert(
    fc.property(
      word,
      counts,
      query,
      fc.integer({ min: 1, max: 9 }),
      stored,
      (positions, countOf, { position, length, best }, size, others) => {
        const isPlaced = (at: number) => coarsePosition(at & 0xffff) === coarsePosition(position)
        const placed = [...positions.keys()].filter((docId) => positions[docId]?.some(isPlaced))
        const docsAtStep = new DenseDocSet(DOCS)
        docsAtStep.addAll(Uint32Array.from([...placed, ...(others ?? [])]))
        const wordCount = (docId: number, field: number) => countOf[docId * FIELDS + field]!
        const context = {
          words: { wordCount, sets: { wordTerm: () => (others === undefined ? undefined : 0) } },
          docsAtStep: () => docsAtStep,
          newBits: () => new DenseDocSet(DOCS),
          checkTime: () => undefined,
          scratch: new SearchScratch(),
        }
        const postings = postingsOf(positions, size)
        const found = findWhole(context as unknown as RankContext, { word: 'word', postings, position, length, best })
        const expected = placed.filter((docId) =>
          positions[docId]!.some((at) => wordCount(docId, at >>> 16) === length),
        )
        const isBest = (docId: number) => (positions[docId]!.some((at) => best?.[at >>> 16] === 1) ? 1 : 0)
        expect([[...found.docIds], [...found.isBest]]).toEqual([expected, expected.map(isBest)])
      },
    ),
  )
})
