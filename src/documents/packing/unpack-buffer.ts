/** What a buffer may keep when it is not in use. */
const KEPT_BYTES = 1 << 20

/** Grows at the end, like a `ByteWriter`, and lets hot loops write to it directly, within what they have reserved. */
export class UnpackBuffer {
  length = 0
  view: DataView
  private bytes: Uint8Array

  constructor(private readonly initialBytes = 1 << 16) {
    this.bytes = new Uint8Array(initialBytes)
    this.view = new DataView(this.bytes.buffer)
  }

  /** Makes room for `count` bytes behind the end. `view` may be another one afterwards. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed > this.bytes.length) this.resize(Math.max(needed, this.bytes.length * 2))
  }

  raw(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    // A call into native code costs more than copying a few bytes by hand.
    if (end - start <= 24) for (let i = start; i < end; i++) this.bytes[this.length++] = source[i]!
    else {
      this.bytes.set(source.subarray(start, end), this.length)
      this.length += end - start
    }
  }

  /** A copy of what was written since the last `take` or `clear`. */
  take(): Buffer {
    const copy = Buffer.allocUnsafe(this.length)
    copy.set(this.bytes.subarray(0, this.length))
    this.clear()
    return copy
  }

  clear(): void {
    this.length = 0
    if (this.bytes.length > KEPT_BYTES) this.resize(this.initialBytes)
  }

  private resize(size: number): void {
    const bytes = new Uint8Array(size)
    bytes.set(this.bytes.subarray(0, this.length))
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
  }
}
