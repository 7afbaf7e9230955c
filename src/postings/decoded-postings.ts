import type { DocBits } from '../bitmap/index.js'
import type { Sized } from '../cache/index.js'
import { BlockReader } from './block-reader.js'
import type { CollectedBlocks } from './collected-blocks.js'
import type { Postings, PostingsPiece, WordPostings } from './model.js'
import type { PlaceColumns } from './posting-block.js'
import type { ReadingMemory } from './reading-memory.js'
import { NO_SLABS, type Slabs } from './slabs.js'

/** The blocks of a word and their docIds. */
type Content = Pick<CollectedBlocks, 'docIds' | 'bytes' | 'marks'>

/**
 * The postings of a word. DocIds are decoded at once, places when they are asked for: mostly nobody does, or for few
 * documents.
 */
export class DecodedPostings implements WordPostings, Sized {
  readonly isLong = false
  sizeBytes: number
  private content: Content
  private isSettled = false
  private columns: PlaceColumns | undefined
  private timesRead = 0

  constructor(
    content: Content,
    private readonly memory: ReadingMemory,
    slabs: Slabs = memory.slabs,
  ) {
    this.content = copied(content, slabs)
    const { docIds, bytes, marks } = content
    this.sizeBytes = docIds.byteLength + bytes.length + marks.length * MARK_BYTES + FIXED_BYTES
  }

  /** Of blocks in the order of their bounds. */
  static of(blocks: readonly BlockReader[], memory: ReadingMemory): DecodedPostings {
    const { collected } = memory
    collected.clear()
    for (const block of blocks) collected.add(block)
    return new DecodedPostings(collected, memory, NO_SLABS)
  }

  get docIds(): Uint32Array {
    return this.content.docIds
  }

  get count(): number {
    return this.docIds.length
  }

  addTo(docs: DocBits): void {
    docs.addAll(this.docIds)
  }

  get starts(): Uint32Array {
    return this.all().starts
  }

  get places(): Uint32Array {
    return this.all().places
  }

  /** What is asked for again and again is worth keeping. */
  within(docIds: Uint32Array): Postings {
    if (this.columns !== undefined || docIds.length * SPARSE > this.count) return this
    return this.timesRead++ < FEW_TIMES ? this.placesOf(docIds) : this
  }

  eachPiece(visit: (piece: PostingsPiece) => void): void {
    const { docIds, starts, places, count } = this
    visit({ docIds, starts, places, count })
  }

  /** Moves to memory of its own, so that nothing else is kept with it. */
  settle(): void {
    if (!this.isSettled) this.content = copied(this.content, NO_SLABS)
    this.isSettled = true
  }

  private placesOf(wanted: Uint32Array): Postings {
    const { chosen, log } = this.memory
    const { blocks, from } = chosen.find(wanted, this.docIds, this.content.marks)
    log.clear()
    for (let i = 0; i < blocks.length; i++) log.addNumbered(this.block(blocks[i]!), chosen, from[i]!, from[i + 1]!)
    return log.inOrder()
  }

  private all(): PlaceColumns {
    this.columns ??= this.readPlaces()
    return this.columns
  }

  private readPlaces(): PlaceColumns {
    const blocks = this.content.marks.map((_, number) => this.block(number))
    const placeCount = blocks.reduce((sum, block) => sum + block.placeCount, 0)
    const columns = { starts: new Uint32Array(this.count + 1), places: new Uint32Array(placeCount) }
    let [docAt, placeAt] = [0, 0]
    for (const block of blocks) {
      block.readPlaces(columns, docAt, placeAt)
      docAt += block.count
      placeAt += block.placeCount
    }
    columns.starts[docAt] = placeAt
    this.sizeBytes += columns.starts.byteLength + columns.places.byteLength
    return columns
  }

  private block(number: number): BlockReader {
    const { bytes, marks } = this.content
    const { byteEnd, placesFrom } = marks[number]!
    const block = new BlockReader(0, bytes.subarray(number === 0 ? 0 : marks[number - 1]!.byteEnd, byteEnd))
    block.passDocIds(placesFrom)
    return block
  }
}

/** In one piece of memory. */
function copied({ docIds, bytes, marks }: Content, slabs: Slabs): Content {
  const { memory, from } = slabs.take(docIds.byteLength + bytes.length)
  const copy = {
    docIds: new Uint32Array(memory, from, docIds.length),
    bytes: new Uint8Array(memory, from + docIds.byteLength, bytes.length),
    marks,
  }
  copy.docIds.set(docIds)
  copy.bytes.set(bytes)
  return copy
}

/** Where fewer than this share of the documents are wanted, as a divisor, others are passed over. */
const SPARSE = 4

const FEW_TIMES = 2

/** Of the objects around the arrays, roughly. */
const FIXED_BYTES = 500
const MARK_BYTES = 40
