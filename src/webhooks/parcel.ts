import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Webhook } from './webhook.js'

/** One parcel on its way to one webhook. */
export interface Delivery {
  readonly parcel: Parcel
  /** As it was when the batch ended. */
  readonly webhook: Webhook
  /** Calls made so far. */
  attempts: number
  isSending: boolean
}

/** What a finished batch has to say, on its way to those who have not heard it yet. */
export class Parcel {
  /** Those still to be made, in the order of the uuids. */
  readonly deliveries: Set<Delivery>
  /** For the bound on memory: an estimate that is never far below the truth. */
  readonly sizeBytes: number
  readonly taskCount: number
  /** Resolves when nobody is going to get it any more. */
  readonly settled: Promise<void>
  readonly settle: () => void
  private lines: readonly string[]
  private compressed: Promise<Buffer> | undefined

  constructor(
    /** The same in all tries, so that a receiver can tell a repetition. */
    readonly id: string,
    lines: readonly string[],
    recipients: readonly Webhook[],
  ) {
    this.deliveries = new Set(recipients.map((webhook) => ({ parcel: this, webhook, attempts: 0, isSending: false })))
    let settle = () => {}
    this.settled = new Promise((resolve) => {
      settle = resolve
    })
    this.settle = settle
    this.lines = lines
    this.taskCount = lines.length
    this.sizeBytes = lines.reduce((total, line) => total + line.length, 0)
  }

  get isSending(): boolean {
    for (const { isSending } of this.deliveries) if (isSending) return true
    return false
  }

  /** The body as it is sent: ndjson, gzip-compressed once for all recipients. */
  body(): Promise<Buffer> {
    this.compressed ??= compress(this.lines)
    this.lines = []
    return this.compressed
  }
}

// Enough for a good piece of work in the compressor, too little to hold up this thread.
const PIECE_CHARACTERS = 64 * 1024

function compress(lines: readonly string[]): Promise<Buffer> {
  return pipeline(pieces(lines), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of compressed) chunks.push(chunk)
    return Buffer.concat(chunks)
  })
}

async function* pieces(lines: readonly string[]): AsyncGenerator<string> {
  let piece = ''
  for (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}
