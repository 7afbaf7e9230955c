import { Worker } from 'node:worker_threads'
import { FailureError, failure, ok, type Result } from '../errors/index.js'
import type { PayloadFormat, PayloadSink } from '../payload/index.js'
import { WorkerThread } from '../threads/index.js'
import type { Bodies } from './bodies.js'
import type { BodyOutcome, BodyQuestion, Progress } from './body-protocol.js'
import type { DigestRequest, Digests } from './digest.js'
import { ownMemory } from './own-memory.js'

export interface BodyThreadOptions {
  /** The thread ends when it had nothing to do for so long. Default 60 s. */
  readonly endAfterMs?: number
  /** Default: the built thread. */
  readonly createWorker?: () => Worker
}

const DEFAULT_END_AFTER_MS = 60_000

/** A thread that has read more than this is ended as soon as nobody waits for it: only so its memory is free at once. */
const MUCH_BYTES = 16 << 20

/** Nothing that passes the limits of bodies and documents comes near; what does all the same ends the thread alone. */
const LIMITS = { maxOldGenerationSizeMb: 640 }

const createBuiltWorker = (): Worker =>
  new Worker(new URL('./body-worker.js', import.meta.url), { resourceLimits: LIMITS })

/** Chunks of an upload are handed over when so many bytes have gathered: each hand-over costs as much as scanning some. */
const HANDED_BYTES = 256 << 10

/** The thread that reads large bodies, as the server thread sees it. It ends after a while without any. */
export class BodyThread implements Bodies {
  private readonly thread: WorkerThread<BodyQuestion, BodyOutcome>
  private lastUpload = 0
  private uploads = 0

  constructor({ createWorker = createBuiltWorker, endAfterMs = DEFAULT_END_AFTER_MS }: BodyThreadOptions = {}) {
    this.thread = new WorkerThread({
      name: 'the body thread',
      create: () => {
        const worker = createWorker()
        worker.unref()
        return worker
      },
      endAfterMs: (givenBytes) => (this.uploads > 0 ? undefined : givenBytes > MUCH_BYTES ? 0 : endAfterMs),
      explain: problemOf,
    })
  }

  digest<R extends DigestRequest>(request: R, bytes: Uint8Array): Promise<Result<Digests[R['kind']]>> {
    const own = ownMemory(bytes)
    const question: BodyQuestion = { ask: 'digest', request, bytes: own }
    // The answer is of the kind that the request names.
    return this.thread.ask(question, [own.buffer as ArrayBuffer]) as Promise<Result<Digests[R['kind']]>>
  }

  async receive(format: PayloadFormat, body: AsyncIterable<Uint8Array>, sink: PayloadSink): Promise<Result<number>> {
    const upload = ++this.lastUpload
    this.uploads++
    try {
      await this.thread.ask({ ask: 'open', upload, format })
      for await (const bytes of gathered(body)) {
        const progress = await this.askUpload({ ask: 'push', upload, bytes }, bytes)
        if (!progress.ok) return progress
        if (progress.value.records.length > 0) await sink.write(progress.value.records)
      }
      const progress = await this.askUpload({ ask: 'end', upload })
      if (!progress.ok) return progress
      await sink.write(progress.value.records)
      return ok(progress.value.count!)
    } finally {
      this.uploads--
      this.forget(upload)
    }
  }

  close(): Promise<void> {
    return this.thread.close()
  }

  private askUpload(question: BodyQuestion, given?: Uint8Array): Promise<Result<Progress>> {
    const memory = given === undefined ? [] : [given.buffer as ArrayBuffer]
    return this.thread.ask(question, memory) as Promise<Result<Progress>>
  }

  /** A thread that is gone has nothing left to forget. */
  private forget(upload: number): void {
    void this.thread.askIfRunning({ ask: 'drop', upload }).catch(() => {})
  }
}

function problemOf(error: Error & { code?: string }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const reason = 'Reading the body takes more memory than there is for it: send it in several requests.'
  return new FailureError(failure('payload_too_large', reason), { cause: error })
}

/** Chunks put together, in memory that can be given away. */
async function* gathered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < HANDED_BYTES) continue
    yield joined(chunks, bytes)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield joined(chunks, bytes)
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
