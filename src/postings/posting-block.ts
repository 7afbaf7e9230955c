import { placeOf } from '../bitmap/index.js'
import { ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { WhichPlaces } from './model.js'

/**
 * A block of the postings of one word, the value of the database `postings`:
 *
 * ```
 * version(1 byte) head(varint) placeCount(varint) docId*(varint) place*(varint)
 * ```
 *
 * `head` is the number of documents times two, plus one in the first block of a word that may have others. The first
 * docId is counted from the lower bound in the key, each other one from the docId before it plus one. All docIds stand
 * before all places, so they can be read alone.
 *
 * A place is the field and the position in it, both as differences from the place before it in the same document:
 *
 * ```
 * bit 0     another place of the same document follows
 * bits 1-3  how much larger the field is; 7: by 7 and what a second varint says
 * bits 4-   the position; in the same field how much larger it is
 * ```
 *
 * A word in one of the first fields at one of the first positions takes one byte, most others two.
 *
 * Blocks with very many places for each document have another version, in which some can be read without the others:
 *
 * ```
 * version(1 byte) head(varint) placeCount(varint) firstCount(varint) docId*(varint) first*(varint) other*(varint)
 * ```
 *
 * The first places are those that come first in their field of a document; the others of a document follow each other as
 * above, and a document that has none of them has a zero there, which would be the first place of the first field.
 */
const VERSION = 1
const VERSION_WITH_FIRSTS = 2

const FIELD_SHIFT = 1
const FIELD_ESCAPE = 7
const POSITION_SHIFT = 4
/** Of a place. */
const FIELD_BITS = ~0xffff

/** The documents of a word and its places in them, from anywhere. As `Postings`, but arrays may be longer than used. */
export interface PostingColumns {
  readonly docIds: Uint32Array
  readonly starts: Uint32Array
  readonly places: Uint32Array
}

export type PlaceColumns = Omit<PostingColumns, 'docIds'>

/** Documents `first` up to `end` of `columns`, to be written as a block. */
export interface BlockContent {
  readonly columns: PostingColumns
  readonly first: number
  readonly end: number
  readonly bound: number
  /** The first block of a word that may have others. */
  readonly isSplit: boolean
  /** First places stand before all others. */
  readonly hasFirsts?: boolean
}

const writer = new ByteWriter(8192)

/** The bytes of a block, good until the next call. */
export function encodeBlock({ columns, first, end, bound, isSplit, hasFirsts = false }: BlockContent): Buffer {
  const { docIds, starts, places } = columns
  writer.clear()
  writer.byte(hasFirsts ? VERSION_WITH_FIRSTS : VERSION)
  writer.varint((end - first) * 2 + (isSplit ? 1 : 0))
  writer.varint(starts[end]! - starts[first]!)
  if (hasFirsts) writer.varint(countFirsts(columns, first, end))
  let expected = bound
  for (let i = first; i < end; i++) {
    writer.varint(docIds[i]! - expected)
    expected = docIds[i]! + 1
  }
  if (!hasFirsts) for (let i = first; i < end; i++) writePlaces(places, starts[i]!, starts[i + 1]!)
  else {
    for (let i = first; i < end; i++) writeSome(divide(places, starts[i]!, starts[i + 1]!).firsts)
    for (let i = first; i < end; i++) writeSome(divide(places, starts[i]!, starts[i + 1]!).others)
  }
  return writer.view()
}

/** Documents with their places as bytes, behind those of another block where there is one, to be written as a block. */
export interface MovedContent {
  /** The docIds of this block have been read. */
  readonly kept: BlockReader | undefined
  /** The last docId of `kept` plus one, or the lower bound. */
  readonly expected: number
  readonly docIds: Uint32Array
  readonly first: number
  readonly end: number
  /** Of documents `first` up to `end`. */
  readonly placeCount: number
  /** Theirs are the bytes `placesFrom` up to `placesTo`. */
  readonly places: Uint8Array
  readonly placesFrom: number
  readonly placesTo: number
  readonly isSplit: boolean
}

/** As `encodeBlock`, without decoding what is moved: places of one document do not depend on those of another. */
export function encodeMoved(content: MovedContent): Buffer {
  const { kept, docIds, first, end, isSplit } = content
  writer.clear()
  writer.byte(VERSION)
  writer.varint(((kept?.count ?? 0) + end - first) * 2 + (isSplit ? 1 : 0))
  writer.varint((kept?.placeCount ?? 0) + content.placeCount)
  if (kept !== undefined) writer.raw(kept.bytes, kept.docIdsFrom, kept.placesFrom)
  let { expected } = content
  for (let i = first; i < end; i++) {
    writer.varint(docIds[i]! - expected)
    expected = docIds[i]! + 1
  }
  if (kept !== undefined) writer.raw(kept.bytes, kept.placesFrom)
  writer.raw(content.places, content.placesFrom, content.placesTo)
  return writer.view()
}

function writeSome({ places, count }: Some): void {
  if (count === 0) writer.varint(0)
  else writePlaces(places, 0, count)
}

/** Some places of a document: the array may be longer. */
interface Some {
  places: Uint32Array
  count: number
}

const firsts: Some = { places: new Uint32Array(64), count: 0 }
const others: Some = { places: new Uint32Array(64), count: 0 }

/** The places that come first in their field, and the others. Good until the next call. */
function divide(places: Uint32Array, from: number, to: number): { readonly firsts: Some; readonly others: Some } {
  if (to - from > firsts.places.length) {
    firsts.places = new Uint32Array((to - from) * 2)
    others.places = new Uint32Array((to - from) * 2)
  }
  firsts.count = 0
  others.count = 0
  let field = -1
  for (let i = from; i < to; i++) {
    const some = places[i]! >>> 16 === field ? others : firsts
    some.places[some.count++] = places[i]!
    field = places[i]! >>> 16
  }
  return { firsts, others }
}

function countFirsts({ starts, places }: PostingColumns, first: number, end: number): number {
  let count = 0
  for (let i = first; i < end; i++) count += divide(places, starts[i]!, starts[i + 1]!).firsts.count
  return count
}

function writePlaces(places: Uint32Array, from: number, to: number): void {
  let before = 0
  for (let i = from; i < to; i++) {
    const place = places[i]!
    const fields = (place >>> 16) - (before >>> 16)
    const position = fields === 0 ? place - before : place & 0xffff
    const code = Math.min(fields, FIELD_ESCAPE)
    writer.varint((position << POSITION_SHIFT) | (code << FIELD_SHIFT) | (i + 1 < to ? 1 : 0))
    if (code === FIELD_ESCAPE) writer.varint(fields - FIELD_ESCAPE)
    before = place
  }
}

/** How many bytes the places of a document take. */
export function sizeOfPlaces(places: Uint32Array, from: number, to: number): number {
  let size = 0
  let before = 0
  for (let i = from; i < to; i++) {
    const place = places[i]!
    const fields = (place >>> 16) - (before >>> 16)
    const position = fields === 0 ? place - before : place & 0xffff
    size += varintSize(position << POSITION_SHIFT)
    if (fields >= FIELD_ESCAPE) size += varintSize(fields - FIELD_ESCAPE)
    before = place
  }
  return size
}

/** The same in a block with first places. */
export function sizeWithFirsts(places: Uint32Array, from: number, to: number): number {
  const divided = divide(places, from, to)
  const size = sizeOfPlaces(divided.firsts.places, 0, divided.firsts.count)
  return size + Math.max(1, sizeOfPlaces(divided.others.places, 0, divided.others.count))
}

export function varintSize(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x20_0000) return 3
  return value < 0x1000_0000 ? 4 : 5
}

