import type { Database, Entry } from '../store/index.js'
import { decodeDictionaryBlock, generationOf, LOWEST_KEY } from './dictionary-block.js'
import type { Dictionary, NearSearch, NearWords } from './model.js'
import { findNear, type SortedBlocks } from './near-words.js'
import { prefixEnd } from './posting-key.js'
import { DictionaryBlock, linksOf, lowsOf } from './word-block.js'

/** Where a word stands: behind all words of the blocks before `block` and behind `index` words in it. */
interface Place {
  readonly block: number
  readonly index: number
}

/** The dictionary in memory, as it was when it was read. */
export class StoredDictionary implements Dictionary, SortedBlocks {
  blocks: readonly DictionaryBlock[] = []
  /** How many words stand before each block, and at the end how many there are. */
  private starts = new Uint32Array(1)
  /** How much each block's first word shares with the word before it. */
  links = new Uint8Array(0)
  lows = new Uint8Array(0)
  /** What the key of each block begins with. */
  private heads = new Uint32Array(0)

  constructor(private readonly database: Database) {}

  /** Reads all blocks, but for those that are known in their present generation. */
  readAll(): void {
    const known = new Map(this.blocks.map((block) => [block.key.toString('latin1'), block]))
    const blocks: DictionaryBlock[] = []
    for (const { key, value } of this.database.range()) {
      const old = known.get(key.toString('latin1'))
      blocks.push(old?.generation === generationOf(value) ? old : toBlock({ key, value }))
    }
    this.setBlocks(blocks)
  }

  /** Reads the blocks that hold the words, or would hold them. All other words must be as they were. */
  readAround(words: ReadonlySet<string>): void {
    if (words.size === 0) return
    const changed = new Set(Array.from(words, (word) => this.lastBlockFrom(Buffer.from(word))))
    const blocks: DictionaryBlock[] = []
    // Before the first block there may be a new one.
    for (let i = -1; i < this.blocks.length; i++) {
      const known = this.blocks[i]
      const now = changed.has(i) ? this.readBetween(known?.key, this.blocks[i + 1]?.key) : asList(known)
      // Where a block is gone, words may since have come to the one before it.
      if (known !== undefined && !now[0]?.key.equals(known.key)) {
        this.readAll()
        return
      }
      blocks.push(...now)
    }
    this.setBlocks(blocks)
  }

  private readBetween(start: Buffer | undefined, end: Buffer | undefined): DictionaryBlock[] {
    const range = { start: start ?? LOWEST_KEY, ...(end !== undefined && { end }) }
    return Array.from(this.database.range(range), toBlock)
  }

  private setBlocks(blocks: readonly DictionaryBlock[]): void {
    this.blocks = blocks
    this.starts = new Uint32Array(blocks.length + 1)
    this.links = linksOf(blocks)
    this.lows = lowsOf(blocks, this.links)
    this.heads = Uint32Array.from(blocks, ({ key }) => headOf(key))
    for (let i = 0; i < blocks.length; i++) this.starts[i + 1] = this.starts[i]! + blocks[i]!.count
  }

  /** The block whose key is the greatest that is not above the word, -1 when all are. */
  private lastBlockFrom(word: Uint8Array): number {
    const head = headOf(word)
    let lo = 0
    let hi = this.blocks.length
    while (lo < hi) {
      const middle = (lo + hi) >>> 1
      if (this.isKeyAbove(middle, head, word)) hi = middle
      else lo = middle + 1
    }
    return lo - 1
  }

  /** Mostly the heads tell, which are near each other in memory. */
  private isKeyAbove(block: number, head: number, word: Uint8Array): boolean {
    const headOfKey = this.heads[block]!
    return headOfKey === head ? Buffer.compare(this.blocks[block]!.key, word) > 0 : headOfKey > head
  }

  get size(): number {
    return this.starts[this.blocks.length]!
  }

  has(word: string): boolean {
    const bytes = Buffer.from(word)
    const { block, index } = this.lowerBound(bytes)
    return this.blocks[block]?.isAt(index, bytes) ?? false
  }

  startingWith(prefix: string, limit: number): string[] {
    const { first, end } = this.rangeOf(prefix)
    return this.wordsFrom(first, Math.min(limit, this.rank(end) - this.rank(first)))
  }

  countStartingWith(prefix: string): number {
    const { first, end } = this.rangeOf(prefix)
    return this.rank(end) - this.rank(first)
  }

  near(search: NearSearch): NearWords {
    return findNear(this, search)
  }

  private rangeOf(prefix: string): { first: Place; end: Place } {
    const bytes = Buffer.from(prefix)
    const after = prefixEnd(bytes)
    const end = after === undefined ? { block: this.blocks.length, index: 0 } : this.lowerBound(after)
    return { first: this.lowerBound(bytes), end }
  }

  private rank({ block, index }: Place): number {
    return this.starts[block]! + index
  }

  private wordsFrom(first: Place, count: number): string[] {
    const words: string[] = []
    let { index } = first
    for (let block = first.block; words.length < count; block++) {
      const { count: inBlock } = this.blocks[block]!
      for (; index < inBlock && words.length < count; index++) words.push(this.blocks[block]!.wordAt(index))
      index = 0
    }
    return words
  }

  /** The place of the first word that is not below `bytes`. */
  private lowerBound(bytes: Uint8Array): Place {
    const block = this.lastBlockFrom(bytes)
    return block === -1 ? { block: 0, index: 0 } : { block, index: this.blocks[block]!.lowerBound(bytes) }
  }
}

function toBlock({ key, value }: Entry): DictionaryBlock {
  return new DictionaryBlock(key, generationOf(value), decodeDictionaryBlock(value))
}

/** The first four bytes as one number. No word has a zero byte, so shorter ones come first here too. */
function headOf(bytes: Uint8Array): number {
  let head = 0
  for (let i = 0; i < 4; i++) head = head * 256 + (bytes[i] ?? 0)
  return head
}

const asList = <T>(item: T | undefined): T[] => (item === undefined ? [] : [item])
