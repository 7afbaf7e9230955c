import type { DenseDocSet } from '../bitmap/index.js'
import type { FieldSet, SearchScratch } from '../match/index.js'
import type { PostingsPiece, WordIndex, WordPostings } from '../postings/index.js'
import { stepOf } from '../text/index.js'
import type { RankContext } from './rank-context.js'

/** Documents with an attribute that may be the query, as far as one of its words tells. */
export interface MayBeWhole {
  /** Ascending. */
  readonly docIds: Uint32Array
  /** 1 where the word stands in one of the best fields. */
  readonly isBest: Uint8Array
}

export interface WholeWord {
  readonly word: string
  readonly postings: WordPostings
  /** Where the word stands in the query. */
  readonly position: number
  /** Words of the query. */
  readonly length: number
  readonly best: FieldSet
}

/** The word stands at its position in some attribute, and in one, maybe another, that has as many words as the query. */
export function findWhole(context: RankContext, word: WholeWord): MayBeWhole {
  const search = new WholeSearch(context, word)
  const term = context.words.sets.wordTerm(word.word)
  if (term !== undefined) search.addSome(context.docsAtStep(term, stepAt(word.position)))
  else
    word.postings.eachPiece((piece) => {
      context.checkTime()
      search.add(piece)
    }, 'all')
  return search.found()
}

/** Of a position in the query. */
export const stepAt = (position: number): number => stepOf[Math.min(position, 0xffff)]!

class WholeSearch {
  private readonly words: WordIndex
  private readonly scratch: SearchScratch
  private readonly docs: DenseDocSet
  private readonly bestDocs: DenseDocSet
  private readonly positions: { readonly first: number; readonly last: number }

  constructor(
    context: RankContext,
    private readonly word: WholeWord,
  ) {
    this.words = context.words
    this.scratch = context.scratch
    this.docs = context.newBits()
    this.bestDocs = context.newBits()
    const wanted = stepAt(word.position)
    this.positions = { first: stepOf.indexOf(wanted), last: stepOf.lastIndexOf(wanted) }
  }

  add(piece: PostingsPiece): void {
    const { first, last } = this.positions
    const hits = this.scratch.hits.atLeast(piece.count)
    const count = findPlaced(piece.starts, piece.positions, piece.count, first, last, hits)
    for (let k = 0; k < count; k++) this.judge(piece, hits[k]!)
  }

  /** Documents that may have the word at its position; no others do. */
  addSome(docs: DenseDocSet): void {
    const { docIds, starts, positions } = this.word.postings.within(docs.toArray())
    this.add({ docIds, starts, positions, count: docIds.length })
  }

  found(): MayBeWhole {
    const docIds = this.docs.toArray()
    const isBest = new Uint8Array(docIds.length)
    this.bestDocs.mark(isBest, docIds, 1)
    return { docIds, isBest }
  }

  private judge({ docIds, starts, positions }: PostingsPiece, i: number): void {
    const { length, best } = this.word
    const docId = docIds[i]!
    const end = starts[i + 1]!
    let [isWhole, isBest] = [false, false]
    for (let p = starts[i]!, before = -1; p < end; p++) {
      const field = positions[p]! >>> 16
      if (field === before) continue
      before = field
      isWhole ||= this.words.wordCount(docId, field) === length
      isBest ||= best?.[field] === 1
    }
    if (!isWhole) return
    this.docs.add(docId)
    if (isBest) this.bestDocs.add(docId)
  }
}

/** Lists the documents, by their numbers, that have a place at one of some positions; answers how many there are. */
function findPlaced(
  starts: Uint32Array,
  positions: Uint32Array,
  count: number,
  first: number,
  last: number,
  found: Uint32Array,
): number {
  const end = starts[count]!
  let next = 0
  let i = 0
  for (let p = 0; p < end; p++) {
    const position = positions[p]! & 0xffff
    if (position < first || position > last) continue
    while (starts[i + 1]! <= p) i++
    found[next++] = i
    p = starts[i + 1]! - 1
  }
  return next
}
