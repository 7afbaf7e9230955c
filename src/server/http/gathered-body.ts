const FIRST_CAPACITY = 64 * 1024

/**
 * Chunks put together as they arrive, so that each is garbage at once: kept until the last one, they would take as much
 * memory again as the body.
 */
export class GatheredBody {
  length = 0
  /** A single chunk, the usual body, is not copied. */
  private first: Buffer | undefined
  private memory: Buffer | undefined

  /** `announced`: the expected number of bytes. Memory that is never written to costs nothing. */
  constructor(private readonly announced = 0) {}

  push(chunk: Buffer): void {
    if (this.length === 0) this.first = chunk
    else chunk.copy(this.memoryFor(this.length + chunk.length), this.length)
    this.length += chunk.length
  }

  get bytes(): Buffer {
    const { memory } = this
    if (memory === undefined) return this.first ?? Buffer.alloc(0)
    return memory.length === this.length ? memory : memory.subarray(0, this.length)
  }

  private memoryFor(length: number): Buffer {
    if (this.memory !== undefined && length <= this.memory.length) return this.memory
    const grown = Buffer.allocUnsafeSlow(Math.max(length, this.announced, 2 * this.length, FIRST_CAPACITY))
    const before = this.memory ?? this.first!
    before.copy(grown, 0, 0, this.length)
    this.memory = grown
    this.first = undefined
    return grown
  }
}
