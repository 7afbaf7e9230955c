import type { Bitmap } from '../../bitmap/index.js'

/** Positions at which two ascending lists have the same member. Made once and used again and again. */
export class Pairs {
  left = new Uint32Array(1024)
  right = new Uint32Array(1024)
  count = 0

  /** Room for `count` pairs; what was there is lost. */
  reset(count: number): void {
    this.count = 0
    if (this.left.length >= count) return
    const size = Math.max(count, this.left.length * 2)
    this.left = new Uint32Array(size)
    this.right = new Uint32Array(size)
  }
}

/** From this ratio of lengths on, searching the longer list beats walking the shorter one's table. */
const GALLOP_RATIO = 12

/**
 * Finds what two ascending lists have in common. Rules ask for the same left list again and again, with one list of a
 * word after the other: so where each of its members stands is kept in a table until another list comes.
 */
export function findCommon(left: Uint32Array, right: Uint32Array, pairs: Pairs): void {
  pairs.reset(Math.min(left.length, right.length))
  if (left.length * GALLOP_RATIO < right.length) pairs.count = gallop(left, right, pairs.left, pairs.right)
  else if (right.length * GALLOP_RATIO < left.length && placeTable.owner !== left) {
    pairs.count = gallop(right, left, pairs.right, pairs.left)
  } else {
    placeTable.make(left)
    pairs.count = placeTable.find(right, pairs)
  }
}

/** Where the members of one list stand, by member. */
class PlaceTable {
  owner: Uint32Array = new Uint32Array(0)
  /** Places plus one; 0 for everything else. */
  private places = new Uint32Array(1024)

  make(list: Uint32Array): void {
    if (this.owner === list) return
    const limit = list.length === 0 ? 0 : list[list.length - 1]! + 1
    if (this.places.length < limit) this.places = new Uint32Array(limit * 2)
    else for (let i = 0; i < this.owner.length; i++) this.places[this.owner[i]!] = 0
    for (let i = 0; i < list.length; i++) this.places[list[i]!] = i + 1
    this.owner = list
  }

  find(list: Uint32Array, { left, right }: Pairs): number {
    const { places } = this
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const place = places[list[i]!]
      if (!place) continue
      left[count] = place - 1
      right[count++] = i
    }
    return count
  }
}

const placeTable = new PlaceTable()

/** The same for a right list in any order, which may name a document again and again. */
export function findMembers(left: Uint32Array, right: Uint32Array, pairs: Pairs): void {
  pairs.reset(right.length)
  placeTable.make(left)
  pairs.count = placeTable.find(right, pairs)
}

function gallop(few: Uint32Array, many: Uint32Array, fewAt: Uint32Array, manyAt: Uint32Array): number {
  let from = 0
  let count = 0
  for (let i = 0; i < few.length; i++) {
    from = seek(many, few[i]!, from)
    if (from === many.length) break
    if (many[from] !== few[i]) continue
    fewAt[count] = i
    manyAt[count++] = from
  }
  return count
}

/** The first place at or after `from` whose member is at least `wanted`. */
export function seek(list: Uint32Array, wanted: number, from: number): number {
  let step = 1
  let high = from
  while (high < list.length && list[high]! < wanted) {
    from = high + 1
    high += step
    step *= 2
  }
  let low = from
  high = Math.min(high, list.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** A set of docIds as bits, for unions of many lists. */
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
    for (let i = 0; i < words.length; i++) if (words[i] !== 0) count += bitCount(words[i]!)
    return count
  }
}

/** What so many docIds below `limit` take in the smaller of both forms. */
export const keptBytes = (count: number, limit: number): number => Math.min(4 * count, (limit + 7) >>> 3)

/** Hacker's Delight, figure 5-2. */
function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x5555_5555)
  x = (x & 0x3333_3333) + ((x >>> 2) & 0x3333_3333)
  return (((x + (x >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24
}
