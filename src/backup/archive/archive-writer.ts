import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pack } from 'tar-stream'
import { Spool } from './spool.js'

export interface ArchiveWriterOptions {
  /** Receives the archive; ended with it. */
  readonly target: Writable
  /** Where members of unknown size wait until they are complete. */
  readonly spoolPath: string
  /** Of gzip, 0 (nothing is compressed) to 9. */
  readonly level: number
  /** Of all members. */
  readonly modified: Date
}

/** Writes a gzip-compressed tar archive member by member, at the pace of its target. */
export class ArchiveWriter {
  private readonly written: Promise<void>
  /** Rejects as soon as the target fails, and never resolves. */
  private readonly failed: Promise<never>
  private reason: unknown

  private constructor(
    private readonly pack: Pack,
    private readonly options: ArchiveWriterOptions,
  ) {
    this.written = pipeline(pack as unknown as Readable, createGzip({ level: options.level }), options.target)
    this.failed = new Promise((_, reject) => this.written.catch(reject))
    this.failed.catch((error) => {
      this.reason = error
    })
  }

  static async open(options: ArchiveWriterOptions): Promise<ArchiveWriter> {
    const { pack } = await import('tar-stream')
    return new ArchiveWriter(pack(), options)
  }

  async folder(name: string): Promise<void> {
    const { modified: mtime } = this.options
    await this.entry((done) => this.pack.entry({ name, type: 'directory', mode: 0o755, mtime }, done))
  }

  async text(name: string, text: string): Promise<void> {
    const content = Buffer.from(text)
    await this.entry((done) => this.pack.entry(this.fileHeader(name, content.length), content, done))
  }

  async file(name: string, path: string): Promise<void> {
    const { size } = await stat(path)
    // A file that grows meanwhile is taken as long as it was.
    await this.content(name, size, size === 0 ? [] : createReadStream(path, { end: size - 1, highWaterMark: 1 << 20 }))
  }

  /** A member of unknown size, whose chunks are kept until all of them are there. */
  async chunks(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const spool = new Spool(this.options.spoolPath)
    try {
      for await (const chunk of chunks) {
        await spool.write(chunk)
        // Making a chunk takes a while; others on this thread get their turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await this.content(name, spool.size, spool.read())
    } finally {
      await spool.discard()
    }
  }

  /** Everything was handed to the target when this resolves. */
  async finish(): Promise<void> {
    this.pack.finalize()
    await this.written
  }

  /** Ends the target without an end of the archive. */
  async abandon(): Promise<void> {
    this.pack.destroy()
    await this.written.catch(() => {})
  }

  private async content(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> {
    let sink: Writable | undefined
    const done = this.entry((ended) => {
      sink = this.pack.entry(this.fileHeader(name, size), ended) as unknown as Writable
    })
    done.catch(() => {})
    for await (const chunk of chunks) {
      if (!sink!.write(chunk)) await Promise.race([once(sink!, 'drain'), this.failed])
    }
    sink!.end()
    await done
  }

  private fileHeader(name: string, size: number) {
    return { name, size, mode: 0o644, mtime: this.options.modified }
  }

  private async entry(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      begin((error) => (error ? reject(error) : resolve()))
    })
    try {
      await Promise.race([ended, this.failed])
    } catch (error) {
      // Of several streams that end together, the target knows why.
      await new Promise((resolve) => setImmediate(resolve))
      throw this.reason ?? error
    }
  }
}
