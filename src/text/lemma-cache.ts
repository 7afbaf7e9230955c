import { type Profile, profileOf } from './profile.js'
import { scriptId } from './scripts.js'
import type { TextUnits } from './text-units.js'

/** A kind of token as a number: an index of `tokenKinds`. */
export type KindId = number & { readonly __unit: 'kindId' }

/** What is known about a segment. */
export interface Lemma {
  readonly kind: KindId
  /** The normalized text. */
  readonly text: string
  /** The word that is indexed for it, empty when none is. */
  readonly word: string
}

/** Gives words numbers, always the same one to a word. */
export interface WordNumbering {
  /** No other numbering has it. */
  readonly id: number
  numberOf(word: string): number
}

let numberings = 0

export function wordNumbering(numberOf: (word: string) => number): WordNumbering {
  return { id: ++numberings, numberOf }
}

/** A stretch of a text, not empty, and how it is normalized. */
export interface Segment {
  readonly source: TextUnits
  readonly start: number
  readonly end: number
  readonly profile: Profile
  /** Of its units: `hashUnits`. */
  readonly hash: number
}

export const HASH_START = 0x811c9dc5 | 0

/** One step of the hash FNV-1a, on UTF-16 units instead of bytes. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

export function hashUnits(units: Uint16Array, start: number, end: number): number {
  let hash = HASH_START
  for (let i = start; i < end; i++) hash = hashUnit(hash, units[i]!)
  return hash
}

const MIN_SLOTS = 256
const MAX_SLOTS = 1 << 16

// A row of the table is 32 units, the 64 bytes that a processor reads at once: first the length and the kind, then the
// profile, then the units of the segment. Longer segments are rare and rarely repeat.
const ROW = 32
const PROFILE = 1
const FIRST_UNIT = 2
const MAX_UNITS = ROW - FIRST_UNIT
const LENGTH_MASK = 0xff
const NO_NUMBER = -1
const KIND_SHIFT = 8

// A single ASCII character, mostly a separator, is the same in every script. Its slot is known without a look-up: behind
// those of the table come one for a segment too long for a row, then one for each of these characters.
const ASCII_SIZE = 0x80
const LATIN = profileOf(scriptId('latin'), undefined)

/**
 * Remembers the lemmas of segments seen before. A hit allocates nothing and gives the same string each time, whose hash
 * the JavaScript engine has already computed. Every segment has one slot, and a newcomer takes it: no list to keep, and
 * no input can make a look-up slow. The table grows while it is too small, up to a few megabytes.
 *
 * `find` gives a slot; what is known about the segment can be read from it until the next `find`.
 */
export class LemmaCache {
  private readonly resolve: (raw: string, profile: Profile) => Lemma
  private readonly ascii: readonly Lemma[]
  private rows = new Uint16Array(0)
  private words: string[] = []
  private texts: string[] = []
  /** The numbers of the words in the numbering used last, as far as they are known. */
  private numbers = new Int32Array(0)
  private numberingId = 0
  private size = 0
  private misses = 0

  /** `resolve` computes what is not remembered. */
  constructor(resolve: (raw: string, profile: Profile) => Lemma) {
    this.resolve = resolve
    this.ascii = Array.from({ length: ASCII_SIZE }, (_, unit) => resolve(String.fromCharCode(unit), LATIN))
    this.reset(MIN_SLOTS)
  }

  find(segment: Segment): number {
    const { start, end, source } = segment
    const { units } = source
    const length = end - start
    if (length === 1 && units[start]! < ASCII_SIZE) return this.asciiSlot(units[start]!)
    const { hash } = segment
    const slot = (hash ^ (hash >>> 15)) & (this.size - 1)
    const row = slot * ROW
    const { rows } = this
    if ((rows[row]! & LENGTH_MASK) !== length || rows[row + PROFILE] !== segment.profile.id)
      return this.learn(slot, segment)
    const shift = row + FIRST_UNIT - start
    for (let i = start; i < end; i++) if (rows[i + shift] !== units[i]) return this.learn(slot, segment)
    return slot
  }

  private asciiSlot(unit: number): number {
    return this.size + 1 + unit
  }

  /** Whether a unit is an ASCII character of that kind. */
  isAsciiOf(kind: KindId, unit: number): boolean {
    return unit < ASCII_SIZE && this.kindAt(this.asciiSlot(unit)) === kind
  }

  kindAt(slot: number): KindId {
    return (this.rows[slot * ROW]! >> KIND_SHIFT) as KindId
  }

  wordAt(slot: number): string {
    return this.words[slot]!
  }

  /** The number of the word. */
  numberAt(slot: number, numbering: WordNumbering): number {
    if (numbering.id !== this.numberingId) {
      this.numberingId = numbering.id
      this.numbers.fill(NO_NUMBER)
    }
    const known = this.numbers[slot]!
    if (known !== NO_NUMBER) return known
    const number = numbering.numberOf(this.words[slot]!)
    this.numbers[slot] = number
    return number
  }

  textAt(slot: number): string {
    return this.texts[slot]!
  }

  private learn(homeSlot: number, segment: Segment): number {
    const { source, start, end, profile } = segment
    const lemma = this.resolve(ownText(segment), profile)
    if (end - start > MAX_UNITS) return this.write(this.size, lemma)
    if (++this.misses > this.size && this.size < MAX_SLOTS) this.reset(this.size * 4)
    const row = homeSlot * ROW
    this.write(homeSlot, lemma)
    this.rows[row]! |= end - start
    this.rows[row + PROFILE] = profile.id
    for (let i = start; i < end; i++) this.rows[row + FIRST_UNIT + i - start] = source.units[i]!
    return homeSlot
  }

  private write(slot: number, { kind, text, word }: Lemma): number {
    this.rows[slot * ROW] = kind << KIND_SHIFT
    this.words[slot] = word
    this.texts[slot] = text
    this.numbers[slot] = NO_NUMBER
    return slot
  }

  // Starting afresh is simpler than moving, and happens a handful of times. A row of zeros is empty: no segment is.
  private reset(size: number): void {
    this.size = Math.min(size, MAX_SLOTS)
    this.misses = 0
    const rowCount = this.size + 1 + ASCII_SIZE
    this.rows = new Uint16Array(rowCount * ROW)
    this.words = new Array<string>(rowCount).fill('')
    this.texts = new Array<string>(rowCount).fill('')
    this.numbers = new Int32Array(rowCount).fill(NO_NUMBER)
    this.ascii.forEach((lemma, unit) => {
      this.write(this.asciiSlot(unit), lemma)
    })
  }
}

// V8 keeps the whole text alive as long as a slice of 13 units or more lives.
const MIN_BORROWING_UNITS = 13
const ASCII = /^[\0-\x7f]*$/

/** The text of a segment, without a hold on the text around it. */
function ownText({ source, start, end }: Segment): string {
  const slice = source.text.slice(start, end)
  if (slice.length < MIN_BORROWING_UNITS) return slice
  const encoding = ASCII.test(slice) ? 'latin1' : 'utf16le'
  return Buffer.from(slice, encoding).toString(encoding)
}
