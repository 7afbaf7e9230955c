import { lowerBound } from '../bitmap/index.js'
import { CorruptBytes } from '../bytes/index.js'
import type { WhichPositions } from './model.js'
import {
  FIELD_ESCAPE,
  FIELD_SHIFT,
  POSITION_SHIFT,
  type PositionColumns,
  VERSION,
  VERSION_WITH_FIRSTS,
} from './posting-block.js'

/** Reads one block: first `readDocIds`, then, when they are wanted, `readPositions`; both as often as they are wanted. */
export class BlockReader {
  readonly count: number
  readonly positionCount: number
  /** Undefined where first positions cannot be read alone. */
  private readonly firstCount: number | undefined
  readonly isSplit: boolean
  private at = 1
  private docIdsAt = 0
  private positionsAt = 0
  private bytesView: DataView | undefined

  constructor(
    readonly bound: number,
    readonly bytes: Uint8Array,
  ) {
    const hasFirsts = bytes[0] === VERSION_WITH_FIRSTS
    if (bytes[0] !== VERSION && !hasFirsts) throw new CorruptBytes(`a block of postings has version ${bytes[0]}`)
    const head = this.varint()
    this.count = head >>> 1
    this.isSplit = (head & 1) === 1
    this.positionCount = this.varint()
    this.firstCount = hasFirsts ? this.varint() : undefined
    this.docIdsAt = this.at
    // Each docId and each position takes a byte at least: damaged counts must not ask for memory.
    if (!(this.count + this.positionCount <= bytes.length - this.at)) throw tooShort()
    if (this.positionCountOf('firsts') > this.positionCount)
      throw new CorruptBytes('a block of postings counts wrongly')
  }

  get sizeBytes(): number {
    return this.bytes.length
  }

