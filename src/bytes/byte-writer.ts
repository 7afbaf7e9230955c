/** What a writer may keep when it is not in use: payloads are written in pieces of a megabyte and more. */
const KEPT_BYTES = 4 << 20

/**
 * Bytes that grow at the end. `take` hands out what was written and starts anew; the buffer is reused, so the
 * result of `view` is valid only until the next write.
 */
export class ByteWriter {
  private bytes: Buffer
  length = 0

  constructor(private readonly capacityBytes = 1024) {
    // A small one comes from the pool: many writers live for a few bytes only.
    this.bytes = Buffer.allocUnsafe(capacityBytes)
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** Seven bits a byte, lowest first, the top bit set on all but the last. 32 bits need at most five bytes. */
  varint(value: number): void {
    this.reserve(5)
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  uint32(value: number): void {
    this.reserve(4)
    this.bytes.writeUInt32BE(value, this.length)
    this.length += 4
  }

  raw(source: Uint8Array, start = 0, end = source.length): void {
    const count = end - start
    this.reserve(count)
    // A call into native code costs more than copying a few bytes by hand.
    if (count <= 24) for (let i = start; i < end; i++) this.bytes[this.length++] = source[i]!
    else {
      this.bytes.set(start === 0 && end === source.length ? source : source.subarray(start, end), this.length)
      this.length += count
    }
  }

  /** UTF-8 with its length in bytes before it. */
  text(value: string): void {
    const size = Buffer.byteLength(value)
    this.varint(size)
    this.reserve(size)
    this.bytes.write(value, this.length, 'utf8')
    this.length += size
  }

  /** UTF-8 and nothing else. */
  utf8(value: string): void {
    // A UTF-16 unit becomes at most three bytes; they are counted only where so many do not fit.
    if (this.length + value.length * 3 > this.bytes.length) this.reserve(Buffer.byteLength(value))
    this.length += this.bytes.write(value, this.length, 'utf8')
  }

  /** All of the memory, with room for `count` bytes from `length` on: whoever fills them moves `length`. */
  memory(count: number): Uint8Array {
    this.reserve(count)
    return this.bytes
  }

  patchUint32(at: number, value: number): void {
    this.bytes.writeUInt32BE(value, at)
  }

  view(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  /** A copy of what was written since the last `take` or `clear`. */
  take(): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.length)
    this.bytes.copy(copy, 0, 0, this.length)
    this.clear()
    return copy
  }

  clear(): void {
    this.length = 0
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafe(this.capacityBytes)
  }

  private reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }
}
