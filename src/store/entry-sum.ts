import { crc32 } from 'node:zlib'

/**
 * A number of 64 bits for a set of entries, whatever the order in which they came and went: the sum of a number for each.
 * What differs in a key, in a value or in the name of a database gives another sum, but for one chance in four billions or
 * less; if it differs within four neighbouring bytes of one entry alone, always. Not made against those who want sums
 * to be alike.
 */
export class EntrySum {
  private first = 0
  private second = 0

  add(entry: EntryHash): void {
    this.first = (this.first + entry.first) >>> 0
    this.second = (this.second + entry.second) >>> 0
  }

  subtract(entry: EntryHash): void {
    this.first = (this.first - entry.first) >>> 0
    this.second = (this.second - entry.second) >>> 0
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return [this.first, this.second].map((half) => half.toString(16).padStart(8, '0')).join('')
  }
}

/** From this length on a checksum stands for the value. Below, a call into native code would cost more. */
const LONG_BYTES = 64

/** The numbers of entries of one database, one at a time: valid until the next. */
export class EntryHash {
  first = 0
  second = 0
  private readonly firstOfAll: number
  private readonly secondOfAll: number

  constructor(database: string) {
    this.take(Buffer.from(database))
    this.firstOfAll = this.first
    this.secondOfAll = this.second
  }

  of(key: Uint8Array, value: Uint8Array): this {
    this.first = this.firstOfAll
    this.second = this.secondOfAll
    this.takeNumber(key.length)
    this.take(key)
    this.takeNumber(value.length)
    if (value.length < LONG_BYTES) this.take(value)
    else this.takeNumber(crc32(value))
    this.first = spread(this.first)
    this.second = spread(this.second)
    return this
  }

  private take(bytes: Uint8Array): void {
    let { first, second } = this
    for (let i = 0; i < bytes.length; i++) {
      first = Math.imul(first ^ bytes[i]!, 0x9e37_79b1)
      second = Math.imul(second ^ bytes[i]!, 0x85eb_ca77)
    }
    this.first = first
    this.second = second
  }

  private takeNumber(number: number): void {
    this.first = Math.imul(spread(this.first) ^ number, 0x9e37_79b1)
    this.second = Math.imul(spread(this.second) ^ number, 0x85eb_ca77)
  }
}

/** Each bit of a number changes about half of the others. No two numbers become the same (the last step of MurmurHash3). */
function spread(number: number): number {
  let mixed = number ^ (number >>> 16)
  mixed = Math.imul(mixed, 0x85eb_ca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2_ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
