import type { Database, Entry } from '../store/index.js'
import { BlockAppender, type BoundBlock } from './block-appender.js'
import { findCuts, MAX_PAIR_BYTES } from './block-cuts.js'
import { BlockEncoder } from './block-encoder.js'
import { BlockReader } from './block-reader.js'
import { subtractPositions, unitePositions } from './position-sets.js'
import { PostingBuffer } from './posting-buffer.js'
import { boundOf, postingKey, postingsEnd } from './posting-key.js'
import type { WordSteps } from './word-changes.js'

/** What became of a word as a whole. */
export type WordOutcome = 'appeared' | 'stayed' | 'vanished'

/** A block as it is stored. */
interface StoredBlock {
  readonly bound: number
  readonly isSplit: boolean
  /** No block of the word follows. Looked at only when the block gets too large. */
  readonly isLast: () => boolean
}

const ONLY_BLOCK: StoredBlock = { bound: 0, isSplit: false, isLast: () => true }

/** A word with its blocks made elsewhere, those that `create` would make, or, should it be known, as steps. */
export interface MadeWord {
  readonly word: Uint8Array
  readonly blocks: readonly BoundBlock[]
  readonly steps: () => WordSteps
}

export interface BlockForm {
  /** Of a block and its key. */
  readonly maxPairBytes: number
  /** First positions stand before all others. */
  readonly hasFirsts: boolean
}

export interface PostingsWriterOptions extends Partial<BlockForm> {
  /** Whether no document from this one on is in any block, as far as it is known. */
  readonly isBehindAll?: (docId: number) => boolean
}

/**
 * Writes what words gain and lose to their blocks. An update touches the blocks of its documents only; a block that
 * grows too large is split.
 */
export class PostingsWriter {
  private readonly stored = new PostingBuffer()
  private readonly merged = new PostingBuffer()
  private readonly appender = new BlockAppender()
  private readonly encoder = new BlockEncoder()

  private readonly form: BlockForm
  private readonly isBehindAll: (docId: number) => boolean

  constructor(
    private readonly database: Database,
    options: PostingsWriterOptions = {},
  ) {
    const { maxPairBytes = MAX_PAIR_BYTES, hasFirsts = false, isBehindAll = () => false } = options
    this.form = { maxPairBytes, hasFirsts }
    this.isBehindAll = isBehindAll
  }

  apply(word: Uint8Array, steps: WordSteps): WordOutcome {
    const borrowed = this.firstBlock(word)
    if (borrowed === undefined) return this.create(word, steps)
    const first = new BlockReader(0, borrowed)
    if (first.isSplit) return this.applyToBlocks(word, steps)
    this.stored.load(first)
    return this.rewrite(word, ONLY_BLOCK, steps) ? 'stayed' : 'vanished'
  }

  /** The same, for a word that only comes to documents. */
  applyMade({ word, blocks, steps }: MadeWord): WordOutcome {
    const borrowed = this.firstBlock(word)
    if (borrowed === undefined) return this.put(word, blocks)
    const first = new BlockReader(0, borrowed)
    if (this.appendTo(first.isSplit ? this.lastBlock(word, blocks) : first, word, blocks)) return 'stayed'
    return this.apply(word, steps())
  }

  /** The last block of a word that has several, if all documents that come are behind all that are stored. */
  private lastBlock(word: Uint8Array, blocks: MadeWord['blocks']): BlockReader | undefined {
    const docId = firstDocIdOf(blocks[0]!)
    if (!this.isBehindAll(docId)) return undefined
    const { key, value } = this.blockOf(word, docId)
    return new BlockReader(boundOf(key), value)
  }

  private appendTo(last: BlockReader | undefined, word: Uint8Array, gained: MadeWord['blocks']): boolean {
    const { maxPairBytes, hasFirsts } = this.form
    if (last === undefined || hasFirsts) return false
    return this.appender.append({ word, last, gained, maxPairBytes }, ({ bound, bytes }) =>
      this.database.put(postingKey(word, bound), bytes),
    )
  }

  private firstBlock(word: Uint8Array): Uint8Array | undefined {
    return this.database.getBorrowed(postingKey(word, 0))
  }

  /** A word that is not known yet. */
  create(word: Uint8Array, steps: WordSteps): WordOutcome {
    this.stored.clear()
    return this.rewrite(word, ONLY_BLOCK, steps) ? 'appeared' : 'stayed'
  }

  /** A word that is not known yet. */
  put(word: Uint8Array, blocks: MadeWord['blocks']): WordOutcome {
    for (const { bound, bytes } of blocks) this.database.put(postingKey(word, bound), bytes)
    return 'appeared'
  }

  private applyToBlocks(word: Uint8Array, steps: WordSteps): WordOutcome {
    const blocks = this.blocksOf(word, steps)
    const firstDocId = steps.changes.docIdOf(steps.order[steps.first]!)
    let { first } = steps
    let isFirstEmpty = false
    for (const [i, { key, value }] of blocks.entries()) {
      const bound = boundOf(key)
      const next = blocks[i + 1]
      const end = next === undefined ? steps.end : firstStepFrom(steps, first, boundOf(next.key))
      if (end > first) {
        this.stored.load(new BlockReader(bound, value))
        const isLast = (): boolean => next === undefined && !this.hasBlockFrom(word, Math.max(bound + 1, firstDocId))
        const isKept = this.rewrite(word, { bound, isSplit: bound === 0, isLast }, { ...steps, first, end })
        if (bound === 0) isFirstEmpty = !isKept
      }
      first = end
    }
    return isFirstEmpty ? this.moveUp(word) : 'stayed'
  }

