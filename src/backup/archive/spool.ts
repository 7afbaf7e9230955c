import { type FileHandle, open, rm } from 'node:fs/promises'
import { combineCrc32 } from './crc32.js'
import type { Piece, PieceFacts } from './gzip-pieces.js'

/** Pieces up to this size wait in memory. */
const MEMORY_BYTES = 4 << 20

const CHUNK_BYTES = 1 << 20

/**
 * Content whose size has to be known before the first byte of it is passed on, in pieces that are deflated already.
 * Memory is bounded: what does not fit waits in a file.
 */
export class Spool {
  private chunks: Uint8Array[] = []
  private heldBytes = 0
  private spooledBytes = 0
  private file: FileHandle | undefined
  private crc = 0
  private sizeBytes = 0

  /** `path`: where a file may be made. */
  constructor(private readonly path: string) {}

  /** Of all pieces so far. */
  get facts(): PieceFacts {
    return { crc: this.crc, sizeBytes: this.sizeBytes }
  }

  async put({ deflated, crc, sizeBytes }: Piece): Promise<void> {
    this.crc = combineCrc32(this.crc, crc, sizeBytes)
    this.sizeBytes += sizeBytes
    this.chunks.push(deflated)
    this.heldBytes += deflated.length
    if (this.heldBytes >= MEMORY_BYTES) await this.flush()
  }

  private async flush(): Promise<void> {
    this.file ??= await open(this.path, 'w+')
    await this.file.writeFile(Buffer.concat(this.chunks, this.heldBytes))
    this.spooledBytes += this.heldBytes
    this.chunks = []
    this.heldBytes = 0
  }

  /** The deflated bytes. */
  async *read(): AsyncGenerator<Uint8Array, void, void> {
    let at = 0
    while (this.file !== undefined && at < this.spooledBytes) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await this.file.read(chunk, 0, CHUNK_BYTES, at)
      if (bytesRead === 0) throw new Error('a spooled file became shorter')
      at += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
    yield* this.chunks
  }

  async discard(): Promise<void> {
    await this.file?.close()
    if (this.file !== undefined) await rm(this.path, { force: true })
    this.file = undefined
  }
}
