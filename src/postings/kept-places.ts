import type { DocBits } from '../bitmap/index.js'
import type { BlockReader } from './block-reader.js'
import type { PostingsPiece, WhichPlaces } from './model.js'
import type { PlaceLog } from './place-log.js'
import { grown } from './posting-buffer.js'

/** Room for blocks, one behind the other, that is used again and again. */
export class BlockBuffer {
  docIds = new Uint32Array(PIECE * 2)
  starts = new Uint32Array(PIECE * 2 + 1)
  places = new Uint32Array(PIECE * 4)

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
  readPlaces(block: BlockReader, which: WhichPlaces, at = 0, placeAt = 0): void {
    const end = placeAt + block.placeCountOf(which)
    if (end > this.places.length) this.places = grown(this.places, end)
    block.readPlaces(this, at, placeAt, which)
    this.starts[at + block.count] = end
  }

  /** Behind `readDocIds`: adds what a block says of some documents. */
  keepPlaces(block: BlockReader, members: DocBits, log: PlaceLog): void {
    this.readPlaces(block, 'all')
    const { docIds, starts, places } = this
    for (let i = 0; i < block.count; i++) {
      const docId = docIds[i]!
      if (docId < members.limit && members.has(docId)) log.add(docId, places, starts[i]!, starts[i + 1]!)
    }
  }
}

/** Entries of a piece, at least: blocks of rare words are too small to be looked at one by one. */
const PIECE = 4096

/** Blocks are put together until they are worth a look. */
export class PieceBuffer {
  private readonly buffer = new BlockBuffer()
  private count = 0
  private placeCount = 0

  constructor(
    private readonly visit: (piece: PostingsPiece) => void,
    private readonly which: WhichPlaces = 'all',
  ) {}

  add(block: BlockReader): void {
    const { buffer, which, count, placeCount } = this
    buffer.readDocIds(block, count)
    buffer.readPlaces(block, which, count, placeCount)
    this.count += block.count
    this.placeCount += block.placeCountOf(which)
    if (this.count >= PIECE) this.end()
  }

  end(): void {
    const { docIds, starts, places } = this.buffer
    if (this.count > 0) this.visit({ docIds, starts, places, count: this.count })
    this.count = 0
    this.placeCount = 0
  }
}
