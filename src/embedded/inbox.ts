import { rmSync } from 'node:fs'
import type { PayloadSource } from '../index/index.js'
import {
  PayloadFiles,
  type PayloadFormat,
  type PayloadReceiver,
  type ReceivedPayload,
  receivePayload,
} from '../payload/index.js'
import { unwrap } from './engine-error.js'
import type { DocumentLike, Documents } from './types.js'

/** Up to this size documents that are to be added are held in memory; more go through a file beside the index. */
const HELD_BYTES = 16 << 20

/** Text of documents is handed on in chunks of some size, since each has its own cost. */
const CHUNK_BYTES = 256 << 10

const NDJSON: PayloadFormat = { name: 'ndjson' }

/** Takes documents in, however many, in bounded memory. */
export class Inbox {
  /** Whatever lies in the folder is left of a process that ended early. */
  constructor(private readonly path: string) {
    this.close()
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Calls `use` with all the documents. Nothing of them stays here afterwards. */
  async receive<Document extends DocumentLike, T>(
    documents: Documents<Document>,
    use: (payload: PayloadSource) => T,
  ): Promise<T> {
    const files = new PayloadFiles(this.path, HELD_BYTES)
    const received = await this.gather(files.receive(), documents)
    if (received.place === 'inline') return use({ bytes: received.content })
    try {
      return use({ path: files.pathOf(received.name) })
    } finally {
      await files.delete(received.name)
    }
  }

  /** What cannot be read, or kept on a full disk, leaves nothing behind. */
  private async gather<Document extends DocumentLike>(
    receiver: PayloadReceiver,
    documents: Documents<Document>,
  ): Promise<ReceivedPayload> {
    try {
      unwrap(await receivePayload(NDJSON, linesOf(documents), receiver))
      return await receiver.finish()
    } catch (error) {
      await receiver.discard()
      throw error
    }
  }
}

async function* linesOf<Document extends DocumentLike>(documents: Documents<Document>): AsyncGenerator<Buffer> {
  let lines = ''
  for await (const document of documents) {
    lines += `${JSON.stringify(document)}\n`
    if (lines.length < CHUNK_BYTES) continue
    yield Buffer.from(lines)
    lines = ''
  }
  // A list without documents is a list: an empty line says so.
  yield Buffer.from(lines === '' ? '\n' : lines)
}