/** Version and the two counts, at most. */
export const MAX_HEAD_BYTES = 11
/** What the third one adds. */
export const MAX_FIRST_COUNT_BYTES = 5

/** Reads one block: first `readDocIds`, then, when they are wanted, `readPlaces`; both as often as they are wanted. */
export class BlockReader {
  readonly count: number
  readonly placeCount: number
  /** Undefined where first places cannot be read alone. */
  private readonly firstCount: number | undefined
  readonly isSplit: boolean
  private at = 1
  private docIdsAt = 0
  private placesAt = 0
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
    this.placeCount = this.varint()
    this.firstCount = hasFirsts ? this.varint() : undefined
    this.docIdsAt = this.at
    // Each docId and each place takes a byte at least: damaged counts must not ask for memory.
    if (!(this.count + this.placeCount <= bytes.length - this.at)) throw tooShort()
    if (this.placeCountOf('firsts') > this.placeCount) throw new CorruptBytes('a block of postings counts wrongly')
  }

  get sizeBytes(): number {
    return this.bytes.length
  }

  private get view(): DataView {
    this.bytesView ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)
    return this.bytesView
  }

  placeCountOf(which: WhichPlaces): number {
    return which === 'all' ? this.placeCount : (this.firstCount ?? this.placeCount)
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
      // Whether there is a second byte is as good as random, so nothing branches on it. A place follows in any case.
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
    this.placesAt = at
  }

  /** Where the bytes of docIds begin. */
  get docIdsFrom(): number {
    return this.docIdsAt
  }

  /** Behind `readDocIds`: where they end and those of places begin. */
  get placesFrom(): number {
    return this.placesAt
  }

  /** Instead of `readDocIds`, by whoever knows that from an earlier time. */
  passDocIds(placesFrom: number): void {
    this.placesAt = placesFrom
  }

  /**
   * Behind `readDocIds`, in a block without first places: for each document from `docAt` on, how many bytes and how many
   * places have come when its places end.
   */
  readPlaceEnds(byteEnds: Uint32Array, countEnds: Uint32Array, docAt: number): void {
    const { bytes, placesAt } = this
    let at = placesAt
    let places = 0
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
        places++
      }
      byteEnds[doc] = at - placesAt
      countEnds[doc] = places
    }
    if (at !== bytes.length || places !== this.placeCount) throw new CorruptBytes('a block of postings counts wrongly')
  }

  /**
   * The same for those documents that are in an ascending list: writes them, and their numbers in the block. Answers how
   * many they are. Mostly the next one is far away: four gaps of one byte are passed over at a time.
   */
  readSomeDocIds(members: Uint32Array, out: Uint32Array, numbers: Uint32Array): number {
    const { bytes, view, count } = this
    const lastFour = bytes.length - 4
    let next = placeOf(members, this.bound)
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
    this.placesAt = at
    return found
  }

  /** Behind `readDocIds`: writes `count` starts from `docAt` on and `placeCountOf` places from `placeAt` on. */
  readPlaces(columns: PlaceColumns, docAt: number, placeAt: number, which: WhichPlaces = 'all'): void {
    this.at = this.placesAt
    if (which === 'firsts' || this.firstCount === undefined) {
      this.readChains(columns, docAt, placeAt, this.placeCountOf(which))
    } else this.readDivided(columns, docAt, placeAt)
    if (this.at > this.bytes.length) throw tooShort()
  }

  /**
   * Behind `readDocIds`: writes the places of some documents only, which are given by their numbers in the block,
   * ascending. Answers where the places end, which is `placeAt` plus `placeCount` at most.
   */
  readSomePlaces(numbers: Uint32Array, columns: PlaceColumns, docAt: number, placeAt: number): number {
    if (this.firstCount !== undefined) return this.copySomePlaces(numbers, columns, docAt, placeAt)
    const { starts, places } = columns
    const count = numbers.length
    let next = placeAt
    let doc = 0
    this.at = this.placesAt
    for (let k = 0; k < count; k++) {
      this.skipChains(numbers[k]! - doc)
      doc = numbers[k]! + 1
      starts[docAt + k] = next
      let place = 0
      let code = 1
      while (code & 1) {
        code = this.varint()
        place = this.placeBehind(place, code)
        places[next++] = place
      }
    }
    starts[docAt + count] = next
    if (this.at > this.bytes.length) throw tooShort()
    return next
  }

  /** Passes over the places of some documents, four bytes at a time. */
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
      // Fields in a second number, which is no place.
      if ((four << 6) & (four << 5) & (four << 4) & begins) break
      left -= countMarks((~four << 7) & begins)
      isRest = (four >>> 24) & 0x80
      at += 4
    }
    while (isRest) isRest = bytes[at++]! & 0x80
    this.at = at
    for (; left > 0; left -= this.skipPlace()) if (this.at >= bytes.length) throw tooShort()
  }

  /** Answers how many documents end with it. */
  private skipPlace(): 0 | 1 {
    const code = this.varint()
    this.placeBehind(0, code)
    return code & 1 ? 0 : 1
  }

  private copySomePlaces(
    numbers: Uint32Array,
    { starts, places }: PlaceColumns,
    docAt: number,
    placeAt: number,
  ): number {
    const all = { starts: new Uint32Array(this.count + 1), places: new Uint32Array(this.placeCount) }
    this.readPlaces(all, 0, 0)
    all.starts[this.count] = this.placeCount
    const count = numbers.length
    let next = placeAt
    for (let k = 0; k < count; k++) {
      starts[docAt + k] = next
      const end = all.starts[numbers[k]! + 1]!
      for (let p = all.starts[numbers[k]!]!; p < end; p++) places[next++] = all.places[p]!
    }
    starts[docAt + count] = next
    return next
  }

  private readDivided({ starts, places }: PlaceColumns, docAt: number, placeAt: number): void {
    const first = { starts: new Uint32Array(this.count + 1), places: new Uint32Array(this.firstCount!) }
    this.readChains(first, 0, 0, this.firstCount!)
    let next = placeAt
    for (let i = 0; i < this.count; i++) {
      starts[docAt + i] = next
      let at = first.starts[i]!
      const end = first.starts[i + 1]!
      let other = 0
      let hasMore = true
      while (hasMore) {
        const code = this.varint()
        hasMore = (code & 1) === 1
        if (code === 0) break
        other = this.placeBehind(other, code)
        while (at < end && first.places[at]! < other) places[next++] = first.places[at++]!
        places[next++] = other
      }
      while (at < end) places[next++] = first.places[at++]!
    }
  }

  /**
   * Searches for frequent words spend most of their time here. Whether a number has a second byte, whether the field
   * changes and whether the document ends is as good as random: so nothing branches on it, which takes a third of the time.
   */
  private readChains({ starts, places }: PlaceColumns, docAt: number, placeAt: number, count: number): void {
    const { bytes } = this
    // The byte behind a number is read with it.
    const last = bytes.length - 1
    let { at } = this
    let doc = docAt
    let place = 0
    starts[doc] = placeAt
    for (let next = placeAt; next < placeAt + count; next++) {
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
        place = this.placeBehind(place >>> 0, code) | 0
        at = this.at
      } else {
        // In the same field the position counts from the one before.
        const kept = ((fields - 1) >> 31) | FIELD_BITS
        place = ((place & kept) + (fields << 16) + (code >>> POSITION_SHIFT)) | 0
      }
      places[next] = place
      const hasMore = code & 1
      starts[doc + 1] = next + 1
      doc += 1 - hasMore
      place &= -hasMore
    }
    if (doc !== docAt + this.count) throw new CorruptBytes('a block of postings counts wrongly')
    this.at = at
  }

  private placeBehind(place: number, code: number): number {
    const fields = (code >>> FIELD_SHIFT) & FIELD_ESCAPE
    const position = code >>> POSITION_SHIFT
    if (fields === 0) return place + position
    const more = fields === FIELD_ESCAPE ? this.varint() : 0
    return (((place >>> 16) + fields + more) * 0x1_0000 + position) >>> 0
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
