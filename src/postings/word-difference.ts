import type { DocumentWords } from './document-words.js'
import type { WordChanges } from './word-changes.js'

const NONE = -1

/**
 * The positions of each word of a document: the first of them is known by the word, and `next` leads from each to the next
 * one, by their numbers among the words of the document. Positions ascend along a chain, as they do in the document.
 */
class Chains {
  readonly distinct: number[] = []
  /** For each word its first and its last position, side by side. */
  private ends = new Int32Array(2048).fill(NONE)
  private next = new Int32Array(1024)

  build({ words, count }: DocumentWords): void {
    this.clear()
    if (count > this.next.length) this.next = new Int32Array(Math.max(count, this.next.length * 2))
    const { next } = this
    for (let i = 0; i < count; i++) {
      const word = words[i]!
      const at = word * 2
      if (at >= this.ends.length) this.grow(at + 2)
      const { ends } = this
      if (ends[at] === NONE) {
        ends[at] = i
        this.distinct.push(word)
      } else next[ends[at + 1]!] = i
      ends[at + 1] = i
      next[i] = NONE
    }
  }

  firstOf(word: number): number {
    return this.ends[word * 2] ?? NONE
  }

  nextOf(index: number): number {
    return this.next[index]!
  }

  private clear(): void {
    for (const word of this.distinct) this.ends[word * 2] = NONE
    this.distinct.length = 0
  }

  private grow(needed: number): void {
    const larger = new Int32Array(Math.max(needed, this.ends.length * 2)).fill(NONE)
    larger.set(this.ends)
    this.ends = larger
  }
}

/** Finds out which words a document loses, gains or has at other positions. */
export class WordDifference {
  private readonly oldChains = new Chains()
  private readonly newChains = new Chains()

  constructor(
    private readonly old: DocumentWords,
    private readonly now: DocumentWords,
  ) {}

  /** Tells `changes` what the words that were read last make of `docId`. */
  tell(changes: WordChanges, docId: number): void {
    const { oldChains, newChains } = this
    oldChains.build(this.old)
    newChains.build(this.now)
    for (const word of oldChains.distinct) {
      if (this.isSame(word)) continue
      this.tellLoss(changes, docId, word)
      if (newChains.firstOf(word) !== NONE) this.tellGain(changes, docId, word)
    }
    for (const word of newChains.distinct) {
      if (oldChains.firstOf(word) === NONE) this.tellGain(changes, docId, word)
    }
  }

  private tellLoss(changes: WordChanges, docId: number, word: number): void {
    const { oldChains, old } = this
    changes.begin(word, docId, true)
    for (let i = oldChains.firstOf(word); i !== NONE; i = oldChains.nextOf(i)) changes.push(old.positions[i]!)
  }

  private tellGain(changes: WordChanges, docId: number, word: number): void {
    const { newChains, now } = this
    changes.begin(word, docId, false)
    for (let i = newChains.firstOf(word); i !== NONE; i = newChains.nextOf(i)) changes.push(now.positions[i]!)
  }

  private isSame(word: number): boolean {
    const { oldChains, newChains } = this
    let i = oldChains.firstOf(word)
    let j = newChains.firstOf(word)
    while (i !== NONE && j !== NONE && this.old.positions[i] === this.now.positions[j]) {
      i = oldChains.nextOf(i)
      j = newChains.nextOf(j)
    }
    return i === NONE && j === NONE
  }
}
