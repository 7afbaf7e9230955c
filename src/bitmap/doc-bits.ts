import type { Bitmap } from './bitmap.js'
import { countBits } from './bits.js'

/** A set of ids as bits: larger than a `Bitmap`, and faster where many lists are united and many members tested. */
export class DocBits {
  private readonly words: Uint32Array

  /** For docIds below `limit`. */
  constructor(readonly limit: number) {
    this.words = new Uint32Array((limit + 31) >>> 5)
  }

  static ofBitmap(bitmap: Bitmap, limit: number): DocBits {
    const bits = new DocBits(limit)
    bitmap.markIn(bits.words)
    return bits
  }

  /** As small as it can be for these docIds, which ascend. */
  static ofSorted(docIds: Uint32Array): DocBits {
    const bits = new DocBits(docIds.length === 0 ? 0 : docIds[docIds.length - 1]! + 1)
    bits.addAll(docIds)
    return bits
  }

  addAll(docIds: Uint32Array): void {
    const { words } = this
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      words[docId >>> 5] = words[docId >>> 5]! | (1 << (docId & 31))
    }
  }

  removeAll(docIds: Uint32Array): void {
    const { words } = this
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      words[docId >>> 5] = words[docId >>> 5]! & ~(1 << (docId & 31))
    }
  }

  or(other: DocBits): void {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i] = words[i]! | other.words[i]!
  }

  and(other: DocBits): void {
    const { words } = this
    for (let i = 0; i < words.length; i++) words[i] = words[i]! & other.words[i]!
  }

  copy(): DocBits {
    const copy = new DocBits(this.limit)
    copy.words.set(this.words)
    return copy
  }

  /** All that is in this set is in `other`. */
  isWithin(other: DocBits): boolean {
    for (let i = 0; i < this.words.length; i++) if (this.words[i]! & ~other.words[i]!) return false
    return true
  }

  /** What is in this set and not in `other`. */
  without(other: DocBits): DocBits {
    const rest = new DocBits(this.limit)
    for (let i = 0; i < rest.words.length; i++) rest.words[i] = this.words[i]! & ~other.words[i]!
    return rest
  }

  add(docId: number): void {
    this.words[docId >>> 5] = this.words[docId >>> 5]! | (1 << (docId & 31))
  }

  has(docId: number): boolean {
    return (this.words[docId >>> 5]! & (1 << (docId & 31))) !== 0
  }

  /** Some of the docIds from `from` up to `to`, which may be beyond the limit, are in the set. */
  hasAny(docIds: Uint32Array, from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (docIds[i]! < this.limit && this.has(docIds[i]!)) return true
    return false
  }

  /** Adds `bits` to what is said of those docIds of a list that are in the set. */
  mark(said: Uint8Array, docIds: Uint32Array, bits: number): void {
    const { words } = this
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      if ((words[docId >>> 5]! >>> (docId & 31)) & 1) said[i] = said[i]! | bits
    }
  }

  toArray(): Uint32Array {
    const { words } = this
    const found = new Uint32Array(this.count())
    let count = 0
    for (let i = 0; i < words.length; i++) {
      for (let rest = words[i]!; rest !== 0; rest &= rest - 1) found[count++] = i * 32 + (31 - Math.clz32(rest & -rest))
    }
    return found
  }

  /** The same docIds in the form that takes less memory. */
  compact(): DocBits | Uint32Array {
    return keptBytes(this.count(), this.limit) < this.words.byteLength ? this.toArray() : this
  }

  count(): number {
    let count = 0
    const { words } = this
    for (let i = 0; i < words.length; i++) if (words[i] !== 0) count += countBits(words[i]!)
    return count
  }
}

/** What so many docIds below `limit` take in the smaller of both forms. */
export const keptBytes = (count: number, limit: number): number => Math.min(4 * count, (limit + 7) >>> 3)
