import type { TermChoice } from './frequent-terms.js'
import { MAX_PREFIX_BYTES, prefixEnds } from './prefix-ends.js'

/** No word of that number is frequent itself. */
export const NO_TERM = 0xffff

const NO_LIST = -1

/** Which terms each word of the index stands for: itself, and the prefixes that it begins with. Few lists serve all words. */
export class TermLists {
  /** By list: where its terms are, and which of them is the word itself. */
  readonly starts: number[] = [0]
  readonly terms: number[] = []
  readonly wordTerms: number[] = []
  private readonly words = new Map<string, number>()
  private readonly prefixes = new Map<string, number>()
  private readonly listOfPrefixes = new Map<string, number>()
  private lastHead = -1
  private lastPrefixes: readonly number[] = []

  constructor({ terms }: TermChoice) {
    for (const [number, { text, isPrefix }] of terms.entries())
      (isPrefix ? this.prefixes : this.words).set(text, number)
  }

  /** The list of a word; -1 when it stands for nothing. */
  listOf(word: Buffer): number {
    const own = this.words.get(word.toString('utf8'))
    const known = this.prefixesOf(word)
    if (own === undefined) {
      if (known.length === 0) return NO_LIST
      const key = known.join(' ')
      const list = this.listOfPrefixes.get(key) ?? this.add(NO_TERM, known)
      this.listOfPrefixes.set(key, list)
      return list
    }
    return this.add(own, [own, ...known])
  }

  /** Words come in byte order: mostly the next one begins as the one before. */
  private prefixesOf(word: Buffer): readonly number[] {
    const head = headOf(word)
    if (head !== this.lastHead) this.lastPrefixes = this.findPrefixes(word)
    this.lastHead = head
    return this.lastPrefixes
  }

  private findPrefixes(word: Buffer): number[] {
    const found: number[] = []
    for (const end of prefixEnds(word)) {
      const number = this.prefixes.get(word.toString('utf8', 0, end))
      if (number !== undefined) found.push(number)
    }
    return found
  }

  private add(wordTerm: number, terms: readonly number[]): number {
    this.terms.push(...terms)
    this.starts.push(this.terms.length)
    return this.wordTerms.push(wordTerm) - 1
  }
}

/** The first bytes of a word, as far as prefixes go. */
function headOf(word: Buffer): number {
  let head = 0
  for (let i = 0; i < MAX_PREFIX_BYTES; i++) head = head * 256 + (word[i] ?? 0)
  return head
}
