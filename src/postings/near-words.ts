import { buildTypoAutomaton, type TypoAutomaton } from '../text/index.js'
import type { NearSearch, NearWords } from './model.js'
import type { DictionaryBlock } from './word-block.js'

/** Spec 5 §4.4. */
export const MAX_ONE_TYPO = 150
export const MAX_TWO_TYPOS = 50

// Words have at most 250 bytes.
const MAX_DEPTH = 256
const ALIVE = Number.POSITIVE_INFINITY

/** The words of a dictionary, block by block. */
export interface SortedBlocks {
  readonly blocks: readonly DictionaryBlock[]
  /** How many bytes, of whole characters, each block's first word shares with the word before it. */
  readonly links: Uint8Array
  /** The fewest bytes that any word of each block shares with the word before it. */
  readonly lows: Uint8Array
}

/** The words of the dictionary that are within the allowed typos of a word (spec 5 §4.2-4.4), in byte order. */
export function findNear(dictionary: SortedBlocks, search: NearSearch): NearWords {
  const walk = new NearWalk(search)
  walk.takeBlocks(dictionary)
  return { one: walk.one, two: walk.two }
}

/**
 * Walks over sorted words. The state of the automaton after each byte of a word is kept, so of the next word only the
 * bytes that differ are read; and where the automaton gave up on a prefix, all words that share it are passed over.
 */
class NearWalk {
  readonly one: string[] = []
  readonly two: string[] = []
  private readonly search: NearSearch
  private readonly first: number
  /** For words that begin with the same character, and for others: those must not be further away than 1. */
  private readonly near: TypoAutomaton
  private readonly other: TypoAutomaton | undefined
  private isSameFirst = false
  /** Of the automaton, after so many bytes of the word. */
  private readonly states = new Int32Array(MAX_DEPTH)
  private automaton: TypoAutomaton | undefined
  /** Words that share this many bytes with the one read last are hopeless too. */
  private deadDepth = ALIVE
  /** Nothing more can be taken. */
  private isFull = false

  constructor(search: NearSearch) {
    const { word, typos, isPrefix } = search
    this.search = search
    this.first = word.codePointAt(0) ?? -1
    this.near = buildTypoAutomaton(word, typos, isPrefix)
    this.other = typos === 2 ? buildTypoAutomaton(word, 1, isPrefix) : undefined
  }

  /** Most blocks are passed over as a whole, unseen: of a large dictionary each would be far from the processor. */
  takeBlocks({ blocks, links, lows }: SortedBlocks): void {
    for (let i = 0; i < blocks.length && !this.isFull; i++) {
      if (lows[i]! < this.deadDepth) this.takeBlock(blocks[i]!, links[i]!)
    }
  }

  private takeBlock(block: DictionaryBlock, link: number): void {
    let index = 0
    let depth = link
    while (index < block.count && !this.isFull) {
      if (depth < this.deadDepth) this.takeWord(block, index, depth)
      index = this.deadDepth === ALIVE ? index + 1 : block.nextBelow(index, this.deadDepth)
      depth = block.shared[index] ?? 0
    }
  }

  /** `shared` bytes have been read already. */
  private takeWord(block: DictionaryBlock, index: number, shared: number): void {
    const { bytes } = block
    const start = block.startOf(index)
    const length = block.ends[index]! - start
    let depth = shared
    this.deadDepth = ALIVE
    while (depth < length) {
      const size = characterSize(bytes[start + depth]!)
      const codePoint = codePointAt(bytes, start + depth, size)
      const isAlive = depth === 0 ? this.begin(codePoint, size) : this.goOn(depth, codePoint, size)
      depth += size
      if (isAlive) continue
      this.deadDepth = depth
      return
    }
    this.judge(block, index, length)
  }

  /** The first character decides which automaton reads the word. */
  private begin(codePoint: number, size: number): boolean {
    this.isSameFirst = codePoint === this.first
    this.automaton = this.isSameFirst ? this.near : this.other
    if (this.automaton === undefined) return false
    this.states[0] = this.automaton.start
    return this.goOn(0, codePoint, size)
  }

  private goOn(depth: number, codePoint: number, size: number): boolean {
    const { states } = this
    const automaton = this.automaton!
    const state = automaton.step(states[depth]!, codePoint)
    states[depth + size] = state
    return automaton.canMatch(state)
  }

  private judge(block: DictionaryBlock, index: number, length: number): void {
    const { search, one, two } = this
    const distance = this.automaton!.distance(this.states[length]!)
    if (distance === 0 || distance > (this.isSameFirst ? search.typos : 1)) return
    const isTwo = distance === 2 || (!this.isSameFirst && two.length < MAX_TWO_TYPOS)
    const list = isTwo ? two : one
    if (list.length >= (isTwo ? MAX_TWO_TYPOS : MAX_ONE_TYPO)) return
    const word = block.wordAt(index)
    if (!search.isTolerant(word)) return
    list.push(word)
    this.isFull = one.length >= MAX_ONE_TYPO && (this.other === undefined || two.length >= MAX_TWO_TYPOS)
  }
}

function characterSize(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}

function codePointAt(bytes: Uint8Array, at: number, size: number): number {
  const first = bytes[at]!
  if (size === 1) return first
  const low = bytes[at + 1]! & 0x3f
  if (size === 2) return ((first & 0x1f) << 6) | low
  if (size === 3) return ((first & 0x0f) << 12) | (low << 6) | (bytes[at + 2]! & 0x3f)
  return ((first & 0x07) << 18) | (low << 12) | ((bytes[at + 2]! & 0x3f) << 6) | (bytes[at + 3]! & 0x3f)
}
