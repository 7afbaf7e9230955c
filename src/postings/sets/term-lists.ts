import type { TermChoice } from './frequent-terms.js'
import { MAX_PREFIX_BYTES, prefixEnds } from './prefix-ends.js'

/** Stands for a word that is not frequent itself. */
const NO_TERM = -1

const NO_LIST = -1

/** Which terms each word of the index stands for: itself, and the prefixes that it begins with. Few lists serve all words. */
export class TermLists {
  /** By list: its terms, and which of them is the word itself. */
  private readonly lists: (readonly number[])[] = []
  readonly wordTerms: number[] = []
  /** Texts are bytes, each as a character: there are very many words to look for. */
  private readonly words = new Map<string, number>()
  private readonly prefixes = new Map<string, number>()
  private readonly known = new Map<string, number>()
  private lastHead = -1
  private lastPrefixes: readonly number[] = []
  /** Of words with these prefixes that are not frequent. */
  private lastList = NO_LIST

  constructor({ terms }: TermChoice) {
    for (const [number, { text, isPrefix }] of terms.entries()) {
      const numbers = isPrefix ? this.prefixes : this.words
      numbers.set(Buffer.from(text).toString('latin1'), number)
    }
  }

  /** The list of a word, the first `size` bytes of a key; -1 when it stands for nothing. Words come in byte order. */
  listOf(key: Buffer, size: number): number {
    const head = headOf(key, size)
    if (head !== this.lastHead) {
      this.lastHead = head
      this.lastPrefixes = this.findPrefixes(key.subarray(0, size))
      this.lastList = this.lastPrefixes.length === 0 ? NO_LIST : this.listWith(NO_TERM, this.lastPrefixes)
    }
    const own = this.words.get(key.toString('latin1', 0, size))
    return own === undefined ? this.lastList : this.listWith(own, [own, ...this.lastPrefixes])
  }

  termsOf(list: number): readonly number[] {
    return this.lists[list]!
  }

  private findPrefixes(word: Buffer): number[] {
    const found: number[] = []
    for (const end of prefixEnds(word)) {
      const number = this.prefixes.get(word.toString('latin1', 0, end))
      if (number !== undefined) found.push(number)
    }
    return found
  }

  private listWith(wordTerm: number, terms: readonly number[]): number {
    const key = `${wordTerm} ${terms.join(' ')}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    const list = this.lists.push(terms) - 1
    this.wordTerms.push(wordTerm)
    this.known.set(key, list)
    return list
  }
}

/** The first bytes of a word, as far as prefixes go. */
function headOf(key: Buffer, size: number): number {
  let head = 0
  for (let i = 0; i < MAX_PREFIX_BYTES; i++) head = head * 256 + (i < size ? key[i]! : 0)
  return head
}
