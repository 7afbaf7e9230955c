import { DenseDocSet } from './dense-doc-set.js'

/** Makes a set of docIds of which the highest is not known before. */
export class DenseDocSetBuilder {
  private words = new Uint32Array(1024)
  private limit = 0

  /** The first `count` of a list that ascends. */
  add(docIds: Uint32Array, count: number): this {
    if (count === 0) return this
    this.limit = Math.max(this.limit, docIds[count - 1]! + 1)
    if (this.limit > this.words.length * 32) this.grow()
    const { words } = this
    for (let i = 0; i < count; i++) {
      const docId = docIds[i]!
      words[docId >>> 5] = words[docId >>> 5]! | (1 << (docId & 31))
    }
    return this
  }

  /** As small as it can be. */
  finish(): DenseDocSet {
    return DenseDocSet.ofWords(this.words, this.limit)
  }

  private grow(): void {
    const larger = new Uint32Array(Math.max((this.limit + 31) >>> 5, this.words.length * 2))
    larger.set(this.words)
    this.words = larger
  }
}
