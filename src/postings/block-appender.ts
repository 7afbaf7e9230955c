import { BlockEncoder } from './block-encoder.js'
import { BlockReader } from './block-reader.js'
import { varintSize } from './position-size.js'
import { MAX_HEAD_BYTES } from './posting-block.js'
import { grown } from './posting-buffer.js'
import { TAIL_BYTES } from './posting-key.js'

/** A block with its lower bound. */
export interface BoundBlock {
  readonly bound: number
  readonly bytes: Uint8Array
}

export interface Append {
  readonly word: Uint8Array
  /** The last block of the word. */
  readonly last: BlockReader
  /** Of documents that come to the word, in their order. */
  readonly gained: readonly BoundBlock[]
  /** Of a block and its key. */
  readonly maxPairBytes: number
}

/**
 * Puts documents behind those of the last block of a word. Most documents are new, and come behind all others: of their
 * blocks nothing but the ends of their positions has to be read, and bytes are moved. What it makes is what `findCuts` and
 * `BlockEncoder.encode` make of the decoded blocks.
 */
export class BlockAppender {
  private readonly encoder = new BlockEncoder()
  private docIds = new Uint32Array(256)
  /** Bytes of positions, and positions, up to the end of each document that is gained. */
  private byteEnds = new Uint32Array(256)
  private countEnds = new Uint32Array(256)
  private positions = Buffer.allocUnsafeSlow(1024)
  private count = 0
  private keptIds = new Uint32Array(256)

  /**
   * Hands over the blocks that take the place of the last one; each is good until the next. Answers false, and hands over
   * nothing, where the documents do not come behind it.
   */
  append({ word, last, gained, maxPairBytes }: Append, put: (block: BoundBlock) => void): boolean {
    const max = maxPairBytes - word.length - TAIL_BYTES - MAX_HEAD_BYTES
    const lastDocId = this.lastDocIdOf(last)
    this.load(gained)
    const keptBytes = last.sizeBytes - last.docIdsFrom
    if (this.docIds[0]! <= lastDocId || keptBytes > max) return false
    const cuts = this.findCuts(lastDocId, keptBytes, max)
    for (let i = 0; i <= cuts.length; i++) {
      const first = i === 0 ? 0 : cuts[i - 1]!
      const end = cuts[i] ?? this.count
      const bound = i === 0 ? last.bound : this.docIds[first]!
      const isSplit = bound === 0 && (last.isSplit || cuts.length > 0)
      const bytes = this.encoder.encodeMoved({
        kept: i === 0 ? last : undefined,
        expected: i === 0 ? lastDocId + 1 : bound,
        docIds: this.docIds,
        first,
        end,
        positionCount: before(this.countEnds, end) - before(this.countEnds, first),
        positions: this.positions,
        positionsFrom: before(this.byteEnds, first),
        positionsTo: before(this.byteEnds, end),
        isSplit,
      })
      put({ bound, bytes })
    }
    return true
  }

  private lastDocIdOf(block: BlockReader): number {
    if (block.count > this.keptIds.length) this.keptIds = grown(this.keptIds, block.count)
    block.readDocIds(this.keptIds, 0)
    return this.keptIds[block.count - 1]!
  }

  private load(gained: readonly BoundBlock[]): void {
    this.count = 0
    let positionBytes = 0
    let positionCount = 0
    for (const { bound, bytes } of gained) {
      const reader = new BlockReader(bound, bytes)
      const { count } = this
      this.reserve(count + reader.count, positionBytes + bytes.length)
      reader.readDocIds(this.docIds, count)
      reader.readPositionEnds(this.byteEnds, this.countEnds, count)
      this.count = count + reader.count
      if (count > 0) {
        for (let i = count; i < this.count; i++) {
          this.byteEnds[i]! += positionBytes
          this.countEnds[i]! += positionCount
        }
      }
      this.positions.set(bytes.subarray(reader.positionsFrom), positionBytes)
      positionBytes = this.byteEnds[this.count - 1]!
      positionCount = this.countEnds[this.count - 1]!
    }
  }

  /** As `findCuts` for the last block of a word: it is filled up before the next one is begun. */
  private findCuts(lastDocId: number, keptBytes: number, max: number): number[] {
    const cuts: number[] = []
    let size = keptBytes
    let expected = lastDocId + 1
    for (let i = 0; i < this.count; i++) {
      const added = varintSize(this.docIds[i]! - expected) + this.byteEnds[i]! - before(this.byteEnds, i)
      if (size > 0 && (size + added > max || size >= max)) {
        cuts.push(i)
        size = 0
      }
      size += added
      expected = this.docIds[i]! + 1
    }
    return cuts
  }

  private reserve(documents: number, positionBytes: number): void {
    if (documents > this.docIds.length) {
      this.docIds = grown(this.docIds, documents)
      this.byteEnds = grown(this.byteEnds, documents)
      this.countEnds = grown(this.countEnds, documents)
    }
    if (positionBytes > this.positions.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(positionBytes, this.positions.length * 2))
      larger.set(this.positions)
      this.positions = larger
    }
  }
}

/** What has come before the document at `index`. */
const before = (ends: Uint32Array, index: number): number => (index === 0 ? 0 : ends[index - 1]!)
