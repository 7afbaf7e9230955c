import { randomInt } from 'node:crypto'
import type { ByteReader } from '../bytes/index.js'
import { copyTo } from './copy-to.js'
import { hashBytes } from './hash-bytes.js'
import { decodeSpelling, skipSpelling } from './spelling.js'

/** A value in all arrays, without the bytes of a text: those below, and two places of the table. */
const VALUE_BYTES = 27

/** How many bytes at the beginning of a text are compared as one number: a double is exact up to 53 bits. */
const KEY_BYTES = 6

/** What a value is: a number, a text, or a text that was met in several spellings. */
const NUMBER = 0
const TEXT = 1
const VARIED_TEXT = 2

/** A stored text with its spelling: norm from `start` on, spelling behind it up to `end`. */
interface MetText {
  bytes: Uint8Array
  start: number
  end: number
  /** The size of the norm times four plus the kind of the spelling. */
  head: number
}

/**
 * Gives different values of a column ordinals, small numbers in the order in which they are met, and compares values by
 * their ordinals. Texts stay the bytes that columns store, norm and spelling: of the many that are met few are ever
 * shown.
 */
export class ValueNumbering {
  /** Some value that was met is a number. */
  hasNumbers = false
  private count = 0
  /** The text that is being looked at: there are too many to make an object for each. */
  private readonly met: MetText = { bytes: new Uint8Array(0), start: 0, end: 0, head: 0 }
  /**
   * By ordinal: of a number itself, of a text its first bytes as a number. Most comparisons need not look at the text. To
   * be read only, and asked for again when values may have been met.
   */
  keys = new Float64Array(16)
  /** Of a text, where it begins in `texts`. */
  private textStarts = new Uint32Array(16)
  /** Of a text, the size of its norm times four plus the kind of its spelling. */
  private heads = new Uint16Array(16)
  private kinds = new Uint8Array(16)
  private hashes = new Int32Array(16)
  /** Ordinals plus one, each at the place that its hash names or behind it; zero where there is none. Half empty. */
  private table = new Int32Array(32)
  private texts = Buffer.allocUnsafe(256)
  private textBytes = 0

  get size(): number {
    return this.count
  }

  /** About how much memory this holds. */
  get sizeBytes(): number {
    return this.count * VALUE_BYTES + this.textBytes
  }

  valueOf(ordinal: number): number | string {
    return this.isText(ordinal) ? this.normOf(ordinal) : this.keys[ordinal]!
  }

  isText(ordinal: number): boolean {
    return this.kinds[ordinal] !== NUMBER
  }

  /** How all documents spell a text, as far as it was met; undefined when they differ, or when only they can tell. */
  spellingOf(ordinal: number): string | undefined {
    if (this.kinds[ordinal] === VARIED_TEXT) return undefined
    const text = { bytes: this.texts, at: this.textStarts[ordinal]!, head: this.heads[ordinal]! }
    return decodeSpelling(text, this.normOf(ordinal)) ?? undefined
  }

