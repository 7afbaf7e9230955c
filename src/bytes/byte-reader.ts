/**
 * Thrown when stored bytes are not what their writer writes: the file is damaged. Users are told what is: it holds no
 * content, and no paths. The code survives the way between threads, the class does not.
 */
export class CorruptBytes extends Error {
  readonly code = 'CORRUPT_BYTES'

  constructor(what: string) {
    super(`stored data is damaged: ${what}`)
    this.name = 'CorruptBytes'
  }
}

/** Walks over bytes. Every read checks the end, so that damaged data ends in `CorruptBytes`. */
export class ByteReader {
  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
    readonly end = bytes.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  byte(): number {
    if (this.at >= this.end) throw new CorruptBytes('it ends too early')
    return this.bytes[this.at++]!
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw new CorruptBytes('a number is longer than 32 bits')
  }

  uint32(): number {
    const at = this.skip(4)
    const { bytes } = this
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  }

  text(): string {
    const size = this.varint()
    const at = this.skip(size)
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + at, size).toString('utf8')
  }

  /** A view, not a copy. */
  raw(count: number): Uint8Array {
    const at = this.skip(count)
    return this.bytes.subarray(at, at + count)
  }

  /** Passes over `count` bytes and returns where they began. */
  skip(count: number): number {
    const at = this.at
    if (count > this.end - at) throw new CorruptBytes('it ends too early')
    this.at = at + count
    return at
  }
}
