import { sizeOfPositions, sizeWithFirsts, varintSize } from './position-size.js'
import { MAX_FIRST_COUNT_BYTES, MAX_HEAD_BYTES, type PostingColumns } from './posting-block.js'
import { TAIL_BYTES } from './posting-key.js'

// A page of LMDB has 4096 bytes, of which 16 are its head, and each pair of key and value takes 10 more than its own and
// the 4 of its checksum: four pairs of this size fill a page. (Pairs of more than half a page would go to pages of their
// own.) Larger blocks leave more of the pages empty, smaller ones make frequent words slow to read.
export const MAX_PAIR_BYTES = 1006

/** Postings that are to be cut into blocks. */
export interface Uncut {
  readonly columns: PostingColumns
  /** Of documents. */
  readonly count: number
  readonly word: Uint8Array
  /** Of the first block. */
  readonly bound: number
  /** No block of the word follows. Looked at only when there is something to cut. */
  readonly isLast: () => boolean
  /** Of a block and its key. */
  readonly maxPairBytes: number
  /** First positions stand before all others. */
  readonly hasFirsts?: boolean
}

/**
 * Where postings have to be cut. The last block of a word is filled up before the next one is begun, since documents
 * mostly come behind all others; elsewhere blocks are cut evenly, so that they have room to grow again.
 */
export function findCuts(uncut: Uncut): readonly number[] {
  const { columns, count, word, maxPairBytes, hasFirsts } = uncut
  const head = MAX_HEAD_BYTES + (hasFirsts ? MAX_FIRST_COUNT_BYTES : 0)
  const max = maxPairBytes - word.length - TAIL_BYTES - head
  // A docId takes at most five bytes, the end of other positions one, a position four and a field beyond the first ones three.
  if (count * 6 + columns.starts[count]! * 7 <= max) return NO_CUTS
  const total = sizeOfAll(uncut)
  if (total <= max) return NO_CUTS
  const target = uncut.isLast() ? max : Math.ceil(total / Math.ceil(total / max))
  return cutsAt(uncut, target, max)
}

const NO_CUTS: readonly number[] = []

function cutsAt(uncut: Uncut, target: number, max: number): number[] {
  const cuts: number[] = []
  let size = 0
  for (let i = 0; i < uncut.count; i++) {
    const added = sizeOf(uncut, i)
    if (size > 0 && (size + added > max || size >= target)) {
      cuts.push(i)
      size = 0
    }
    size += added
  }
  return cuts
}

function sizeOfAll(uncut: Uncut): number {
  let size = 0
  for (let i = 0; i < uncut.count; i++) size += sizeOf(uncut, i)
  return size
}

/** Bytes that a document takes in a block. */
function sizeOf({ columns: { docIds, starts, positions }, bound, hasFirsts }: Uncut, index: number): number {
  const before = index === 0 ? bound : docIds[index - 1]! + 1
  const sizeOfSome = hasFirsts ? sizeWithFirsts : sizeOfPositions
  return varintSize(docIds[index]! - before) + sizeOfSome(positions, starts[index]!, starts[index + 1]!)
}
