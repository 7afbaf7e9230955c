import { Worker } from 'node:worker_threads'
import { BlockingThread, type StartBlockingThread } from '../../threads/index.js'
import { OWN_CELLS, TAKEN_CHANGE_BYTES, TAKEN_PARTS, type WordReply, type WordRequest } from './word-protocol.js'

/** Starts the code of the word thread. */
export type StartWordWorker = StartBlockingThread

export interface WordThreadOptions {
  /** The thread ends when it had nothing to do for this long. Default 10 s. */
  readonly endAfterMs?: number
  /** A thread that gives no sign of life for this long is given up. Default 60 s. */
  readonly lostAfterMs?: number
  /** Default: the built thread. */
  readonly startWorker?: StartWordWorker
}

/** The word thread failed or is gone: the batch has to be done again without it. */
export class WordThreadLost extends Error {
  constructor(reason: string) {
    super(`the word thread was lost: ${reason}`)
    this.name = 'WordThreadLost'
  }
}

const startBuiltWorker: StartWordWorker = (options) =>
  new Worker(new URL('./words-worker.js', import.meta.url), { ...options, resourceLimits: LIMITS })

/** Most of what it makes is gone at once: more room for new things only takes memory. */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

/** It may hold more than 100 MB: dictionaries of Chinese, Japanese and Korean, and words that were collected. */
const END_AFTER_MS = 10_000
const LOST_AFTER_MS = 60_000

/** Bytes of changes that may wait for the word thread. */
const MAX_WAITING_BYTES = 2 << 20

/**
 * A second thread for the words of big batches, as seen from the thread that writes them: that one is inside a
 * transaction, so it never awaits. Starts with the first request and ends after a while without any.
 */
export class WordThread {
  private running: RunningThread | undefined
  private ending: NodeJS.Timeout | undefined
  private isLost = false
  /** How often changes were handed over, and how often that had to wait for room: since `countFromZero`. */
  handed = { attempts: 0, waits: 0 }

  constructor(private readonly options: WordThreadOptions = {}) {}

  countFromZero(): void {
    this.handed = { attempts: 0, waits: 0 }
  }

  /** A thread that was lost is not started again: what ended it could end each one, and waiting for that takes long. */
  get isUsable(): boolean {
    return !this.isLost
  }

  /** The thread, started if need be. Whoever asks tells `rest` or `abandon` when it is no longer needed. */
  use(): RunningThread {
    clearTimeout(this.ending)
    const { lostAfterMs = LOST_AFTER_MS, startWorker = startBuiltWorker } = this.options
    this.running ??= new RunningThread(startWorker, lostAfterMs)
    return this.running
  }

  /** All requests were answered. */
  rest(): void {
    clearTimeout(this.ending)
    this.ending = setTimeout(() => this.abandon(), this.options.endAfterMs ?? END_AFTER_MS)
    this.ending.unref()
  }

  /** Whatever the thread is doing is of no use any more. Nobody waits for its end. */
  abandon(): void {
    void this.close()
  }

  /** For good. */
  giveUp(): void {
    this.isLost = true
    this.abandon()
  }

  async close(): Promise<void> {
    clearTimeout(this.ending)
    const { running } = this
    this.running = undefined
    await running?.end()
  }
}

/** A thread that runs. */
export class RunningThread {
  private readonly thread: BlockingThread<WordRequest, WordReply>
  private sentBytes = 0

  constructor(start: StartWordWorker, lostAfterMs: number) {
    this.thread = new BlockingThread({ start, data: {}, ownCells: OWN_CELLS, lostAfterMs })
  }

  /** There is room for more changes. */
  get isReady(): boolean {
    return ((this.sentBytes - Atomics.load(this.thread.memory, TAKEN_CHANGE_BYTES)) | 0) < MAX_WAITING_BYTES
  }

  /** Bytes of changes are handed over, not copied. */
  send(request: WordRequest): void {
    if (request.kind !== 'changes') this.thread.send(request)
    else {
      this.sentBytes = (this.sentBytes + request.bytes.length) | 0
      this.thread.send(request, [request.bytes.buffer as ArrayBuffer])
    }
  }

  /** The next reply that is there already. */
  receive(): WordReply | undefined {
    const message = this.thread.receive()
    if (message?.kind === 'part') {
      Atomics.add(this.thread.memory, TAKEN_PARTS, 1)
      Atomics.notify(this.thread.memory, TAKEN_PARTS)
    }
    return message
  }

  /** Blocks until `look` finds what it looks for. It is called whenever something may have changed, and may throw. */
  wait<T>(look: () => T | undefined): T {
    const found = this.thread.wait(look)
    if (found === undefined) throw new WordThreadLost('it gives no sign of life')
    return found
  }

  end(): Promise<void> {
    return this.thread.end()
  }
}
