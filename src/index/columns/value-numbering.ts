import { compareBytes } from '../../byte-order/index.js'

/** A value in list, map and keys, as Node 20 lays them out. */
const VALUE_BYTES = 120

/** How many bytes at the beginning of a text are compared as one number: a double is exact up to 53 bits. */
const KEY_BYTES = 6

const scratch = Buffer.alloc(4 * KEY_BYTES)

/**
 * Gives different values of a column ordinals, small numbers in the order in which they are met, and compares values by
 * their ordinals.
 */
export class ValueNumbering {
  private readonly values: (number | string)[] = []
  private readonly ordinals = new Map<number | string, number>()
  /** Of a number itself, of a text its first bytes as a number: most comparisons need not look at the text. */
  private keys = new Float64Array(16)
  private areTexts = new Uint8Array(16)

  get size(): number {
    return this.values.length
  }

  /** About how much memory this holds. */
  get sizeBytes(): number {
    return this.values.length * VALUE_BYTES
  }

  valueOf(ordinal: number): number | string {
    return this.values[ordinal]!
  }

  isText(ordinal: number): boolean {
    return this.areTexts[ordinal] === 1
  }

  ordinalOf(value: number | string): number {
    return this.ordinals.get(value) ?? this.learn(value)
  }

  /** Numbers ascending, then texts in byte order. */
  compare(a: number, b: number): number {
    const kind = this.areTexts[a]! - this.areTexts[b]!
    if (kind !== 0) return kind
    const order = this.keys[a]! - this.keys[b]!
    if (order !== 0 || this.areTexts[a] === 0) return order
    return compareBytes(this.values[a] as string, this.values[b] as string)
  }

  private learn(value: number | string): number {
    const ordinal = this.values.push(value) - 1
    this.ordinals.set(value, ordinal)
    if (ordinal === this.keys.length) this.grow()
    this.keys[ordinal] = typeof value === 'number' ? value : textKey(value)
    this.areTexts[ordinal] = typeof value === 'number' ? 0 : 1
    return ordinal
  }

  private grow(): void {
    const keys = new Float64Array(2 * this.keys.length)
    keys.set(this.keys)
    this.keys = keys
    const areTexts = new Uint8Array(2 * this.areTexts.length)
    areTexts.set(this.areTexts)
    this.areTexts = areTexts
  }
}

/** Shorter texts are filled up with zeros, so that they come before longer ones, or are compared again. */
function textKey(text: string): number {
  let key = 0
  for (let i = 0; i < KEY_BYTES; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0
    if (unit >= 0x80) return keyOfBytes(text)
    key = key * 0x100 + unit
  }
  return key
}

function keyOfBytes(text: string): number {
  const size = scratch.write(text.slice(0, KEY_BYTES))
  if (size < KEY_BYTES) scratch.fill(0, size, KEY_BYTES)
  return scratch.readUIntBE(0, KEY_BYTES)
}