  /** Zero must not be the negative one. */
  ofNumber(value: number): number {
    const hash = hashOfNumber(value)
    const { table, keys, kinds } = this
    const mask = table.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const ordinal = table[at]! - 1
      if (ordinal < 0) return this.learnNumber(value, hash)
      if (keys[ordinal] === value && kinds[ordinal] === NUMBER) return ordinal
    }
  }

  /** Reads a text and its spelling (column-chunk.ts). Texts with the same norm are one value. */
  readText(reader: ByteReader): number {
    const { met } = this
    met.bytes = reader.bytes
    met.head = reader.varint()
    met.start = reader.skip(met.head >>> 2)
    const hash = spread(hashBytes(reader.bytes, met.start, reader.at, SEED))
    skipSpelling(reader, met.head)
    met.end = reader.at
    const { table, hashes } = this
    const mask = table.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const ordinal = table[at]! - 1
      if (ordinal < 0) return this.learnText(met, hash)
      if (hashes[ordinal] !== hash || !this.isNorm(ordinal, met)) continue
      if (!this.isSpelling(ordinal, met)) this.kinds[ordinal] = VARIED_TEXT
      return ordinal
    }
  }

  /** Numbers ascending, then texts in byte order. */
  compare(a: number, b: number): number {
    const kind = Number(this.isText(a)) - Number(this.isText(b))
    if (kind !== 0) return kind
    const order = this.keys[a]! - this.keys[b]!
    return order !== 0 || !this.isText(a) ? order : this.compareTexts(a, b)
  }

  /** For each ordinal one if it is that of a number from `first` to `last`, both included, and zero if not. */
  numbersBetween(first: number, last: number): Uint8Array {
    const { keys, kinds } = this
    const areBetween = new Uint8Array(this.count)
    for (let i = 0; i < areBetween.length; i++) {
      if (kinds[i] === NUMBER && keys[i]! >= first && keys[i]! <= last) areBetween[i] = 1
    }
    return areBetween
  }

  /** The same of one ordinal. */
  isNumberBetween(ordinal: number, first: number, last: number): boolean {
    const key = this.keys[ordinal]!
    return key >= first && key <= last && this.kinds[ordinal] === NUMBER
  }

  private normOf(ordinal: number): string {
    const start = this.textStarts[ordinal]!
    return this.texts.toString('utf8', start, start + (this.heads[ordinal]! >>> 2))
  }

  /** Those whose keys are the same. */
  private compareTexts(a: number, b: number): number {
    const { texts } = this
    const [startA, startB] = [this.textStarts[a]!, this.textStarts[b]!]
    const [sizeA, sizeB] = [this.heads[a]! >>> 2, this.heads[b]! >>> 2]
    const common = Math.min(sizeA, sizeB)
    for (let i = 0; i < common; i++) {
      const order = texts[startA + i]! - texts[startB + i]!
      if (order !== 0) return order
    }
    return sizeA - sizeB
  }

  private isNorm(ordinal: number, { bytes, start, head }: MetText): boolean {
    const { texts } = this
    const size = head >>> 2
    const known = this.textStarts[ordinal]!
    if (!this.isText(ordinal) || this.heads[ordinal]! >>> 2 !== size) return false
    for (let i = 0; i < size; i++) if (texts[known + i] !== bytes[start + i]) return false
    return true
  }

  /** Spellings of the same kind tell where they end, so as many bytes as one has need be compared. */
  private isSpelling(ordinal: number, { bytes, start, end, head }: MetText): boolean {
    if (this.heads[ordinal] !== head) return false
    const { texts } = this
    const shift = this.textStarts[ordinal]! - start
    for (let i = start + (head >>> 2); i < end; i++) if (texts[i + shift] !== bytes[i]) return false
    return true
  }

  private learnNumber(value: number, hash: number): number {
    const ordinal = this.learn(hash)
    this.hasNumbers = true
    this.keys[ordinal] = value
    this.kinds[ordinal] = NUMBER
    return ordinal
  }

  private learnText({ bytes, start, end, head }: MetText, hash: number): number {
    const ordinal = this.learn(hash)
    this.kinds[ordinal] = TEXT
    this.textStarts[ordinal] = this.textBytes
    this.heads[ordinal] = head
    const needed = this.textBytes + end - start
    if (needed > this.texts.length) this.texts = Buffer.concat([this.texts], 2 * needed)
    const { texts } = this
    let at = this.textBytes
    for (let i = start; i < end; i++) texts[at++] = bytes[i]!
    this.keys[ordinal] = textKey(texts, this.textBytes, head >>> 2)
    this.textBytes = needed
    return ordinal
  }

  private learn(hash: number): number {
    const ordinal = this.count++
    if (ordinal === this.keys.length) this.grow()
    this.hashes[ordinal] = hash
    this.enter(ordinal)
    return ordinal
  }

  private enter(ordinal: number): void {
    const { table } = this
    const mask = table.length - 1
    let at = this.hashes[ordinal]! & mask
    while (table[at] !== 0) at = (at + 1) & mask
    table[at] = ordinal + 1
  }

  private grow(): void {
    const known = this.keys.length
    const size = 2 * known
    this.keys = copyTo(new Float64Array(size), this.keys)
    this.textStarts = copyTo(new Uint32Array(size), this.textStarts)
    this.heads = copyTo(new Uint16Array(size), this.heads)
    this.kinds = copyTo(new Uint8Array(size), this.kinds)
    this.hashes = copyTo(new Int32Array(size), this.hashes)
    this.table = new Int32Array(2 * size)
    for (let ordinal = 0; ordinal < known; ordinal++) this.enter(ordinal)
  }
}

/** So that nobody can make up values that all have the same place in the table. */
const SEED = randomInt(2 ** 32) | 0

// A number seen as its two halves: filled and read by one call.
const numberScratch = new Float64Array(1)
const scratchHalves = new Int32Array(numberScratch.buffer)

function hashOfNumber(value: number): number {
  numberScratch[0] = value
  return spread(spread(scratchHalves[0]! ^ SEED) ^ scratchHalves[1]!)
}

/** Lets all bits have a say in the lowest ones, which choose the place in the table. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9_f3b5)
  return mixed ^ (mixed >>> 15)
}

/** Shorter texts are filled up with zeros, so that they come before longer ones, or are compared again. */
function textKey(texts: Uint8Array, start: number, size: number): number {
  let key = 0
  for (let i = 0; i < KEY_BYTES; i++) key = key * 0x100 + (i < size ? texts[start + i]! : 0)
  return key
}
