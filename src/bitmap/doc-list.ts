import type { DocBits } from './doc-bits.js'
import { placeOf } from './place-of.js'

/** Documents in one of two forms: `DocBits`, or `DocList` where there are few. Sets that meet each other have one limit. */
export interface Docs {
  /** All docIds are below. */
  readonly limit: number
  has(docId: number): boolean
  count(): number
  /** Ascending. `size`: how many there are, where that is known. */
  toArray(size?: number): Uint32Array
  /** All of them are in `other`. */
  isWithin(other: DocBits): boolean
  /** Those that are in `other`. */
  within(other: DocBits): Docs
  /** Those that are not in `other`, which is a set of the same form or bits. */
  without(other: Docs): Docs
  /** These and those of `other`, which is a set of the same form. */
  with(other: Docs): Docs
}

/** A set of a few documents. Whoever goes through bits for them looks at all documents of the index. */
export class DocList implements Docs {
  constructor(
    /** Ascending. Shared: nobody changes them. */
    readonly docIds: Uint32Array,
    readonly limit: number,
  ) {}

  has(docId: number): boolean {
    return this.docIds[placeOf(this.docIds, docId)] === docId
  }

  count(): number {
    return this.docIds.length
  }

  toArray(): Uint32Array {
    return this.docIds
  }

  isWithin(other: DocBits): boolean {
    const { docIds } = this
    for (let i = 0; i < docIds.length; i++) if (!other.has(docIds[i]!)) return false
    return true
  }

  within(other: DocBits): DocList {
    const { docIds } = this
    const both = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) if (other.has(docIds[i]!)) both[count++] = docIds[i]!
    return this.part(both, count)
  }

  without(other: Docs): DocList {
    if (other instanceof DocList) return this.withoutList(other)
    const { docIds } = this
    const rest = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) if (!other.has(docIds[i]!)) rest[count++] = docIds[i]!
    return this.part(rest, count)
  }

  with({ docIds: others }: DocList): DocList {
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
    return new DocList(all.subarray(0, count), this.limit)
  }

  private withoutList({ docIds: others }: DocList): DocList {
    const { docIds } = this
    const rest = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0, j = 0; i < docIds.length; i++) {
      while (j < others.length && others[j]! < docIds[i]!) j++
      if (others[j] !== docIds[i]) rest[count++] = docIds[i]!
    }
    return this.part(rest, count)
  }

  private part(docIds: Uint32Array, count: number): DocList {
    return count === this.docIds.length ? this : new DocList(docIds.subarray(0, count), this.limit)
  }
}

/** Above all docIds. */
const BEHIND = Number.POSITIVE_INFINITY
