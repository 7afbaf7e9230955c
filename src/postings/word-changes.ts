import { byteOrderOf } from '../byte-order/index.js'

/** Steps by their numbers: the document, and the positions that a word gains or loses in it. */
export interface StepSource {
  docIdOf(step: number): number
  isLoss(step: number): boolean
  /** Where the positions of a step stand, */
  chunkOf(step: number): Uint32Array
  /** from here on, */
  positionsFrom(step: number): number
  /** up to here. */
  positionsTo(step: number): number
}

/** What is told about one word: the steps `order[first]` up to `order[end]`, by docId and then as they were told. */
export interface WordSteps {
  readonly changes: StepSource
  readonly order: Uint32Array
  readonly first: number
  readonly end: number
}

// A step in the log: the word's number times two, plus one for a loss; the docId; how many positions; the positions.
const DOC_ID = 1
const COUNT = 2
const PLACES = 3

// The log is cut into chunks, so that it grows without being copied. The first ones are small, for small batches.
const CHUNK_BITS = 20
const CHUNK_SIZE = 1 << CHUNK_BITS
const MIN_CHUNK_SIZE = 4096

/** A string, its entry among the numbers and its place in the list, roughly. */
const WORD_BYTES = 100
const NUMBER_BYTES = 4

/**
 * What documents gain and lose, in the order in which it is told: a step is a word, a document and the positions that the
 * word gains or loses in it. All steps stand in one log of numbers, since reading them by word jumps about: a step is
 * then one position in memory. A step is known by the chunk it stands in, times the size of a chunk, and where it begins.
 */
export class WordChanges implements StepSource {
  /** An object without a prototype: for words, looking up takes half the time that it takes in a `Map`. */
  private readonly numbers: Record<string, number | undefined> = Object.create(null)
  private readonly words: string[] = []
  private wordUnits = 0
  private stepCount = 0
  private readonly chunks: Uint32Array[] = []
  /** How much of each chunk before the last is used. */
  private readonly used: number[] = []
  private chunkSizes = 0
  private chunk = new Uint32Array(0)
  /** Where the last chunk goes on, and where its last step begins. */
  private at = 0
  private stepAt = 0
  private lastDocId = 0
  /** Documents came by docId so far, as new ones do: then the steps of every word are in their order already. */
  private isByDocId = true

  get isEmpty(): boolean {
    return this.stepCount === 0
  }

  /** How much memory it takes, roughly, with the order that is made of it at the end. */
  get sizeBytes(): number {
    const words = this.words.length * WORD_BYTES + this.wordUnits
    return words + (this.stepCount + this.chunkSizes) * NUMBER_BYTES
  }

  numberOf(word: string): number {
    const known = this.numbers[word]
    if (known !== undefined) return known
    const number = this.words.push(word) - 1
    this.numbers[word] = number
    this.wordUnits += word.length
    return number
  }

  /** Begins a step: what is pushed from now on, ascending, are the positions that the word gains or loses. */
  begin(wordNumber: number, docId: number, isLoss: boolean): void {
    // In a chunk that is larger than others nothing follows its one step.
    if (this.at + PLACES > Math.min(this.chunk.length, CHUNK_SIZE)) this.addChunk(PLACES)
    const { chunk, at } = this
    chunk[at] = wordNumber * 2 + (isLoss ? 1 : 0)
    chunk[at + DOC_ID] = docId
    chunk[at + COUNT] = 0
    this.stepAt = at
    this.at = at + PLACES
    this.stepCount++
    if (docId < this.lastDocId) this.isByDocId = false
    this.lastDocId = docId
  }

  push(position: number): void {
    if (this.at === this.chunk.length) this.moveStep()
    this.chunk[this.at++] = position
    this.chunk[this.stepAt + COUNT]!++
  }

  docIdOf(step: number): number {
    return this.chunkOf(step)[offsetOf(step) + DOC_ID]!
  }

  isLoss(step: number): boolean {
    return (this.chunkOf(step)[offsetOf(step)]! & 1) === 1
  }

  chunkOf(step: number): Uint32Array {
    return this.chunks[step >>> CHUNK_BITS]!
  }

  positionsFrom(step: number): number {
    return offsetOf(step) + PLACES
  }

  positionsTo(step: number): number {
    const offset = offsetOf(step)
    return offset + PLACES + this.chunkOf(step)[offset + COUNT]!
  }

  private addChunk(needed: number): void {
    if (this.chunks.length > 0) this.used.push(this.at)
    const size = Math.min(MIN_CHUNK_SIZE * 2 ** this.chunks.length, CHUNK_SIZE)
    this.chunk = new Uint32Array(Math.max(size, needed))
    this.chunks.push(this.chunk)
    this.chunkSizes += this.chunk.length
    this.at = 0
  }

  /** The last step has no room where it is: it goes to a new chunk, of its own size if need be. */
  private moveStep(): void {
    const step = this.chunk.subarray(this.stepAt)
    this.at = this.stepAt
    this.addChunk(step.length * 2)
    this.chunk.set(step)
    this.stepAt = 0
    this.at = step.length
  }

  /** Each word that has steps, in byte order. */
  forEachWord(visit: (word: string, steps: WordSteps) => void): void {
    const { order, bounds } = this.stepsByWord()
    for (const number of byteOrderOf(this.words)) {
      const first = bounds[number]!
      const end = bounds[number + 1]!
      if (first === end) continue
      this.sortByDocId(order, first, end)
      visit(this.words[number]!, { changes: this, order, first, end })
    }
  }

  /** Sorted by counting: the steps of word n are those from `bounds[n]` up to `bounds[n + 1]` of `order`. */
  private stepsByWord(): { order: Uint32Array; bounds: Uint32Array } {
    const bounds = new Uint32Array(this.words.length + 2)
    this.forEachStep((_, word) => bounds[word + 2]!++)
    for (let i = 2; i < bounds.length; i++) bounds[i]! += bounds[i - 1]!
    const order = new Uint32Array(this.stepCount)
    this.forEachStep((step, word) => {
      order[bounds[word + 1]!++] = step
    })
    return { order, bounds }
  }

  private forEachStep(visit: (step: number, wordNumber: number) => void): void {
    for (const [i, chunk] of this.chunks.entries()) {
      const end = this.used[i] ?? this.at
      for (let at = 0; at < end; at += PLACES + chunk[at + COUNT]!) visit(i * CHUNK_SIZE + at, chunk[at]! >>> 1)
    }
  }

  private sortByDocId(order: Uint32Array, first: number, end: number): void {
    if (this.isByDocId || end - first === 1) return
    order.subarray(first, end).sort((a, b) => this.docIdOf(a) - this.docIdOf(b) || a - b)
  }
}

function offsetOf(step: number): number {
  return step & (CHUNK_SIZE - 1)
}
