import { lowerBoundFrom } from '../bitmap/index.js'
import { grown } from './posting-buffer.js'

/** Some documents of a word: their docIds, and their numbers in the blocks that they are in. Used again and again. */
export class ChosenDocs {
  docIds = new Uint32Array(1024)
  numbers = new Uint32Array(1024)

  /** Those of `wanted` that the word has: `from[i]` up to `from[i + 1]` are in the i-th of the blocks that it names. */
  find(
    wanted: Uint32Array,
    own: Uint32Array,
    marks: readonly { readonly docEnd: number }[],
  ): { blocks: number[]; from: number[] } {
    this.reserve(wanted.length)
    const { docIds, numbers } = this
    const [blocks, from]: [number[], number[]] = [[], []]
    let [count, at, block, first, end] = [0, 0, -1, 0, 0]
    for (let i = 0; i < wanted.length; i++) {
      const docId = wanted[i]!
      at = lowerBoundFrom(own, docId, at)
      if (at === own.length) break
      if (own[at] !== docId) continue
      if (at >= end) {
        for (; at >= end; end = marks[++block]!.docEnd) first = end
        blocks.push(block)
        from.push(count)
      }
      docIds[count] = docId
      numbers[count++] = at - first
    }
    from.push(count)
    return { blocks, from }
  }

  /** Room for so many. */
  reserve(count: number): void {
    if (count <= this.docIds.length) return
    this.docIds = grown(this.docIds, count)
    this.numbers = grown(this.numbers, count)
  }
}
