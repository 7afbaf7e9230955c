import { listFromSorted, listFromUnsorted, listFromWords, listOfRange } from './build.js'
import { singleValue, withoutValue, withValue } from './change.js'
import { type Container, KEY_SPAN, share } from './container.js'
import { IdIterator } from './iterator.js'
import { dataBytes, moveArraysOut, smallestLayout } from './layout.js'
import {
  absorbList,
  countCommonOfLists,
  countOfList,
  eraseList,
  firstOfBothLists,
  intersectLists,
  isListWithin,
  listsMeet,
  mergeLists,
  seek,
  subtractLists,
} from './lists.js'
import { contains, greatestValue, nextValue, rankOf, valueAt } from './navigate.js'
import { exclude, unite } from './pairs.js'
import { deserializeList, serializedBytes, serializeList, serializeOne } from './portable-format.js'
import { forEachId, markBits, readIds } from './read.js'
import { uniteMany } from './unite-many.js'

// A container with its place in the list, and a bitmap with its list, as Node 20 lays them out.
const CONTAINER_BYTES = 96
const BITMAP_BYTES = 48

/**
 * A set of ids, each an integer from 0 to 2^32 - 1 (other numbers are taken modulo 2^32; it is up to the caller not to
 * pass them). A Roaring bitmap: Chambi, Lemire, Kaser, Godin, "Better bitmap performance with Roaring bitmaps", 2016.
 *
 * Results share containers with their inputs until one of them is changed, so `clone` and results are cheap and
 * independent of each other. Not for two threads at once: send `serialize()`.
 *
 * Small results live in chunks of 16 KiB that several bitmaps share. Call `runOptimize` on a bitmap before keeping it
 * for long (in a cache), else it may keep such a chunk alive.
 */
export class Bitmap {
  private constructor(private list: Container[]) {}

  static empty(): Bitmap {
    return new Bitmap([])
  }

  /** The ids may come in any order and repeatedly. */
  static of(...ids: number[]): Bitmap {
    return new Bitmap(listFromUnsorted(new Uint32Array(ids)))
  }

  /** The ids must be strictly increasing; throws a RangeError otherwise. Does not keep `ids`. */
  static fromSorted(ids: Uint32Array | readonly number[]): Bitmap {
    return new Bitmap(listFromSorted(ids instanceof Uint32Array ? ids : new Uint32Array(ids)))
  }

  /** The ids may come in any order and repeatedly. Does not keep or change `ids`. */
  static fromUnsorted(ids: Iterable<number>): Bitmap {
    return new Bitmap(listFromUnsorted(new Uint32Array(ids)))
  }

  /** What `serialize` makes of a single id. Many sets have no more. */
  static serializeOne(id: number): Uint8Array {
    return serializeOne(id)
  }

  /** Every id from `from` up to, not including, `toExclusive`, which may be 2^32. */
  static range(from: number, toExclusive: number): Bitmap {
    return new Bitmap(listOfRange(from, toExclusive))
  }

  /** The ids whose bits are set, the lowest bit of the first word being that of 0: what `markIn` is the reverse of. */
  static fromWords(words: Uint32Array): Bitmap {
    return new Bitmap(listFromWords(words))
  }

  /** What is in at least one of them. Much cheaper than one `or` after the other. */
  static orMany(bitmaps: Iterable<Bitmap>): Bitmap {
    const lists = Array.from(bitmaps, (bitmap) => bitmap.list).filter((list) => list.length > 0)
    if (lists.length === 2) return new Bitmap(mergeLists(lists[0]!, lists[1]!, unite))
    return new Bitmap(uniteMany(lists))
  }

  /** What is in all of them, smallest first; of no bitmaps at all: empty. */
  static andMany(bitmaps: Iterable<Bitmap>): Bitmap {
    const bySize = Array.from(bitmaps, (bitmap) => ({ list: bitmap.list, size: bitmap.size }))
    bySize.sort((a, b) => a.size - b.size)
    let common: Container[] = bySize[0]?.list.map(share) ?? []
    for (let i = 1; i < bySize.length && common.length > 0; i++) common = intersectLists(common, bySize[i]!.list)
    return new Bitmap(common)
  }

  /**
   * Reads the portable Roaring format, with and without runs. Copies what it needs, so `bytes` may be borrowed and
   * unaligned. Checks everything; throws a `CorruptBitmapError`.
   */
  static deserialize(bytes: Uint8Array): Bitmap {
    return new Bitmap(deserializeList(bytes))
  }

  /** How many ids there are. Adds up the containers, one for 65,536 ids at most. */
  get size(): number {
    return countOfList(this.list)
  }

  get isEmpty(): boolean {
    return this.list.length === 0
  }

  has(id: number): boolean {
    const container = this.list[seek(this.list, 0, id >>> 16)]
    return container !== undefined && container.key === id >>> 16 && contains(container, id & 0xffff)
  }

  /** Whether the id was not there before. For many ids at once `orWith` and the `from...` makers are faster. */
  add(id: number): boolean {
    const key = id >>> 16
    const at = seek(this.list, 0, key)
    const container = this.list[at]
    if (container === undefined || container.key !== key) {
      this.list.splice(at, 0, singleValue(key, id & 0xffff))
      return true
    }
    if (contains(container, id & 0xffff)) return false
    this.list[at] = withValue(container, id & 0xffff)
    return true
  }

  /** Adds every id from `from` up to, not including, `toExclusive`, which may be 2^32. */
  addRange(from: number, toExclusive: number): void {
    this.list = absorbList(this.list, listOfRange(from, toExclusive))
  }

