import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pairs } from '../match/index.js'
import type { Postings, WordPostings } from '../postings/index.js'
import { Bucket } from './bucket.js'
import { OriginPositions, type PositionSource } from './origin-positions.js'

const DOCS = 40
const docs = fc.uniqueArray(fc.nat(DOCS - 1), { minLength: 1 }).map((ids) => Uint32Array.from(ids).sort())
const positions = fc
  .uniqueArray(fc.nat(99), { minLength: 1, maxLength: 4 })
  .map((list) => Uint32Array.from(list).sort())
const word = fc.uniqueArray(fc.tuple(fc.nat(DOCS - 1), positions), { selector: ([docId]) => docId })
const source = fc.record({
  word,
  holders: fc.option(docs, { nil: undefined }),
  isWhole: fc.boolean(),
  isLong: fc.boolean(),
})

type Word = readonly (readonly [docId: number, positions: Uint32Array])[]

function columnsOf(entries: Word): Postings {
  const starts = [0]
  for (const [, list] of entries) starts.push(starts.at(-1)! + list.length)
  return {
    docIds: Uint32Array.from(entries, ([docId]) => docId),
    starts: Uint32Array.from(starts),
    positions: Uint32Array.from(entries.flatMap(([, list]) => [...list])),
  }
}

/** Whether it says everything whatever it is asked for, and whether it is too long to list its documents. */
interface Kind {
  readonly isWhole: boolean
  readonly isLong: boolean
}

function postingsOf(entries: Word, { isWhole, isLong }: Kind): WordPostings {
  const ordered = [...entries].sort(([a], [b]) => a - b)
  const all = columnsOf(ordered)
  const within = (docIds: Uint32Array) =>
    isWhole ? all : columnsOf(ordered.filter(([docId]) => docIds.some((wanted) => wanted >>> 2 === docId >>> 2)))
  return { ...all, within, isLong, count: all.docIds.length, addTo: () => {}, eachPiece: () => {} }
}

/** Those of a phrase are words that the documents with the phrase have. */
function sourceOf({ word, holders, ...kind }: Kind & { word: Word; holders?: Uint32Array | undefined }) {
  const postings = postingsOf(word, kind)
  return holders === undefined
    ? { postings }
    : { postings, holders: holders.filter((id) => postings.docIds.includes(id)) }
}

function plainPositions(sources: readonly PositionSource[], docId: number): number[] {
  const found = sources.flatMap(({ postings, holders }) => {
    const at = postings.docIds.indexOf(docId)
    if (at === -1 || holders?.includes(docId) === false) return []
    return [...postings.positions.subarray(postings.starts[at]!, postings.starts[at + 1]!)]
  })
  return found.sort((a, b) => a - b)
}

test('the positions of documents are the same in whichever parts of an origin they are asked for', () => {
  fc.assert(
    fc.property(docs, fc.array(source, { maxLength: 5 }), fc.array(docs, { maxLength: 5 }), (members, given, parts) => {
      const origin = Bucket.slice(members)
      const sources = given.map(sourceOf)
      const read = new OriginPositions(origin, sources, {
        read: (postings, docIds) => postings.within(docIds),
        pairs: new Pairs(),
      })
      for (const part of [...parts, members]) {
        const bucket = origin.partOf(part.filter((docId) => members.includes(docId)))
        const { from, to, positions } = read.in(bucket)
        const found = Array.from(bucket.docIds, (_, i) => [...positions.subarray(from[i]!, to[i]!)])
        expect(found).toEqual(Array.from(bucket.docIds, (docId) => plainPositions(sources, docId)))
      }
    }),
  )
})
