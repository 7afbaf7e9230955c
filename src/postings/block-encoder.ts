import { ByteWriter } from '../bytes/index.js'
import type { BlockReader } from './block-reader.js'
import {
  FIELD_ESCAPE,
  FIELD_SHIFT,
  isFirstPosition,
  POSITION_SHIFT,
  type PostingColumns,
  VERSION,
  VERSION_WITH_FIRSTS,
} from './posting-block.js'

/** Documents `first` up to `end` of `columns`, to be written as a block. */
export interface BlockContent {
  readonly columns: PostingColumns
  readonly first: number
  readonly end: number
  readonly bound: number
  /** The first block of a word that may have others. */
  readonly isSplit: boolean
  /** First positions stand before all others. */
  readonly hasFirsts?: boolean
}

/** Documents with their positions as bytes, behind those of another block where there is one, to be written as a block. */
export interface MovedContent {
  /** The docIds of this block have been read. */
  readonly kept: BlockReader | undefined
  /** The last docId of `kept` plus one, or the lower bound. */
  readonly expected: number
  readonly docIds: Uint32Array
  readonly first: number
  readonly end: number
  /** Of documents `first` up to `end`. */
  readonly positionCount: number
  /** Theirs are the bytes `positionsFrom` up to `positionsTo`. */
  readonly positions: Uint8Array
  readonly positionsFrom: number
  readonly positionsTo: number
  readonly isSplit: boolean
}

/** Writes blocks of postings, one after the other. */
export class BlockEncoder {
  private readonly writer = new ByteWriter(8192)

  /** The bytes of a block, good until the next call. */
  encode({ columns, first, end, bound, isSplit, hasFirsts = false }: BlockContent): Buffer {
    const { writer } = this
    const { docIds, starts, positions } = columns
    writer.clear()
    writer.byte(hasFirsts ? VERSION_WITH_FIRSTS : VERSION)
    writer.varint((end - first) * 2 + (isSplit ? 1 : 0))
    writer.varint(starts[end]! - starts[first]!)
    if (hasFirsts) writer.varint(countFirsts(columns, first, end))
    this.writeDocIds(docIds, first, end, bound)
    if (!hasFirsts) for (let i = first; i < end; i++) this.writePositions(positions, starts[i]!, starts[i + 1]!)
    else {
      for (let i = first; i < end; i++) this.writeSome(positions, starts[i]!, starts[i + 1]!, true)
      for (let i = first; i < end; i++) this.writeSome(positions, starts[i]!, starts[i + 1]!, false)
    }
    return writer.view()
  }

  /** As `encode`, without decoding what is moved: positions of one document do not depend on those of another. */
  encodeMoved(content: MovedContent): Buffer {
    const { writer } = this
    const { kept, docIds, first, end, isSplit } = content
    writer.clear()
    writer.byte(VERSION)
    writer.varint(((kept?.count ?? 0) + end - first) * 2 + (isSplit ? 1 : 0))
    writer.varint((kept?.positionCount ?? 0) + content.positionCount)
    if (kept !== undefined) writer.raw(kept.bytes, kept.docIdsFrom, kept.positionsFrom)
    this.writeDocIds(docIds, first, end, content.expected)
    if (kept !== undefined) writer.raw(kept.bytes, kept.positionsFrom)
    writer.raw(content.positions, content.positionsFrom, content.positionsTo)
    return writer.view()
  }

  private writeDocIds(docIds: Uint32Array, first: number, end: number, bound: number): void {
    const { writer } = this
    let expected = bound
    for (let i = first; i < end; i++) {
      writer.varint(docIds[i]! - expected)
      expected = docIds[i]! + 1
    }
  }

  private writePositions(positions: Uint32Array, from: number, to: number): void {
    let before = 0
    for (let i = from; i < to; i++) {
      this.writePosition(before, positions[i]!, i + 1 < to ? 1 : 0)
      before = positions[i]!
    }
  }

  /** The positions of a document that come first in their field, or the others; a zero where there are none. */
  private writeSome(positions: Uint32Array, from: number, to: number, areFirst: boolean): void {
    let before = 0
    let last = -1
    for (let i = from; i < to; i++) {
      if (isFirstPosition(positions, i, from) !== areFirst) continue
      if (last !== -1) {
        this.writePosition(before, positions[last]!, 1)
        before = positions[last]!
      }
      last = i
    }
    if (last === -1) this.writer.varint(0)
    else this.writePosition(before, positions[last]!, 0)
  }

  private writePosition(before: number, position: number, hasMore: 0 | 1): void {
    const { writer } = this
    const fields = (position >>> 16) - (before >>> 16)
    const distance = fields === 0 ? position - before : position & 0xffff
    const code = Math.min(fields, FIELD_ESCAPE)
    writer.varint((distance << POSITION_SHIFT) | (code << FIELD_SHIFT) | hasMore)
    if (code === FIELD_ESCAPE) writer.varint(fields - FIELD_ESCAPE)
  }
}

function countFirsts({ starts, positions }: PostingColumns, first: number, end: number): number {
  let count = 0
  for (let doc = first; doc < end; doc++) {
    const from = starts[doc]!
    for (let i = from; i < starts[doc + 1]!; i++) if (isFirstPosition(positions, i, from)) count++
  }
  return count
}
