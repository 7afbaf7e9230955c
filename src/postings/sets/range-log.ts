import { ByteWriter } from '../../bytes/index.js'

/** Before the list of the next word, where a document would be. */
const NEXT_WORD = 0

/**
 * What postings say of some documents of one range, word by word, in some four bytes a place: much less than places take
 * when they are sorted by document.
 *
 * ```
 * for each word:      0(varint) list of terms(varint)
 *   each document:    (gap to the one before it, plus one) * 2 + has several places(varint), then
 *                     if it has several their number(varint); each place less the one before it(varint)
 * ```
 */
export class RangeLog {
  private readonly writer = new ByteWriter(1 << 14)
  private word = -1
  private nextDoc = 0
  /** Of all words together. */
  count = 0

  get sizeBytes(): number {
    return this.writer.length
  }

  /** Words are told apart by any numbers. Documents of a word ascend, and so do the places of a document. */
  add(word: number, list: number, doc: number, places: Uint32Array, from: number, to: number): void {
    const { writer } = this
    if (word !== this.word) {
      writer.varint(NEXT_WORD)
      writer.varint(list)
      this.word = word
      this.nextDoc = 0
    }
    const count = to - from
    writer.varint((doc - this.nextDoc + 1) * 2 + (count > 1 ? 1 : 0))
    if (count > 1) writer.varint(count)
    let before = 0
    for (let i = from; i < to; i++) {
      writer.varint(places[i]! - before)
      before = places[i]!
    }
    this.nextDoc = doc + 1
    this.count += count
  }

  each(visit: (list: number, doc: number, place: number) => void): void {
    const bytes = this.writer.view()
    let at = 0
    const varint = (): number => {
      let byte = bytes[at++]!
      let value = byte & 0x7f
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++]!
        value |= (byte & 0x7f) << shift
      }
      return value >>> 0
    }
    let [list, nextDoc] = [0, 0]
    while (at < bytes.length) {
      const head = varint()
      if (head === NEXT_WORD) {
        list = varint()
        nextDoc = 0
        continue
      }
      const doc = nextDoc + (head >>> 1) - 1
      nextDoc = doc + 1
      let place = 0
      for (let left = head & 1 ? varint() : 1; left > 0; left--) {
        place += varint()
        visit(list, doc, place)
      }
    }
  }
}
