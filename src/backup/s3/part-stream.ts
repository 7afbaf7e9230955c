import { Writable } from 'node:stream'

/** Sends one part; its number counts from 1. */
export type SendPart = (number: number, bytes: Buffer) => Promise<void>

export interface PartStreamOptions {
  readonly partBytes: number
  /** Parts that are on their way at once. */
  readonly maxInFlight: number
  readonly send: SendPart
}

/** Cuts what is written into parts of the same size, the last one excepted, and sends several of them at once. */
export class PartStream extends Writable {
  private chunks: Buffer[] = []
  private held = 0
  private parts = 0
  private readonly inFlight = new Set<Promise<void>>()

  constructor(private readonly options: PartStreamOptions) {
    super({ highWaterMark: 1 << 20 })
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error | null) => void): void {
    this.take(chunk).then(() => done(), done)
  }

  /** The end of the stream waits for all parts. There is always at least one. */
  override _final(done: (error?: Error | null) => void): void {
    this.takeRest().then(() => done(), done)
  }

  private async take(chunk: Buffer): Promise<void> {
    let rest = chunk
    while (this.held + rest.length >= this.options.partBytes) {
      const cut = this.options.partBytes - this.held
      this.keep(rest.subarray(0, cut))
      rest = rest.subarray(cut)
      await this.sendHeld()
    }
    if (rest.length > 0) this.keep(rest)
  }

  private async takeRest(): Promise<void> {
    if (this.held > 0 || this.parts === 0) await this.sendHeld()
    await Promise.all(this.inFlight)
  }

  private keep(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.held += chunk.length
  }

  private async sendHeld(): Promise<void> {
    while (this.inFlight.size >= this.options.maxInFlight) await Promise.race(this.inFlight)
    const bytes = Buffer.concat(this.chunks, this.held)
    this.chunks = []
    this.held = 0
    const sending = this.options.send(++this.parts, bytes)
    const tracked = sending.then(() => void this.inFlight.delete(tracked))
    this.inFlight.add(tracked)
    // Its failure is heard by whoever waits next; until then it must not count as unhandled.
    tracked.catch(() => {})
  }
}
