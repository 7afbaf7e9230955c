import type { WordList } from './word-list.js'

const HAN = /^[\u4e00-\u9fff]+$/
/** Of a character of `HAN`, in UTF-8. */
const CHARACTER_BYTES = 3

/** A text of nothing but the usual Han characters. */
export function isHan(text: string): boolean {
  return HAN.test(text)
}

/**
 * Cuts Han text as the library for Chinese does, which without its model of unknown words is: of all ways to put words of
 * the dictionary together, the one with the greatest product of their shares of all text. It looks words up in the file,
 * so that it begins at once, and takes many times as long for each character.
 */
export class HanCutter {
  private logTotal = 0

  constructor(private readonly words: WordList) {}

  /** `text` is Han text. */
  cut(text: string): string[] {
    const ends = this.bestEnds(text)
    const words: string[] = []
    for (let start = 0; start < text.length; start = ends[start]!) words.push(text.slice(start, ends[start]!))
    return words
  }

  /** For each character where the word that begins there ends on the best way from it to the end of the text. */
  private bestEnds(text: string): Uint32Array {
    this.logTotal ||= Math.log(this.words.totalFrequency())
    const bytes = Buffer.from(text)
    const scores = new Float64Array(text.length + 1)
    const ends = new Uint32Array(text.length)
    for (let start = text.length - 1; start >= 0; start--) {
      // Where no word begins, the character is one that was met once.
      ends[start] = start + 1
      scores[start] = scores[start + 1]! - this.logTotal
      let best = Number.NEGATIVE_INFINITY
      for (const { end, frequency } of this.wordsAt(bytes, start)) {
        const score = Math.log(frequency) - this.logTotal + scores[end]!
        if (score < best) continue
        best = score
        ends[start] = end
        scores[start] = score
      }
    }
    return ends
  }

  /** The words that begin at a character, by length. */
  private *wordsAt(text: Buffer, start: number): Iterable<{ end: number; frequency: number }> {
    let at = 0
    for (let end = start + 1; end * CHARACTER_BYTES <= text.length; end++) {
      const found = this.words.find(text.subarray(start * CHARACTER_BYTES, end * CHARACTER_BYTES), at)
      if (found === undefined) return
      if (found.frequency !== undefined) yield { end, frequency: found.frequency }
      at = found.at
    }
  }
}
