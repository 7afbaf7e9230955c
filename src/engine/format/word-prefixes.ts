import type { WordEntry } from '../../rank/index.js'
import type { MatchedTerm } from './text-match.js'

/** A word that a text's word may start with. */
export interface Prefix {
  readonly term: MatchedTerm
  /** How many characters of the normalized word are matched. */
  readonly characters: number
  /** Place among all words of all entries: the first one that fits wins. */
  readonly rank: number
}

/** An entry of which the words are prefixes. */
export interface PrefixEntry {
  readonly entry: WordEntry
  readonly term: MatchedTerm
}

/**
 * Finds the first of many words that a given one starts with. An entry may hold 1,000 words, and nearly all words of a
 * text start with none of them: a small table of first characters sends those away.
 */
export class WordPrefixes {
  private readonly starts = new StartTable()
  private table: PrefixTable | undefined

  /** `entries` in the order in which they are tried. */
  constructor(private readonly entries: readonly PrefixEntry[]) {
    for (const { entry } of entries) for (const word of entry.words) this.starts.add(word)
  }

  find(word: string): Prefix | undefined {
    if (!this.starts.mayStart(word)) return undefined
    this.table ??= new PrefixTable(this.entries)
    return this.table.find(word)
  }
}

const TABLE_SIZE = 1024

/** The first two units of words, hashed; a word of one unit lets all through that begin with it. */
class StartTable {
  private readonly singles = new Uint8Array(TABLE_SIZE)
  private readonly pairs = new Uint8Array(TABLE_SIZE)

  add(word: string): void {
    if (word.length === 1) this.singles[singleSlot(word)] = 1
    else if (word.length > 1) this.pairs[pairSlot(word)] = 1
  }

  mayStart(word: string): boolean {
    if (word.length === 0) return false
    return this.singles[singleSlot(word)] === 1 || (word.length > 1 && this.pairs[pairSlot(word)] === 1)
  }
}

const singleSlot = (word: string): number => word.charCodeAt(0) % TABLE_SIZE

const pairSlot = (word: string): number => (word.charCodeAt(0) * 31 + word.charCodeAt(1)) % TABLE_SIZE

class PrefixTable {
  private readonly words = new Map<string, Prefix>()
  /** The lengths that occur, in UTF-16 units, ascending. */
  private readonly lengths: readonly number[]

  constructor(entries: readonly PrefixEntry[]) {
    for (const { entry, term } of entries) for (const word of entry.words) this.add(word, entry.length, term)
    const lengths = new Set<number>()
    for (const word of this.words.keys()) lengths.add(word.length)
    this.lengths = [...lengths].sort((a, b) => a - b)
  }

  private add(word: string, typedCharacters: number, term: MatchedTerm): void {
    if (word === '' || this.words.has(word)) return
    const characters = Math.min(typedCharacters, countCharacters(word))
    this.words.set(word, { term, characters, rank: this.words.size })
  }

  find(word: string): Prefix | undefined {
    let first: Prefix | undefined
    for (const length of this.lengths) {
      if (length > word.length) break
      const found = this.words.get(word.slice(0, length))
      if (found !== undefined && (first === undefined || found.rank < first.rank)) first = found
    }
    return first
  }
}

function countCharacters(word: string): number {
  let count = 0
  for (const _ of word) count++
  return count
}
