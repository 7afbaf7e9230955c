import { type FileHandle, open, rm } from 'node:fs/promises'

/** Content up to this size waits in memory. */
const MEMORY_BYTES = 4 << 20

const CHUNK_BYTES = 1 << 20

/**
 * Content whose size has to be known before the first byte of it is passed on. Memory is bounded: what does not fit
 * waits in a file.
 */
export class Spool {
  private chunks: Uint8Array[] = []
  private held = 0
  private file: FileHandle | undefined
  /** Bytes written so far. */
  size = 0

  /** `path`: where a file may be made. */
  constructor(private readonly path: string) {}

  /** The bytes are kept: they must not change any more. */
  async write(bytes: Uint8Array): Promise<void> {
    this.chunks.push(bytes)
    this.held += bytes.length
    this.size += bytes.length
    if (this.held >= MEMORY_BYTES) await this.flush()
  }

  private async flush(): Promise<void> {
    this.file ??= await open(this.path, 'w+')
    await this.file.writeFile(Buffer.concat(this.chunks, this.held))
    this.chunks = []
    this.held = 0
  }

  async *read(): AsyncGenerator<Uint8Array, void, void> {
    let at = 0
    while (this.file !== undefined && at < this.size - this.held) {
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
