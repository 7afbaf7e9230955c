import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { GzipSink, PieceLine } from './gzip-pieces.js'
import { Spool } from './spool.js'
import { TAR_END, type TarMember, tarHeader, tarPadding } from './tar-header.js'

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

const READ_BYTES = 1 << 20

/**
 * Writes a gzip-compressed tar archive member by member, at the pace of its target. Calls follow each other, they do not
 * overlap. When the target fails, so does the call that notices it, with its reason.
 */
export class ArchiveWriter {
  private readonly sink: GzipSink
  private readonly line: PieceLine

  constructor(private readonly options: ArchiveWriterOptions) {
    this.sink = new GzipSink(options.target)
    this.line = new PieceLine(options.level, (piece) => this.sink.put(piece))
  }

  async folder(name: string): Promise<void> {
    await this.header({ name, kind: 'folder', sizeBytes: 0 })
  }

  async text(name: string, text: string): Promise<void> {
    const content = Buffer.from(text)
    await this.header({ name, kind: 'file', sizeBytes: content.length })
    await this.line.take(content)
    await this.line.take(tarPadding(content.length))
  }

  async file(name: string, path: string): Promise<void> {
    const { size } = await stat(path)
    await this.header({ name, kind: 'file', sizeBytes: size })
    let doneBytes = 0
    // A file that grows meanwhile is taken as long as it was.
    const chunks = size === 0 ? [] : createReadStream(path, { end: size - 1, highWaterMark: READ_BYTES })
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      doneBytes += chunk.length
      await this.line.take(chunk)
    }
    if (doneBytes < size) throw new Error(`${path} became shorter while it was read`)
    await this.line.take(tarPadding(size))
  }

  /** A member of unknown size, whose chunks are kept, deflated, until all of them are there. */
  async chunks(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const spool = new Spool(this.options.spoolPath)
    try {
      const content = new PieceLine(this.options.level, (piece) => spool.put(piece))
      for await (const chunk of chunks) {
        await content.take(chunk)
        // Making a chunk takes a while; others on this thread get their turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await this.spooled(name, spool, await content.flushBlocks())
    } finally {
      await spool.discard()
    }
  }

  /** Everything was handed to the target when this resolves. */
  async finish(): Promise<void> {
    await this.line.take(TAR_END)
    await this.line.flush()
    await this.sink.finish()
  }

  /** Ends the target without an end of the archive. */
  async abandon(): Promise<void> {
    await this.sink.abandon()
  }

  /** `rest` follows what is in the spool. */
  private async spooled(name: string, spool: Spool, rest: Uint8Array): Promise<void> {
    const { facts } = spool
    const sizeBytes = facts.sizeBytes + rest.length
    await this.header({ name, kind: 'file', sizeBytes })
    if (facts.sizeBytes > 0) {
      await this.line.flush()
      await this.sink.putAll(facts, spool.read())
    }
    await this.line.take(rest)
    await this.line.take(tarPadding(sizeBytes))
  }

  private async header(member: Omit<TarMember, 'modified'>): Promise<void> {
    this.sink.check()
    await this.line.take(tarHeader({ ...member, modified: this.options.modified }))
  }
}
