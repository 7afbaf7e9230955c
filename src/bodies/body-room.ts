/** Bodies up to this size are not counted: there are at most as many as connections. */
const SMALL_BYTES = 64 * 1024

/** The largest two: what is made of each takes as much again. */
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024

/** Tells when a body is no longer needed: its answer is sent, or nobody waits for one. */
export interface BodyEnd {
  once(event: 'close', listener: () => void): unknown
}

/** How much memory the bodies take together that are held as a whole. */
export class BodyRoom {
  heldBytes = 0

  constructor(readonly maxBytes = DEFAULT_MAX_BYTES) {}
}

/** The place of one body. A small one costs nothing here. */
export class BodyPlace {
  private bytes = 0

  constructor(
    private readonly room: BodyRoom,
    private readonly end: BodyEnd,
  ) {}

  /** Whether the body may grow to so many bytes, which are taken then, until its end. */
  fits(bytes: number): boolean {
    if (bytes <= SMALL_BYTES) return true
    if (this.room.heldBytes - this.bytes + bytes > this.room.maxBytes) return false
    if (this.bytes === 0) this.end.once('close', () => this.leave())
    this.room.heldBytes += bytes - this.bytes
    this.bytes = bytes
    return true
  }

  private leave(): void {
    this.room.heldBytes -= this.bytes
    this.bytes = 0
  }
}
