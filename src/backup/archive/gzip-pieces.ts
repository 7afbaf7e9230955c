import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { combineCrc32 } from './crc32.js'

/**
 * Bytes deflated on their own, so that several processors can work on one file. Pieces in their order, between a header
 * and a checksum of all, are one gzip member: readers that know only one of them see no difference.
 */
export interface Piece extends PieceFacts {
  readonly deflated: Uint8Array
}

export interface PieceFacts {
  /** Of the bytes before they were deflated. */
  readonly crc: number
  readonly sizeBytes: number
}

/** Pieces know nothing of each other, which costs a hundredth of the size for blocks of this length. */
const BLOCK_BYTES = 1 << 20

/** The threads of Node for such work are four: some stay free for whoever else needs one. */
const IN_FLIGHT = Math.min(Math.max(availableParallelism(), 2), 3)

const deflate = promisify(deflateRaw)
const noop = (): void => {}

/** Deflates what it takes, several blocks at once, and passes the pieces on in their order. */
export class PieceLine {
  private chunks: Uint8Array[] = []
  private heldBytes = 0
  private readonly inFlight: Promise<Piece>[] = []

  /** `level`: of gzip. `pass` is called for one piece after the other. */
  constructor(
    private readonly level: number,
    private readonly pass: (piece: Piece) => Promise<void>,
  ) {}

  /** The bytes must not change any more. */
  async take(bytes: Uint8Array): Promise<void> {
    this.chunks.push(bytes)
    this.heldBytes += bytes.length
    if (this.heldBytes >= BLOCK_BYTES) await this.deflateHeld()
  }

  /** All that was taken is passed on when this resolves. */
  async flush(): Promise<void> {
    if (this.heldBytes > 0) await this.deflateHeld()
    await this.passAll()
  }

  /** The same, except for the end that fills no block: that is the answer. */
  async flushBlocks(): Promise<Uint8Array> {
    await this.passAll()
    return this.takeHeld()
  }

  private async deflateHeld(): Promise<void> {
    const piece = deflatePiece(this.takeHeld(), this.level)
    // Its failure is heard when it is its turn; until then it must not count as unhandled.
    piece.catch(noop)
    this.inFlight.push(piece)
    if (this.inFlight.length >= IN_FLIGHT) await this.passFirst()
  }

  private takeHeld(): Uint8Array {
    const bytes = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.heldBytes)
    this.chunks = []
    this.heldBytes = 0
    return bytes
  }

  private async passAll(): Promise<void> {
    while (this.inFlight.length > 0) await this.passFirst()
  }

  private async passFirst(): Promise<void> {
    await this.pass(await this.inFlight.shift()!)
  }
}

/** Ends at a whole byte and without the mark of a last block, so that another piece can follow. */
async function deflatePiece(bytes: Uint8Array, level: number): Promise<Piece> {
  const deflated = await deflate(bytes, {
    level,
    memLevel: 9,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: BLOCK_BYTES,
  })
  return { deflated, crc: crc32(bytes), sizeBytes: bytes.length }
}

/** RFC 1952: magic number, deflate, no flags, no time, no hint, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** An empty block with the mark of the last one. */
const LAST_BLOCK = [3, 0]

/** Writes one gzip member, at the pace of its target. */
export class GzipSink {
  private crc = 0
  private sizeBytes = 0
  private reason: { readonly error: unknown } | undefined
  /** Rejects as soon as the target fails, and never resolves. */
  private readonly failed: Promise<never>

  constructor(private readonly target: Writable) {
    this.failed = new Promise((_, reject) => target.on('error', reject))
    this.failed.catch((error) => {
      this.reason = { error }
    })
    target.write(HEADER)
  }

  /** Throws the reason when the target has failed. */
  check(): void {
    if (this.reason !== undefined) throw this.reason.error
  }

  async put(piece: Piece): Promise<void> {
    await this.putAll(piece, [piece.deflated])
  }

  /** Several pieces that were put together already. */
  async putAll(facts: PieceFacts, deflated: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    this.crc = combineCrc32(this.crc, facts.crc, facts.sizeBytes)
    this.sizeBytes += facts.sizeBytes
    for await (const bytes of deflated) await this.write(bytes)
  }

  /** Everything was handed to the target when this resolves. */
  async finish(): Promise<void> {
    const end = Buffer.from([...LAST_BLOCK, 0, 0, 0, 0, 0, 0, 0, 0])
    end.writeUInt32LE(this.crc, LAST_BLOCK.length)
    end.writeUInt32LE(this.sizeBytes % 2 ** 32, LAST_BLOCK.length + 4)
    await this.write(end)
    this.target.end()
    await finished(this.target)
  }

  /** Closes the target without an end of the file. */
  async abandon(): Promise<void> {
    if (this.target.closed) return
    const closed = new Promise((resolve) => this.target.once('close', resolve))
    this.target.destroy()
    await closed
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.check()
    if (!this.target.write(bytes)) await Promise.race([once(this.target, 'drain'), this.failed])
  }
}
