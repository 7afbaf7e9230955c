import { unitsAt } from '../code-points.js'
import { chunksOf } from './chunks.js'
import type { Entries, LatticeDictionary } from './lattice-dictionary.js'

/**
 * A penalty on long words that makes the shorter ones of a compound win: `関西国際空港` is `関西`, `国際`, `空港`.
 * Zero or more, in the unit of the dictionary's costs.
 */
export type LengthPenalty = (text: string, start: number, end: number) => number

// Bounds the memory of a lattice, whatever the text.
const MAX_CHUNK_UNITS = 1024

// As in MeCab: longer groups are cut rather than tried as one word.
const MAX_GROUP_CHARACTERS = 24

const NONE = -1
const UNREACHED = 0x7fffffff

/**
 * The cheapest path of words through a text, where a word has a cost and so has each pair of neighbours (Viterbi, as
 * in MeCab). Nodes are rows of parallel arrays; the nodes that end at one place form a list through `nextAtEnd`.
 *
 *     すもももも     すもも|もも is cheaper than すもも|も|も: two words, one connection less
 */
export class Lattice {
  readonly #dictionary: LatticeDictionary
  readonly #penalty: LengthPenalty
  #text = ''
  #nodeCount = 0
  #nodes = newNodes(4096)
  readonly #lastAtEnd = new Int32Array(MAX_CHUNK_UNITS + 1)

  constructor(dictionary: LatticeDictionary, penalty: LengthPenalty = () => 0) {
    this.#dictionary = dictionary
    this.#penalty = penalty
  }

  /** The lengths in UTF-16 units of the words of `text`. */
  segment(text: string): readonly number[] {
    const lengths: number[] = []
    for (const chunk of chunksOf(text, MAX_CHUNK_UNITS)) this.#segmentChunk(chunk, lengths)
    return lengths
  }

  #segmentChunk(text: string, lengths: number[]): void {
    this.#text = text
    this.#begin()
    for (let start = 0; start < text.length; start += unitsAt(text, start)) {
      if (this.#lastAtEnd[start] === NONE) continue
      const isKnown = this.#addKnownWords(start)
      this.#addUnknownWords(start, isKnown)
    }
    this.#readBack(text.length, lengths)
  }

  #begin(): void {
    this.#lastAtEnd.fill(NONE, 0, this.#text.length + 1)
    this.#nodeCount = 0
    this.#append({ start: 0, end: 0, rightId: 0, cost: 0, previous: NONE })
  }

  /** Walks the trie along the UTF-8 bytes of the text from `start`; says whether a word was found. */
  #addKnownWords(start: number): boolean {
    const { base, check, known } = this.#dictionary
    const text = this.#text
    let isFound = false
    let state = 0
    for (let i = start; i < text.length; ) {
      const codePoint = text.codePointAt(i)!
      state = walkCodePoint(base, check, state, codePoint)
      if (state === NONE) break
      i += codePoint > 0xffff ? 2 : 1
      const leaf = base[state]!
      if (check[leaf] !== state) continue
      isFound = true
      this.#addEntries({ entries: known, word: -base[leaf]! - 1, start, end: i })
    }
    return isFound
  }

  #addUnknownWords(start: number, isKnown: boolean): void {
    const classId = this.#classAt(start)
    const { isAlwaysTried, isGrouped, maxLength } = this.#dictionary.classes[classId]!
    if (isKnown && !isAlwaysTried) return
    const groupEnd = this.#endOfClass(start, classId, MAX_GROUP_CHARACTERS)
    if (isGrouped) this.#addUnknown(classId, start, groupEnd)
    let end = start
    for (let length = 1; length <= Math.max(maxLength, isGrouped ? 0 : 1); length++) {
      if (end >= groupEnd) break
      end += unitsAt(this.#text, end)
      if (!isGrouped || end !== groupEnd) this.#addUnknown(classId, start, end)
    }
  }

  #addUnknown(classId: number, start: number, end: number): void {
    const { unknown, defaultClass } = this.#dictionary
    const record = unknown.records[classId] ?? 0
    const hasEntries = record > 0 && unknown.map[record + 1]! > 0
    this.#addEntries({ entries: unknown, word: hasEntries ? classId : defaultClass, start, end })
  }

  #classAt(index: number): number {
    const { classOfUnit, defaultClass } = this.#dictionary
    const codePoint = this.#text.codePointAt(index)!
    return codePoint > 0xffff ? defaultClass : classOfUnit[codePoint]!
  }

  #endOfClass(start: number, classId: number, maxCharacters: number): number {
    let end = start
    for (let count = 0; count < maxCharacters && end < this.#text.length; count++) {
      if (this.#classAt(end) !== classId) break
      end += unitsAt(this.#text, end)
    }
    return end
  }

  #addEntries({ entries, word, start, end }: WordAt): void {
    const { records, map, shorts } = entries
    const penalty = this.#penalty(this.#text, start, end)
    const record = records[word] ?? 0
    if (record === 0) return
    const first = record + 2
    for (let i = first; i < first + map[record + 1]!; i++) {
      // Two bytes make a short.
      const place = map[i]! >> 1
      this.#connect({
        start,
        end,
        leftId: shorts[place]!,
        rightId: shorts[place + 1]!,
        cost: shorts[place + 2]! + penalty,
      })
    }
  }

  /** Adds a node behind the cheapest of those that end where it starts. */
  #connect({ start, end, leftId, rightId, cost }: Candidate): void {
    const { connections, connectionColumns } = this.#dictionary
    const nodes = this.#nodes
    let best = UNREACHED
    let previous = NONE
    for (let node = this.#lastAtEnd[start]!; node !== NONE; node = nodes.nextAtEnd[node]!) {
      const total = nodes.cost[node]! + connections[nodes.rightId[node]! * connectionColumns + leftId]!
      if (total >= best) continue
      best = total
      previous = node
    }
    this.#append({ start, end, rightId, cost: best + cost, previous })
  }

  #append({ start, end, rightId, cost, previous }: NewNode): void {
    if (this.#nodeCount === this.#nodes.start.length) this.#nodes = grow(this.#nodes)
    const node = this.#nodeCount++
    const nodes = this.#nodes
    nodes.start[node] = start
    nodes.rightId[node] = rightId
    nodes.cost[node] = cost
    nodes.previous[node] = previous
    nodes.nextAtEnd[node] = this.#lastAtEnd[end]!
    this.#lastAtEnd[end] = node
  }

  /** The end of the text connects like a word with left id 0. */
  #readBack(end: number, lengths: number[]): void {
    this.#connect({ start: end, end, leftId: 0, rightId: 0, cost: 0 })
    const { start, previous } = this.#nodes
    const found: number[] = []
    let wordEnd = end
    for (let node = previous[this.#nodeCount - 1]!; wordEnd > 0; node = previous[node]!) {
      found.push(wordEnd - start[node]!)
      wordEnd = start[node]!
    }
    for (let i = found.length - 1; i >= 0; i--) lengths.push(found[i]!)
  }
}