  private get view(): DataView {
    this.bytesView ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)
    return this.bytesView
  }

  positionCountOf(which: WhichPositions): number {
    return which === 'all' ? this.positionCount : (this.firstCount ?? this.positionCount)
  }

  firstDocId(): number {
    this.at = this.docIdsAt
    return this.bound + this.varint()
  }

  /** Writes `count` docIds to `out` from `outAt` on. */
  readDocIds(out: Uint32Array, outAt: number): void {
    const { bytes } = this
    const end = outAt + this.count
    let at = this.docIdsAt
    let docId = this.bound - 1
    for (let i = outAt; i < end; i++) {
      const byte = bytes[at]!
      // Whether there is a second byte is as good as random, so nothing branches on it. A position follows in any case.
      const isLong = byte >>> 7
      let gap = (byte & 0x7f) | ((bytes[at + 1]! << 7) & -isLong)
      at += 1 + isLong
      if (gap >= 0x4000) {
        this.at = at
        gap = this.restOfVarint(gap)
        at = this.at
      }
      docId += gap + 1
      out[i] = docId
    }
    if (at > bytes.length) throw tooShort()
    this.at = at
    this.positionsAt = at
  }

  /** Where the bytes of docIds begin. */
  get docIdsFrom(): number {
    return this.docIdsAt
  }

  /** Behind `readDocIds`: where they end and those of positions begin. */
  get positionsFrom(): number {
    return this.positionsAt
  }

  /** Instead of `readDocIds`, by whoever knows that from an earlier time. */
  passDocIds(positionsFrom: number): void {
    this.positionsAt = positionsFrom
  }

  /**
   * Behind `readDocIds`, in a block without first positions: for each document from `docAt` on, how many bytes and how many
   * positions have come when its positions end.
   */
  readPositionEnds(byteEnds: Uint32Array, countEnds: Uint32Array, docAt: number): void {
    const { bytes, positionsAt } = this
    let at = positionsAt
    let positions = 0
    for (let doc = docAt; doc < docAt + this.count; doc++) {
      let hasMore = true
      while (hasMore) {
        let byte = bytes[at++]!
        hasMore = (byte & 1) === 1
        const isEscaped = ((byte >>> FIELD_SHIFT) & FIELD_ESCAPE) === FIELD_ESCAPE
        while (byte >= 0x80) byte = bytes[at++]!
        if (isEscaped)
          do byte = bytes[at++]!
          while (byte >= 0x80)
        positions++
      }
      byteEnds[doc] = at - positionsAt
      countEnds[doc] = positions
    }
    if (at !== bytes.length || positions !== this.positionCount)
      throw new CorruptBytes('a block of postings counts wrongly')
  }

  /**
   * The same for those documents that are in an ascending list: writes them, and their numbers in the block. Answers how
   * many they are. Mostly the next one is far away: four gaps of one byte are passed over at a time.
   */
  readSomeDocIds(members: Uint32Array, out: Uint32Array, numbers: Uint32Array): number {
    const { bytes, view, count } = this
    const lastFour = bytes.length - 4
    let next = lowerBound(members, this.bound)
    let wanted = next < members.length ? members[next]! : NO_DOC
    let at = this.docIdsAt
    let docId = 0
    /** Behind the docId before. */
    let least = this.bound
    let found = 0
    for (let i = 0; i < count; i++) {
      if (i + 4 <= count && at <= lastFour) {
        const four = view.getInt32(at, true)
        const leastBehind = (least + sumOfBytes(four) + 4) >>> 0
        if ((four & HIGHEST_BITS) === 0 && leastBehind <= wanted) {
          least = leastBehind
          at += 4
          i += 3
          continue
        }
      }
      let gap = bytes[at++]!
      if (gap >= 0x80) {
        gap += (bytes[at++]! - 1) << 7
        if (gap >= 0x4000) {
          this.at = at
          gap = this.restOfVarint(gap)
          at = this.at
        }
      }
      docId = (least + gap) >>> 0
      least = (docId + 1) >>> 0
      while (wanted < docId) wanted = ++next < members.length ? members[next]! : NO_DOC
      if (wanted !== docId) continue
      out[found] = docId
      numbers[found++] = i
    }
    if (at > bytes.length) throw tooShort()
    this.at = at
    this.positionsAt = at
    return found
  }

  /** Behind `readDocIds`: writes `count` starts from `docAt` on and `positionCountOf` positions from `positionAt` on. */
  readPositions(columns: PositionColumns, docAt: number, positionAt: number, which: WhichPositions = 'all'): void {
    this.at = this.positionsAt
    if (which === 'firsts' || this.firstCount === undefined) {
      this.readChains(columns, docAt, positionAt, this.positionCountOf(which))
    } else this.readDivided(columns, docAt, positionAt)
    if (this.at > this.bytes.length) throw tooShort()
  }

  /**
   * Behind `readDocIds`: writes the positions of some documents only, which are given by their numbers in the block,
   * ascending. Answers where the positions end, which is `positionAt` plus `positionCount` at most.
   */
  readSomePositions(numbers: Uint32Array, columns: PositionColumns, docAt: number, positionAt: number): number {
    this.at = this.positionsAt
    const end =
      this.firstCount === undefined
        ? this.readSomeChains(numbers, columns, docAt, positionAt)
        : this.readSomeDivided(numbers, columns, docAt, positionAt)
    if (this.at > this.bytes.length) throw tooShort()
    return end
  }

  private readSomeChains(
    numbers: Uint32Array,
    { starts, positions }: PositionColumns,
    docAt: number,
    positionAt: number,
  ): number {
    let next = positionAt
    let doc = 0
    for (let k = 0; k < numbers.length; k++) {
      this.skipChains(numbers[k]! - doc)
      doc = numbers[k]! + 1
      starts[docAt + k] = next
      let position = 0
      let code = 1
      while (code & 1) {
        code = this.varint()
        position = this.positionBehind(position, code)
        positions[next++] = position
      }
    }
    starts[docAt + numbers.length] = next
    return next
  }

  /** Passes over the positions of some documents, four bytes at a time. */
  private skipChains(count: number): void {
    const { bytes, view } = this
    const lastFour = bytes.length - 4
    let { at } = this
    let left = count
    // The highest bit of a byte, as in `four`: whether it belongs to the number before.
    let isRest = 0
    while (left > 4 && at <= lastFour) {
      const four = view.getInt32(at, true)
      const begins = ~((four << 8) | isRest) & HIGHEST_BITS
      // Fields in a second number, which is no position.
      if ((four << 6) & (four << 5) & (four << 4) & begins) break
      left -= countMarks((~four << 7) & begins)
      isRest = (four >>> 24) & 0x80
      at += 4
    }
    while (isRest) isRest = bytes[at++]! & 0x80
    this.at = at
    for (; left > 0; left -= this.skipPosition()) if (this.at >= bytes.length) throw tooShort()
  }

  /** Answers how many documents end with it. */
  private skipPosition(): 0 | 1 {
    const code = this.varint()
    this.positionBehind(0, code)
    return code & 1 ? 0 : 1
  }

  private readSomeDivided(numbers: Uint32Array, columns: PositionColumns, docAt: number, positionAt: number): number {
    const first = { starts: new Uint32Array(numbers.length + 1), positions: new Uint32Array(this.firstCount!) }
    this.readSomeChains(numbers, first, 0, 0)
    this.skipChains(this.count - 1 - (numbers.at(-1) ?? -1))
    let next = positionAt
    let doc = 0
    for (let k = 0; k < numbers.length; k++) {
      this.skipChains(numbers[k]! - doc)
      doc = numbers[k]! + 1
      columns.starts[docAt + k] = next
      next = this.readOthers(first, k, columns.positions, next)
    }
    columns.starts[docAt + numbers.length] = next
    return next
  }

  private readDivided({ starts, positions }: PositionColumns, docAt: number, positionAt: number): void {
    const first = { starts: new Uint32Array(this.count + 1), positions: new Uint32Array(this.firstCount!) }
    this.readChains(first, 0, 0, this.firstCount!)
    let next = positionAt
    for (let i = 0; i < this.count; i++) {
      starts[docAt + i] = next
      next = this.readOthers(first, i, positions, next)
    }
  }

  /** Puts the other positions of one document between its first ones; answers where they end. */
  private readOthers(first: PositionColumns, i: number, positions: Uint32Array, from: number): number {
    const end = first.starts[i + 1]!
    let next = from
    let at = first.starts[i]!
    let other = 0
    let hasMore = true
    while (hasMore) {
      const code = this.varint()
      hasMore = (code & 1) === 1
      if (code === 0) break
      other = this.positionBehind(other, code)
      while (at < end && first.positions[at]! < other) positions[next++] = first.positions[at++]!
      positions[next++] = other
    }
    while (at < end) positions[next++] = first.positions[at++]!
    return next
  }

  /**
   * Searches for frequent words spend most of their time here. Whether a number has a second byte, whether the field
   * changes and whether the document ends is as good as random: so nothing branches on it, which takes a third of the time.
   */
  private readChains({ starts, positions }: PositionColumns, docAt: number, positionAt: number, count: number): void {
    const { bytes } = this
    // The byte behind a number is read with it.
    const last = bytes.length - 1
    let { at } = this
    let doc = docAt
    let position = 0
    starts[doc] = positionAt
    for (let next = positionAt; next < positionAt + count; next++) {
      let code = 0
      if (at < last) {
        const byte = bytes[at]!
        const isLong = byte >>> 7
        code = (byte & 0x7f) | ((bytes[at + 1]! << 7) & -isLong)
        at += 1 + isLong
      } else {
        if (at > last || bytes[at]! >= 0x80) throw tooShort()
        code = bytes[at++]!
      }
      const fields = (code >>> FIELD_SHIFT) & FIELD_ESCAPE
      if (code >= 0x4000 || fields === FIELD_ESCAPE) {
        this.at = at
        if (code >= 0x4000) code = this.restOfVarint(code)
        position = this.positionBehind(position >>> 0, code) | 0
        at = this.at
      } else {
        // In the same field the position counts from the one before.
        const kept = ((fields - 1) >> 31) | FIELD_BITS
        position = ((position & kept) + (fields << 16) + (code >>> POSITION_SHIFT)) | 0
      }
      positions[next] = position
      const hasMore = code & 1
      starts[doc + 1] = next + 1
      doc += 1 - hasMore
      position &= -hasMore
    }
    if (doc !== docAt + this.count) throw new CorruptBytes('a block of postings counts wrongly')
    this.at = at
  }

  private positionBehind(position: number, code: number): number {
    const fields = (code >>> FIELD_SHIFT) & FIELD_ESCAPE
    const distance = code >>> POSITION_SHIFT
    if (fields === 0) return position + distance
    const more = fields === FIELD_ESCAPE ? this.varint() : 0
    return (((position >>> 16) + fields + more) * 0x1_0000 + distance) >>> 0
  }

  /** The third byte and what follows, where two bytes say that there is more. */
  private restOfVarint(twoBytes: number): number {
    const { bytes } = this
    let value = twoBytes & 0x3fff
    let byte = 0x80
    for (let shift = 14; byte >= 0x80; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 0x7f) << shift
    }
    return value >>> 0
  }

  /** Beyond the end there are zeros: whoever reads looks afterwards whether it went too far. */
  private varint(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 0x7f) << shift
    }
    return value >>> 0
  }
}

/** Of a position. */
const FIELD_BITS = ~0xffff

const HIGHEST_BITS = 0x8080_8080 | 0

/** Above all docIds. */
const NO_DOC = 0xffff_ffff

function sumOfBytes(four: number): number {
  const pairs = (four & 0x00ff_00ff) + ((four >>> 8) & 0x00ff_00ff)
  return (pairs & 0xffff) + (pairs >>> 16)
}

/** How many of the highest bits of four bytes are set; no others are. */
function countMarks(marks: number): number {
  return Math.imul(marks >>> 7, 0x0101_0101) >>> 24
}

function tooShort(): CorruptBytes {
  return new CorruptBytes('a block of postings ends too early')
}