  /** The blocks from that of the first document to that of the last one: mostly they are in one. */
  private blocksOf(word: Uint8Array, { changes, order, first, end }: WordSteps): readonly Entry[] {
    const firstDocId = changes.docIdOf(order[first]!)
    const lastDocId = changes.docIdOf(order[end - 1]!)
    const last = this.blockOf(word, lastDocId)
    if (boundOf(last.key) <= firstDocId) return [last]
    const floor = this.blockOf(word, firstDocId)
    const between = this.database.range({ start: postingKey(word, firstDocId + 1), end: last.key })
    return [floor, ...between, last]
  }

  private blockOf(word: Uint8Array, docId: number): Entry {
    const [floor] = this.database.range({ start: postingKey(word, docId), reverse: true, limit: 1 })
    if (floor === undefined) throw new Error('a word has no first block')
    return floor
  }

  private hasBlockFrom(word: Uint8Array, bound: number): boolean {
    if (this.isBehindAll(bound)) return false
    const [key] = this.database.keys({ start: postingKey(word, bound), end: postingsEnd(word), limit: 1 })
    return key !== undefined
  }

  /** The first block is gone: the next one takes its place. */
  private moveUp(word: Uint8Array): WordOutcome {
    const [next] = this.database.range({ start: postingKey(word, 1), end: postingsEnd(word), limit: 1 })
    if (next === undefined) return 'vanished'
    this.merged.load(new BlockReader(boundOf(next.key), next.value))
    this.database.delete(next.key)
    this.write(word, { bound: 0, isSplit: true, isLast: () => false })
    return 'stayed'
  }

  /** Puts what `stored` and the steps make in place of a block. Answers whether anything is left. */
  private rewrite(word: Uint8Array, block: StoredBlock, steps: WordSteps): boolean {
    this.merge(steps)
    if (this.merged.count > 0) this.write(word, block)
    else this.database.delete(postingKey(word, block.bound))
    return this.merged.count > 0
  }

  /** Fills `merged` with `stored` after the steps. */
  private merge(steps: WordSteps): void {
    const { stored, merged } = this
    const { changes, order, end } = steps
    merged.clear()
    let index = 0
    let next = steps.first
    while (next < end) {
      const step = order[next]!
      const docId = changes.docIdOf(step)
      index = this.keepUpTo(index, docId)
      const isStored = index < stored.count && stored.docIds[index] === docId
      const isOnly = next + 1 === end || changes.docIdOf(order[next + 1]!) !== docId
      if (!isStored && isOnly && !changes.isLoss(step)) {
        merged.add(docId, changes.chunkOf(step), changes.positionsFrom(step), changes.positionsTo(step))
        next++
      } else {
        const first = next
        next = firstStepFrom(steps, first, docId + 1)
        this.mergeDocument(docId, isStored ? index : undefined, { changes, order, first, end: next })
      }
      if (isStored) index++
    }
    this.keepUpTo(index, Number.POSITIVE_INFINITY)
  }

  /** Takes over documents from `index` on that stand below `docId`. Answers where the others begin. */
  private keepUpTo(index: number, docId: number): number {
    const { stored } = this
    let end = index
    while (end < stored.count && stored.docIds[end]! < docId) end++
    this.merged.addAll(stored, index, end)
    return end
  }

  private mergeDocument(docId: number, index: number | undefined, { changes, order, first, end }: WordSteps): void {
    const { stored, merged } = this
    let positions: Uint32Array = new Uint32Array(0)
    if (index !== undefined) positions = stored.positions.subarray(stored.starts[index]!, stored.starts[index + 1]!)
    for (let i = first; i < end; i++) {
      const step = order[i]!
      const told = changes.chunkOf(step).subarray(changes.positionsFrom(step), changes.positionsTo(step))
      positions = changes.isLoss(step) ? subtractPositions(positions, told) : unitePositions(positions, told)
    }
    if (positions.length > 0) merged.add(docId, positions, 0, positions.length)
  }

  /** Writes `merged` as one block or several. */
  private write(word: Uint8Array, block: StoredBlock): void {
    const { merged, form } = this
    const { hasFirsts } = form
    const cuts = findCuts({ columns: merged, count: merged.count, word, ...block, ...form })
    for (let i = 0; i <= cuts.length; i++) {
      const first = i === 0 ? 0 : cuts[i - 1]!
      const end = i === cuts.length ? merged.count : cuts[i]!
      const bound = i === 0 ? block.bound : merged.docIds[first]!
      const isSplit = bound === 0 && (block.isSplit || cuts.length > 0)
      this.database.put(
        postingKey(word, bound),
        this.encoder.encode({ columns: merged, first, end, bound, isSplit, hasFirsts }),
      )
    }
  }
}

function firstStepFrom({ changes, order, end }: WordSteps, from: number, docId: number): number {
  let i = from
  while (i < end && changes.docIdOf(order[i]!) < docId) i++
  return i
}

function firstDocIdOf({ bound, bytes }: BoundBlock): number {
  return new BlockReader(bound, bytes).firstDocId()
}
