import { Bitmap } from './bitmap.js'
import { lowerBound } from './lower-bound.js'

/** Whatever can say whether a document is in it. */
interface DocTest {
  has(docId: number): boolean
}

/** Documents in one of two forms: `DenseDocSet`, or `SparseDocSet` where there are few. Sets that meet each other have one limit. */
export interface DocSet {
  /** All docIds are below. */
  readonly limit: number
  has(docId: number): boolean
  count(): number
  /** Ascending. `size`: how many there are, where that is known. */
  toArray(size?: number): Uint32Array
  toBitmap(): Bitmap
  /** Those that are in `other`. */
  within(other: DocTest): DocSet
  /** Those that are not in `other`. */
  without(other: DocSet): DocSet
  /** These and those of `other`. */
  with(other: DocSet): DocSet
}

/** A set of a few documents. Whoever goes through bits for them looks at all documents of the index. */
export class SparseDocSet implements DocSet {
  constructor(
    /** Ascending. Shared: nobody changes them. */
    readonly docIds: Uint32Array,
    readonly limit: number,
  ) {}

  /** Of docIds in any order, some of them maybe more than once. */
  static ofAny(docIds: Uint32Array, limit: number): SparseDocSet {
    if (isAscending(docIds)) return new SparseDocSet(docIds.slice(), limit)
    const sorted = docIds.slice().sort()
    let count = 0
    for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!
    return new SparseDocSet(sorted.subarray(0, count), limit)
  }

  has(docId: number): boolean {
    return this.docIds[lowerBound(this.docIds, docId)] === docId
  }

  count(): number {
    return this.docIds.length
  }

  toArray(): Uint32Array {
    return this.docIds
  }

  toBitmap(): Bitmap {
    return Bitmap.fromSorted(this.docIds)
  }

  within(other: DocTest): SparseDocSet {
    const { docIds } = this
    const both = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) if (other.has(docIds[i]!)) both[count++] = docIds[i]!
    return this.part(both, count)
  }

  /** Those of which something is said. */
  filter(said: Uint8Array): SparseDocSet {
    const { docIds } = this
    const kept = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) if (said[i] !== 0) kept[count++] = docIds[i]!
    return this.part(kept, count)
  }

  without(other: DocSet): SparseDocSet {
    if (other instanceof SparseDocSet) return this.withoutList(other)
    const { docIds } = this
    const rest = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) if (!other.has(docIds[i]!)) rest[count++] = docIds[i]!
    return this.part(rest, count)
  }

  with(other: DocSet): DocSet {
    return other instanceof SparseDocSet ? this.withList(other) : other.with(this)
  }

  private withList({ docIds: others }: SparseDocSet): SparseDocSet {
    const { docIds } = this
    const all = new Uint32Array(docIds.length + others.length)
    let count = 0
    for (let i = 0, j = 0; i < docIds.length || j < others.length; ) {
      const left = docIds[i] ?? BEHIND
      const right = others[j] ?? BEHIND
      all[count++] = Math.min(left, right)
      if (left <= right) i++
      if (right <= left) j++
    }
    return new SparseDocSet(all.subarray(0, count), this.limit)
  }

  private withoutList({ docIds: others }: SparseDocSet): SparseDocSet {
    const { docIds } = this
    const rest = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0, j = 0; i < docIds.length; i++) {
      while (j < others.length && others[j]! < docIds[i]!) j++
      if (others[j] !== docIds[i]) rest[count++] = docIds[i]!
    }
    return this.part(rest, count)
  }

  private part(docIds: Uint32Array, count: number): SparseDocSet {
    return count === this.docIds.length ? this : new SparseDocSet(docIds.subarray(0, count), this.limit)
  }
}

/** Strictly. */
function isAscending(docIds: Uint32Array): boolean {
  for (let i = 1; i < docIds.length; i++) if (docIds[i]! <= docIds[i - 1]!) return false
  return true
}

/** Above all docIds. */
const BEHIND = Number.POSITIVE_INFINITY