interface WordAt {
  readonly entries: Entries
  readonly word: number
  readonly start: number
  readonly end: number
}

interface Candidate {
  readonly start: number
  readonly end: number
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
}

interface NewNode {
  readonly start: number
  readonly end: number
  readonly rightId: number
  /** Of the whole path up to and including the node. */
  readonly cost: number
  readonly previous: number
}

type Nodes = Record<'start' | 'rightId' | 'cost' | 'previous' | 'nextAtEnd', Int32Array>

function newNodes(size: number): Nodes {
  return {
    start: new Int32Array(size),
    rightId: new Int32Array(size),
    cost: new Int32Array(size),
    previous: new Int32Array(size),
    nextAtEnd: new Int32Array(size),
  }
}

function grow(nodes: Nodes): Nodes {
  const grown = newNodes(nodes.start.length * 2)
  grown.start.set(nodes.start)
  grown.rightId.set(nodes.rightId)
  grown.cost.set(nodes.cost)
  grown.previous.set(nodes.previous)
  grown.nextAtEnd.set(nodes.nextAtEnd)
  return grown
}

/** Follows the bytes of one code point; NONE when the trie has no such branch. A lone surrogate has no UTF-8 form. */
function walkCodePoint(base: Int32Array, check: Int32Array, from: number, codePoint: number): number {
  if (codePoint < 0x80) return walkByte(base, check, from, codePoint)
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return NONE
  let state = from
  if (codePoint < 0x800) state = walkByte(base, check, state, 0xc0 | (codePoint >> 6))
  else {
    if (codePoint < 0x10000) state = walkByte(base, check, state, 0xe0 | (codePoint >> 12))
    else {
      state = walkByte(base, check, state, 0xf0 | (codePoint >> 18))
      state = walkByte(base, check, state, 0x80 | ((codePoint >> 12) & 0x3f))
    }
    state = walkByte(base, check, state, 0x80 | ((codePoint >> 6) & 0x3f))
  }
  return walkByte(base, check, state, 0x80 | (codePoint & 0x3f))
}

function walkByte(base: Int32Array, check: Int32Array, from: number, byte: number): number {
  if (from === NONE) return NONE
  const child = base[from]! + byte
  return check[child] === from ? child : NONE
}