  /** Whether the id was there before. */
  remove(id: number): boolean {
    const at = seek(this.list, 0, id >>> 16)
    const container = this.list[at]
    if (container?.key !== id >>> 16 || !contains(container, id & 0xffff)) return false
    const rest = withoutValue(container, id & 0xffff)
    if (rest === null) this.list.splice(at, 1)
    else this.list[at] = rest
    return true
  }

  /** Costs one step for each container; ids are copied only when either side changes. */
  clone(): Bitmap {
    return new Bitmap(this.list.map(share))
  }

  equals(other: Bitmap): boolean {
    return this.list.length === other.list.length && this.size === other.size && isListWithin(this.list, other.list)
  }

  and(other: Bitmap): Bitmap {
    return new Bitmap(intersectLists(this.list, other.list))
  }

  or(other: Bitmap): Bitmap {
    return new Bitmap(mergeLists(this.list, other.list, unite))
  }

  /** What is here and not in `other`. */
  andNot(other: Bitmap): Bitmap {
    return new Bitmap(subtractLists(this.list, other.list))
  }

  /** What is in exactly one of both. */
  xor(other: Bitmap): Bitmap {
    return new Bitmap(mergeLists(this.list, other.list, exclude))
  }

  andWith(other: Bitmap): void {
    this.list = intersectLists(this.list, other.list)
  }

  orWith(other: Bitmap): void {
    this.list = absorbList(this.list, other.list)
  }

  andNotWith(other: Bitmap): void {
    this.list = eraseList(this.list, other.list)
  }

  andCount(other: Bitmap): number {
    return countCommonOfLists(this.list, other.list)
  }

  orCount(other: Bitmap): number {
    return this.size + other.size - this.andCount(other)
  }

  intersects(other: Bitmap): boolean {
    return listsMeet(this.list, other.list)
  }

  /** The smallest id that is in both, or -1 if there is none. */
  firstCommon(other: Bitmap): number {
    return firstOfBothLists(this.list, other.list)
  }

  isSubsetOf(other: Bitmap): boolean {
    return isListWithin(this.list, other.list)
  }

  /** The smallest id, or -1 if there is none. */
  get min(): number {
    return this.nextFrom(0)
  }

  /** The greatest id, or -1 if there is none. */
  get max(): number {
    const last = this.list[this.list.length - 1]
    return last === undefined ? -1 : last.key * KEY_SPAN + greatestValue(last)
  }

  /** The smallest id that is >= `id`, or -1 if there is none. */
  nextFrom(id: number): number {
    const key = id >>> 16
    for (let i = seek(this.list, 0, key); i < this.list.length; i++) {
      const container = this.list[i]!
      const value = nextValue(container, container.key === key ? id & 0xffff : 0)
      if (value >= 0) return container.key * KEY_SPAN + value
    }
    return -1
  }

  /** How many ids are smaller than `id` (strictly), so that `rank(select(i)) === i`. */
  rank(id: number): number {
    const at = seek(this.list, 0, id >>> 16)
    let rank = 0
    for (let i = 0; i < at; i++) rank += this.list[i]!.count
    const container = this.list[at]
    return container?.key === id >>> 16 ? rank + rankOf(container, id & 0xffff) : rank
  }

  /** The id that has exactly `position` smaller ones, or -1 if there are not that many. */
  select(position: number): number {
    let rest = position
    for (const container of this.list) {
      if (rest < container.count) return container.key * KEY_SPAN + valueAt(container, rest)
      rest -= container.count
    }
    return -1
  }

  /** All ids in increasing order. */
  toArray(): Uint32Array {
    return this.toArraySlice(0, this.size)
  }

  /** At most `limit` ids in increasing order, without the first `offset`. Skips whole containers. */
  toArraySlice(offset: number, limit: number): Uint32Array {
    const length = Math.max(0, Math.min(limit, this.size - offset))
    const sink = { ids: new Uint32Array(length), at: 0 }
    let skip = offset
    for (let i = 0; sink.at < length; i++) {
      const container = this.list[i]!
      if (skip < container.count) readIds(container, skip, sink)
      skip = Math.max(0, skip - container.count)
    }
    return sink.ids
  }

  /** Sets the bit of every id, the lowest bit of the first word being that of 0. Ids beyond the words are left out. */
  markIn(words: Uint32Array): void {
    for (const container of this.list) markBits(container, words)
  }

  /** Calls `visit` with every id in increasing order. The bitmap must not be changed meanwhile. */
  forEach(visit: (id: number) => void): void {
    for (const container of this.list) forEachId(container, visit)
  }

  /** Ids in increasing order. The bitmap must not be changed meanwhile. `forEach` and `toArray` are faster. */
  [Symbol.iterator](): IterableIterator<number> {
    return new IdIterator(this.list)
  }

  /** The portable Roaring format; with runs in it only if there are some (`range`, `addRange`, `runOptimize`). */
  serialize(): Uint8Array {
    return serializeList(this.list)
  }

  serializedSizeBytes(): number {
    return serializedBytes(this.list)
  }

  /** Gives every container its smallest layout, and memory of its own. The ids stay the same. */
  runOptimize(): void {
    this.list = moveArraysOut(this.list.map(smallestLayout))
  }

  /** About how much memory this holds, in bytes, for caches. What is shared with other bitmaps counts in full. */
  sizeBytes(): number {
    let total = BITMAP_BYTES
    for (const container of this.list) total += CONTAINER_BYTES + dataBytes(container)
    return total
  }
}
