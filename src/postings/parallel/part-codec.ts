import { ByteReader, ByteWriter } from '../../bytes/index.js'
import { findCuts } from '../block-cuts.js'
import { BlockEncoder } from '../block-encoder.js'
import { BlockReader } from '../block-reader.js'
import { PostingBuffer } from '../posting-buffer.js'
import type { WordSteps } from '../word-changes.js'
import type { PackedWord, WordBlock } from '../word-writer.js'
import { ReceivedSteps } from './received-steps.js'

/**
 * Words on their way from the thread that collected them, in byte order:
 *
 * ```
 * word   := size(1 byte) bytes blocks(varint) block* | size(1 byte) bytes 0 steps(varint) step*
 * block  := bound(varint) size(varint) bytes
 * step   := docId(varint) positions times two, plus one for a loss(varint) position(varint)*
 * ```
 *
 * A word that only comes to documents travels as the blocks that are stored for it if it is a new one; else its steps
 * are read from them.
 */
export class PartWriter {
  private readonly out = new ByteWriter(1 << 16)
  private readonly gains = new PostingBuffer()
  private readonly encoder = new BlockEncoder()

  /** `maxPairBytes` bounds a block and its key. */
  constructor(private readonly maxPairBytes: number) {}

  get sizeBytes(): number {
    return this.out.length
  }

  take(): Buffer {
    return this.out.take()
  }

  add(text: string, steps: WordSteps): void {
    const word = Buffer.from(text)
    this.out.byte(word.length)
    this.out.raw(word)
    if (isGained(steps)) this.addBlocks(word, steps)
    else this.addSteps(steps)
  }

  private addBlocks(word: Uint8Array, { changes, order, first, end }: WordSteps): void {
    const { out, gains, maxPairBytes } = this
    gains.clear()
    for (let i = first; i < end; i++) {
      const step = order[i]!
      gains.add(changes.docIdOf(step), changes.chunkOf(step), changes.positionsFrom(step), changes.positionsTo(step))
    }
    const { count } = gains
    const cuts = findCuts({ columns: gains, count, word, bound: 0, isLast: () => true, maxPairBytes })
    out.varint(cuts.length + 1)
    for (let i = 0; i <= cuts.length; i++) this.addBlock(i === 0 ? 0 : cuts[i - 1]!, cuts[i] ?? count)
  }

  /** Of the documents `first` up to `end`. */
  private addBlock(first: number, end: number): void {
    const { out, gains } = this
    const bound = first === 0 ? 0 : gains.docIds[first]!
    const isSplit = bound === 0 && end < gains.count
    const bytes = this.encoder.encode({ columns: gains, first, end, bound, isSplit })
    out.varint(bound)
    out.varint(bytes.length)
    out.raw(bytes)
  }

  private addSteps({ changes, order, first, end }: WordSteps): void {
    const { out } = this
    out.varint(0)
    out.varint(end - first)
    for (let i = first; i < end; i++) {
      const step = order[i]!
      const positions = changes.chunkOf(step)
      const from = changes.positionsFrom(step)
      const to = changes.positionsTo(step)
      out.varint(changes.docIdOf(step))
      out.varint((to - from) * 2 + (changes.isLoss(step) ? 1 : 0))
      for (let at = from; at < to; at++) out.varint(positions[at]!)
    }
  }
}

/** The word comes to documents, once to each, and leaves none. */
function isGained({ changes, order, first, end }: WordSteps): boolean {
  let before = -1
  for (let i = first; i < end; i++) {
    const step = order[i]!
    const docId = changes.docIdOf(step)
    if (changes.isLoss(step) || docId === before) return false
    before = docId
  }
  return true
}

/** Where the words of a part go. */
export interface PartTarget {
  writePacked(word: PackedWord): void
  writeSteps(word: Buffer, steps: WordSteps): void
}

export class PartReader {
  private readonly told = new ReceivedSteps()
  private readonly decoded = new PostingBuffer()

  /** Blocks are good as long as the bytes are, steps until the next word. */
  read(bytes: Uint8Array, target: PartTarget): void {
    const reader = new ByteReader(bytes)
    while (!reader.isAtEnd) {
      // A copy: words are kept when the part is no longer needed.
      const word = Buffer.from(reader.raw(reader.byte()))
      const blockCount = reader.varint()
      if (blockCount === 0) target.writeSteps(word, this.readSteps(reader))
      else {
        const blocks = readBlocks(reader, blockCount)
        target.writePacked({ word, blocks, steps: () => this.stepsOf(blocks) })
      }
    }
  }

  private readSteps(reader: ByteReader): WordSteps {
    const { told } = this
    told.clear()
    for (let left = reader.varint(); left > 0; left--) {
      const docId = reader.varint()
      const head = reader.varint()
      told.begin(docId, (head & 1) === 1)
      for (let positions = head >>> 1; positions > 0; positions--) told.push(reader.varint())
    }
    return told.steps
  }

  private stepsOf(blocks: readonly WordBlock[]): WordSteps {
    const { told, decoded } = this
    told.clear()
    for (const { bound, bytes } of blocks) {
      decoded.load(new BlockReader(bound, bytes))
      for (let i = 0; i < decoded.count; i++) {
        told.begin(decoded.docIds[i]!, false)
        for (let at = decoded.starts[i]!; at < decoded.starts[i + 1]!; at++) told.push(decoded.positions[at]!)
      }
    }
    return told.steps
  }
}

function readBlocks(reader: ByteReader, count: number): WordBlock[] {
  const blocks: WordBlock[] = []
  for (let left = count; left > 0; left--) {
    const bound = reader.varint()
    blocks.push({ bound, bytes: reader.raw(reader.varint()) })
  }
  return blocks
}
