import { ByteWriter } from '../bytes/index.js'
import type { Database } from '../store/index.js'
import { decodeDictionaryBlock, encodeDictionaryBlock, LOWEST_KEY } from './dictionary-block.js'
import { sharedBytes, wordsOf } from './front-coding.js'

const MAX_WORDS = 256
// With its key a block of this size stays inside a page of LMDB.
const MAX_BYTES = 1750

/** A word that the dictionary gains or loses. */
export interface DictionaryChange {
  readonly word: Uint8Array
  readonly isGained: boolean
}

interface OpenBlock {
  readonly key: Buffer
  readonly words: readonly Uint8Array[]
  /** Of the block behind it. */
  readonly nextKey: Buffer | undefined
}

/** Adds words to the dictionary and takes words out. Only blocks that change are written. */
export class DictionaryWriter {
  private readonly writer = new ByteWriter(4096)

  constructor(
    private readonly database: Database,
    private readonly generation: number,
    private readonly maxWords = MAX_WORDS,
  ) {}

  /** In byte order, no word twice. */
  apply(changes: readonly DictionaryChange[]): void {
    let next = 0
    while (next < changes.length) {
      const block = this.blockOf(changes[next]!.word)
      let end = next + 1
      while (end < changes.length && isBefore(changes[end]!.word, block.nextKey)) end++
      this.write(block.key, mergeWords(block.words, changes.slice(next, end)))
      next = end
    }
  }

  private blockOf(word: Uint8Array): OpenBlock {
    const [floor] = this.database.range({ start: word, reverse: true, limit: 1 })
    const key = floor?.key ?? LOWEST_KEY
    // Right behind the key itself.
    const [nextKey] = this.database.keys({ start: Buffer.concat([key, Buffer.of(0)]), limit: 1 })
    return { key, words: floor === undefined ? [] : wordsOf(decodeDictionaryBlock(floor.value)), nextKey }
  }

  private write(key: Buffer, words: readonly Uint8Array[]): void {
    if (words.length === 0) {
      this.database.delete(key)
      return
    }
    const perBlock = Math.ceil(words.length / this.countBlocks(words))
    for (let first = 0; first < words.length; first += perBlock) {
      const part = words.slice(first, first + perBlock)
      this.database.put(first === 0 ? key : part[0]!, encodeDictionaryBlock(this.generation, part, this.writer))
    }
  }

  private countBlocks(words: readonly Uint8Array[]): number {
    const bytes = words.reduce(
      (sum, word, i) => sum + 2 + word.length - (i === 0 ? 0 : sharedBytes(words[i - 1]!, word)),
      0,
    )
    return Math.max(Math.ceil(words.length / this.maxWords), Math.ceil(bytes / MAX_BYTES))
  }
}

function isBefore(word: Uint8Array, key: Buffer | undefined): boolean {
  return key === undefined || Buffer.compare(word, key) < 0
}

/** Both in byte order. */
function mergeWords(words: readonly Uint8Array[], changes: readonly DictionaryChange[]): Uint8Array[] {
  const merged: Uint8Array[] = []
  let i = 0
  for (const { word, isGained } of changes) {
    while (i < words.length && Buffer.compare(words[i]!, word) < 0) merged.push(words[i++]!)
    if (i < words.length && Buffer.compare(words[i]!, word) === 0) i++
    if (isGained) merged.push(word)
  }
  for (; i < words.length; i++) merged.push(words[i]!)
  return merged
}
