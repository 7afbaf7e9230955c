import { fail, ok, type Result } from '../errors/index.js'
import { type EmbedderConfig, printConfig } from './config.js'
import type { EmbedInput } from './embedder.js'
import { type ThreadOptions, toSent } from './embedding-protocol.js'
import { EmbeddingThread, type StartWorker } from './embedding-thread.js'
import { givenUp } from './failures.js'

export interface SyncEmbeddersOptions extends ThreadOptions {
  /** A thread that gives no sign of life for this long is given up. Default 60 s. */
  readonly lostAfterMs?: number
  /** Default: the built thread. */
  readonly startWorker?: StartWorker
}

/** Requests to providers, as batches show them (spec 7 §1.12). */
export interface EmbedderRequests {
  readonly total: number
  readonly failed: number
  /** Of the last one that failed. */
  readonly lastError?: string
}

type Question =
  | { readonly kind: 'open'; readonly name: string; readonly config: string }
  | {
      readonly kind: 'embed'
      readonly name: string
      readonly config: string
      readonly inputs: ReturnType<typeof toSent>[]
    }

const NO_REQUESTS: EmbedderRequests = { total: 0, failed: 0 }
const DEFAULT_LOST_AFTER_MS = 60_000

/**
 * Embedders for a thread that works inside one transaction and cannot await. Another thread, started with the first
 * use, asks the providers while this one is blocked. Whoever waits looks at `isCancelled` at least every 50 ms; it may
 * throw. A call that was cancelled fails with `internal`: look at `isCancelled` before showing that.
 */
export class SyncEmbedders {
  private thread: EmbeddingThread | undefined
  private lastId = 0
  private counted = NO_REQUESTS

  private constructor(private readonly options: SyncEmbeddersOptions) {}

  static start(options: SyncEmbeddersOptions): SyncEmbedders {
    return new SyncEmbedders(options)
  }

  /** Requests since `countFromZero`, up to date while waiting too. */
  get requests(): EmbedderRequests {
    return this.counted
  }

  /** To be called when a batch starts. */
  countFromZero(): void {
    this.counted = NO_REQUESTS
  }

  /** Opens the embedder, which may ask its provider, and says how many dimensions its vectors have. */
  dimensions(name: string, config: EmbedderConfig, isCancelled: () => boolean = () => false): Result<number> {
    if (config.source === 'userProvided') return ok(config.dimensions)
    return this.ask({ kind: 'open', name, config: printConfig(config) }, isCancelled) as Result<number>
  }

  /** One vector for each input, in order; see `Embedder.embedDocuments`. */
  embed(
    name: string,
    config: EmbedderConfig,
    inputs: readonly EmbedInput[],
    isCancelled: () => boolean,
  ): Result<Float32Array[]> {
    if (inputs.length === 0) return ok([])
    const question: Question = { kind: 'embed', name, config: printConfig(config), inputs: inputs.map(toSent) }
    return this.ask(question, isCancelled) as Result<Float32Array[]>
  }

  async close(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    await thread?.close()
  }

  private ask(question: Question, isCancelled: () => boolean): Result<number | Float32Array[]> {
    const { options } = this
    this.thread ??= new EmbeddingThread(options, options.lostAfterMs ?? DEFAULT_LOST_AFTER_MS, options.startWorker)
    const onRequest = (problem: string | undefined) => this.count(problem)
    const answer = this.thread.ask({ ...question, id: ++this.lastId }, { isCancelled, onRequest })
    if (answer === 'cancelled') return givenUp()
    if (answer === 'lost') return this.lost()
    if (answer.kind === 'done') return answer.result
    throw Object.assign(new Error(answer.message), { stack: answer.stack })
  }

  private count(problem: string | undefined): void {
    const { total, failed } = this.counted
    this.counted =
      problem === undefined
        ? { ...this.counted, total: total + 1 }
        : { total: total + 1, failed: failed + 1, lastError: problem }
  }

  /** The next call starts another thread. Nobody waits for the end of one that is lost. */
  private lost(): Result<never> {
    void this.close().catch(() => {})
    return fail('internal', 'the thread that asks embedders gives no sign of life')
  }
}
