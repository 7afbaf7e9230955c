import type { DocBits } from '../../bitmap/index.js'
import { placesOf } from './block-columns.js'
import type { PostingsPiece, WhichPlaces } from './model.js'
import type { PlaceLog } from './place-log.js'
import type { BlockReader } from './posting-block.js'

/** Entries of a piece, at least: blocks of rare words are too small to be looked at one by one. */
const PIECE = 4096

/** Blocks are put together until they are worth a look. */
export class PieceBuffer {
  private blocks: BlockReader[] = []
  private docIds = new Uint32Array(PIECE * 2)
  private count = 0

  constructor(
    private readonly visit: (piece: PostingsPiece) => void,
    private readonly which: WhichPlaces = 'all',
  ) {}

  add(block: BlockReader, entries: Uint32Array, from: number): void {
    if (this.count + block.count > this.docIds.length) this.end()
    if (block.count > this.docIds.length) this.docIds = new Uint32Array(block.count * 2)
    this.docIds.set(entries.subarray(from, from + block.count), this.count)
    this.count += block.count
    this.blocks.push(block)
    if (this.count >= PIECE) this.end()
  }

  end(): void {
    const { docIds, count, blocks, which } = this
    if (count > 0) this.visit({ docIds, count, ...placesOf(blocks, which) })
    this.blocks = []
    this.count = 0
  }
}

/** Adds what a piece says of some documents. */
export function keepPlaces(log: PlaceLog, { docIds, starts, places, count }: PostingsPiece, members: DocBits): void {
  for (let i = 0; i < count; i++) {
    const docId = docIds[i]!
    if (docId < members.limit && members.has(docId)) log.add(docId, places, starts[i]!, starts[i + 1]!)
  }
}
