import { Worker } from 'node:worker_threads'
import { FailureError, failure, ok, type Result } from '../errors/index.js'
import type { PayloadFormat, PayloadSink } from '../payload/index.js'
import { toError } from '../tasks/index.js'
import type { Bodies } from './bodies.js'
import type { BodyOutcome, BodyQuestion, BodyReply, BodyRequest, Progress } from './body-protocol.js'
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

interface Pending {
  readonly resolve: (outcome: BodyOutcome) => void
  readonly reject: (error: Error) => void
}

/**
 * The thread that reads large bodies, as the server thread sees it. It starts with the first of them, ends after a while
 * without any, and starts again after a crash, which fails the requests that were under way.
 */
export class BodyThread implements Bodies {
  private worker: Worker | undefined
  private ending: NodeJS.Timeout | undefined
  private readonly pending = new Map<number, Pending>()
  private lastId = 0
  private lastUpload = 0
  private uploads = 0
  /** Given to the thread that runs. */
  private givenBytes = 0

  constructor(private readonly options: BodyThreadOptions = {}) {}

  digest<R extends DigestRequest>(request: R, bytes: Uint8Array): Promise<Result<Digests[R['kind']]>> {
    const own = ownMemory(bytes)
    const question: BodyQuestion = { ask: 'digest', request, bytes: own }
    // The answer is of the kind that the request names.
    return this.ask(question, [own.buffer as ArrayBuffer]) as Promise<Result<Digests[R['kind']]>>
  }

  async receive(format: PayloadFormat, body: AsyncIterable<Uint8Array>, sink: PayloadSink): Promise<Result<number>> {
    const upload = ++this.lastUpload
    this.uploads++
    try {
      await this.ask({ ask: 'open', upload, format })
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

  async close(): Promise<void> {
    clearTimeout(this.ending)
    await this.worker?.terminate()
  }

  private askUpload(question: BodyQuestion, given?: Uint8Array): Promise<Result<Progress>> {
    const memory = given === undefined ? [] : [given.buffer as ArrayBuffer]
    return this.ask(question, memory) as Promise<Result<Progress>>
  }

  /** A thread that is gone has nothing left to forget. */
  private forget(upload: number): void {
    if (this.worker !== undefined) void this.ask({ ask: 'drop', upload }).catch(() => {})
  }

  /** `given` is memory that the thread takes over. */
  private ask(question: BodyQuestion, given: ArrayBuffer[] = []): Promise<BodyOutcome> {
    clearTimeout(this.ending)
    this.worker ??= this.lookAfter((this.options.createWorker ?? createBuiltWorker)())
    for (const memory of given) this.givenBytes += memory.byteLength
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.worker!.postMessage({ id, question } satisfies BodyRequest, given)
    })
  }

  private lookAfter(worker: Worker): Worker {
    worker.unref()
    worker.on('message', (reply: BodyReply) => this.receiveReply(reply))
    worker.on('error', (error) => this.lost(worker, error as Error))
    worker.on('exit', (code) => this.lost(worker, new Error(`the body thread ended with code ${code}`)))
    return worker
  }

  private receiveReply(reply: BodyReply): void {
    const pending = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if (reply.is === 'outcome') pending?.resolve(reply.outcome)
    else pending?.reject(toError(reply.problem))
    if (this.pending.size === 0 && this.uploads === 0) this.rest()
  }

  private rest(): void {
    clearTimeout(this.ending)
    const endAfterMs = this.givenBytes > MUCH_BYTES ? 0 : (this.options.endAfterMs ?? DEFAULT_END_AFTER_MS)
    this.ending = setTimeout(() => this.end(), endAfterMs).unref()
  }

  private end(): void {
    const { worker } = this
    this.worker = undefined
    this.givenBytes = 0
    void worker?.terminate()
  }

  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.givenBytes = 0
    const lost = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of lost) reject(problemOf(error))
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
