import type { DenseDocSet } from '../bitmap/index.js'
import type { BlockReader } from './block-reader.js'
import type { PostingsPiece, WhichPositions } from './model.js'
import type { PositionLog } from './position-log.js'
import { grown } from './posting-buffer.js'

/** Room for blocks, one behind the other, that is used again and again. */
export class BlockBuffer {
  docIds = new Uint32Array(PIECE * 2)
  starts = new Uint32Array(PIECE * 2 + 1)
  positions = new Uint32Array(PIECE * 4)

  /** From `at` on; what is before stays. */
  readDocIds(block: BlockReader, at = 0): void {
    const size = at + block.count
    if (size > this.docIds.length) {
      this.docIds = grown(this.docIds, size)
      this.starts = grown(this.starts, size + 1)
    }
    block.readDocIds(this.docIds, at)
  }

  /** Behind `readDocIds`. */
  readPositions(block: BlockReader, which: WhichPositions, at = 0, positionAt = 0): void {
    const end = positionAt + block.positionCountOf(which)
    if (end > this.positions.length) this.positions = grown(this.positions, end)
    block.readPositions(this, at, positionAt, which)
    this.starts[at + block.count] = end
  }

  /** Behind `readDocIds`: adds what a block says of some documents. */
  keepPositions(block: BlockReader, members: DenseDocSet, log: PositionLog): void {
    this.readPositions(block, 'all')
    const { docIds, starts, positions } = this
    for (let i = 0; i < block.count; i++) {
      const docId = docIds[i]!
      if (docId < members.limit && members.has(docId)) log.add(docId, positions, starts[i]!, starts[i + 1]!)
    }
  }
}

/** Entries of a piece, at least: blocks of rare words are too small to be looked at one by one. */
const PIECE = 4096

/** Blocks are put together until they are worth a look. */
export class PieceBuffer {
  private readonly buffer = new BlockBuffer()
  private count = 0
  private positionCount = 0

  constructor(
    private readonly visit: (piece: PostingsPiece) => void,
    private readonly which: WhichPositions = 'all',
  ) {}

  add(block: BlockReader): void {
    const { buffer, which, count, positionCount } = this
    buffer.readDocIds(block, count)
    buffer.readPositions(block, which, count, positionCount)
    this.count += block.count
    this.positionCount += block.positionCountOf(which)
    if (this.count >= PIECE) this.end()
  }

  end(): void {
    const { docIds, starts, positions } = this.buffer
    if (this.count > 0) this.visit({ docIds, starts, positions, count: this.count })
    this.count = 0
    this.positionCount = 0
  }
}
