import { Bitmap } from './bitmap.js'
import { countBits, lowestBit } from './bits.js'
import type { BitsArena } from './bits-arena.js'
import { type DocSet, SparseDocSet } from './sparse-doc-set.js'

/** Something that can say which documents it has. */
interface DocAdder {
  readonly count: number
  addTo(docs: DenseDocSet): void
}

/**
 * A set of ids as bits: larger than a `Bitmap`, and faster where many lists are united and many members tested. Loops
 * over all words take four of them at a time, which is twice as fast; so there are always four.
 */
export class DenseDocSet implements DocSet {
  private readonly words: Uint32Array
  /** How many there are, where that is known. */
  private counted: number | undefined

  /** For docIds below `limit`. Sets that are made of this one take their memory from the same arena. */
  constructor(
    readonly limit: number,
    private readonly arena?: BitsArena,
  ) {
    const length = ((limit + 127) >>> 7) << 2
    this.words = arena === undefined ? new Uint32Array(length) : arena.take(length)
  }

  static ofBitmap(bitmap: Bitmap, limit: number, arena?: BitsArena): DenseDocSet {
    const bits = new DenseDocSet(limit, arena)
    bitmap.markIn(bits.words)
    return bits
  }

  /** As small as it can be for these docIds, which ascend. */
  static ofSorted(docIds: Uint32Array): DenseDocSet {
    const bits = new DenseDocSet(docIds.length === 0 ? 0 : docIds[docIds.length - 1]! + 1)
    bits.addAll(docIds)
    return bits
  }

  /** A copy of the bits of all docIds below `limit`. */
  static ofWords(words: Uint32Array, limit: number): DenseDocSet {
    const bits = new DenseDocSet(limit)
    bits.words.set(words.subarray(0, bits.words.length))
    return bits
  }

  get sizeBytes(): number {
    return this.words.byteLength
  }

  /** All docIds of some sources. Of few it is found on the way how many there are: of many that takes longer. */
  static ofSources(sources: readonly DocAdder[], limit: number, arena?: BitsArena): DenseDocSet {
    const bits = new DenseDocSet(limit, arena)
    const size = sources.reduce((sum, { count }) => sum + count, 0)
    if (size <= longestList(limit)) bits.counted = 0
    for (const source of sources) source.addTo(bits)
    return bits
  }

  addAll(docIds: Uint32Array): void {
    const { words } = this
    if (this.counted !== undefined) {
      this.counted += addNew(words, docIds)
      return
    }
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      words[docId >>> 5] = words[docId >>> 5]! | (1 << (docId & 31))
    }
  }

  /** Adds 16-bit numbers, which ascend, each plus `base`; those beyond the limit are left out. */
  addShort(numbers: Uint16Array, base: number): void {
    const { words, limit } = this
    this.counted = undefined
    for (let i = 0; i < numbers.length; i++) {
      const docId = base + numbers[i]!
      if (docId >= limit) return
      words[docId >>> 5] = words[docId >>> 5]! | (1 << (docId & 31))
    }
  }

  /** Adds bits, the lowest first, of which the first one is that of `base`, a multiple of 32. The same goes for the limit. */
  addBits(bytes: Uint8Array, base: number): void {
    const { words } = this
    this.counted = undefined
    let at = base >>> 5
    for (let i = 0; i < bytes.length && at < words.length; i += 4, at++) {
      const four = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
      words[at] = words[at]! | four
    }
  }

  removeAll(docIds: Uint32Array): void {
    const { words } = this
    let count = 0
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      const before = words[docId >>> 5]!
      count += (before >>> (docId & 31)) & 1
      words[docId >>> 5] = before & ~(1 << (docId & 31))
    }
    if (this.counted !== undefined) this.counted -= count
  }

  /** Sets that meet each other have the same limit; only here the other's may be lower. */
  or({ words: others }: DenseDocSet): void {
    const { words } = this
    this.counted = undefined
    for (let i = 0; i < others.length; i += 4) {
      words[i] = words[i]! | others[i]!
      words[i + 1] = words[i + 1]! | others[i + 1]!
      words[i + 2] = words[i + 2]! | others[i + 2]!
      words[i + 3] = words[i + 3]! | others[i + 3]!
    }
  }

  and({ words: others }: DenseDocSet): void {
    const { words } = this
    this.counted = undefined
    for (let i = 0; i < words.length; i += 4) {
      words[i] = words[i]! & others[i]!
      words[i + 1] = words[i + 1]! & others[i + 1]!
      words[i + 2] = words[i + 2]! & others[i + 2]!
      words[i + 3] = words[i + 3]! & others[i + 3]!
    }
  }

  copy(): DenseDocSet {
    const copy = new DenseDocSet(this.limit, this.arena)
    copy.words.set(this.words)
    copy.counted = this.counted
    return copy
  }

  /** What is in both. */
  within({ words: others }: DenseDocSet): DenseDocSet {
    const both = new DenseDocSet(this.limit, this.arena)
    const { words } = this
    const left = both.words
    for (let i = 0; i < words.length; i += 4) {
      left[i] = words[i]! & others[i]!
      left[i + 1] = words[i + 1]! & others[i + 1]!
      left[i + 2] = words[i + 2]! & others[i + 2]!
      left[i + 3] = words[i + 3]! & others[i + 3]!
    }
    return both
  }

  /** What is in this set and not in `other`. */
  without(other: DocSet): DenseDocSet {
    if (other instanceof DenseDocSet) return this.withoutBits(other)
    const rest = this.copy()
    rest.removeAll(other.toArray())
    return rest
  }

  private withoutBits({ words: others }: DenseDocSet): DenseDocSet {
    const rest = new DenseDocSet(this.limit, this.arena)
    const { words } = this
    const left = rest.words
    for (let i = 0; i < words.length; i += 4) {
      left[i] = words[i]! & ~others[i]!
      left[i + 1] = words[i + 1]! & ~others[i + 1]!
      left[i + 2] = words[i + 2]! & ~others[i + 2]!
      left[i + 3] = words[i + 3]! & ~others[i + 3]!
    }
    return rest
  }

  /** What is in one of both. */
  with(other: DocSet): DenseDocSet {
    const either = this.copy()
    if (other instanceof DenseDocSet) either.or(other)
    else either.addAll(other.toArray())
    return either
  }

  /** The set may be used when its arena has taken back its memory. */
  outliveArena(): void {
    this.arena?.give(this.words)
  }

  add(docId: number): void {
    this.counted = undefined
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

  /** Those docIds of a list, which may be beyond the limit, that are in the set. */
  membersOf(docIds: Uint32Array): Uint32Array {
    const found = new Uint32Array(docIds.length)
    let count = 0
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      found[count] = docId
      if (docId < this.limit && this.has(docId)) count++
    }
    return found.subarray(0, count)
  }

  /** Writes those docIds of a list that are in the set to `found`, from `at` on; answers where they end. */
  copyMembers(docIds: Uint32Array, found: Uint32Array, at: number): number {
    const { words } = this
    let count = at
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      found[count] = docId
      count += (words[docId >>> 5]! >>> (docId & 31)) & 1
    }
    return count
  }

  /** Adds `bits` to what is said of those docIds of a list that are in the set. */
  mark(said: Uint8Array, docIds: Uint32Array, bits: number): void {
    const { words } = this
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!
      if ((words[docId >>> 5]! >>> (docId & 31)) & 1) said[i] = said[i]! | bits
    }
  }

  /** `size`: how many there are, where that is known. */
  toArray(size = this.count()): Uint32Array {
    const { words } = this
    const found = new Uint32Array(size)
    let count = 0
    for (let i = 0; i < words.length; i += 4) {
      if ((words[i]! | words[i + 1]! | words[i + 2]! | words[i + 3]!) === 0) continue
      for (let k = i; k < i + 4; k++) {
        for (let rest = words[k]! | 0; rest !== 0; rest &= rest - 1) found[count++] = k * 32 + lowestBit(rest)
      }
    }
    return found
  }

  toBitmap(): Bitmap {
    return Bitmap.fromWords(this.words)
  }

  /** The same docIds as a list if they are few: no more than `most`. */
  compact(most = longestList(this.limit)): DenseDocSet | SparseDocSet {
    const size = this.count()
    return size <= most ? new SparseDocSet(this.toArray(size), this.limit) : this
  }

  count(): number {
    this.counted ??= this.countAll()
    return this.counted
  }

  private countAll(): number {
    const { words } = this
    let count = 0
    for (let i = 0; i < words.length; i += 4) {
      if ((words[i]! | words[i + 1]! | words[i + 2]! | words[i + 3]!) === 0) continue
      const half = countBits(words[i]!) + countBits(words[i + 1]!)
      count += half + countBits(words[i + 2]!) + countBits(words[i + 3]!)
    }
    return count
  }
}

/** Adds docIds to bits; answers how many were not among them. */
function addNew(words: Uint32Array, docIds: Uint32Array): number {
  let count = 0
  for (let i = 0; i < docIds.length; i++) {
    const docId = docIds[i]!
    const before = words[docId >>> 5]!
    count += 1 ^ ((before >>> (docId & 31)) & 1)
    words[docId >>> 5] = before | (1 << (docId & 31))
  }
  return count
}

const bytesOf = (limit: number): number => (limit + 7) >>> 3

/** A list of so many docIds takes half the memory of bits, and less time from the second look on. */
const longestList = (limit: number): number => bytesOf(limit) >>> 3

/** What so many docIds below `limit` take in the form that `compact` chooses. */
export const keptBytes = (count: number, limit: number): number =>
  count <= longestList(limit) ? 4 * count : bytesOf(limit)
