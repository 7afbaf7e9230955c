import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import {
  BELL,
  PULSE,
  SHARED_BYTES,
  TAKEN_CHANGE_BYTES,
  TAKEN_PARTS,
  type WordReply,
  type WordRequest,
} from './word-protocol.js'

/** Starts the code of the word thread. */
export type StartWordWorker = (options: {
  readonly workerData: { readonly port: MessagePort; readonly shared: SharedArrayBuffer }
  readonly transferList: MessagePort[]
}) => Worker

export interface WordThreadOptions {
  /** The thread ends when it had nothing to do for this long. Default 60 s. */
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

const DEFAULT_MS = 60_000

/** So often a waiting thread looks whether it should go on. */
const LOOK_EVERY_MS = 50

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
    const { lostAfterMs = DEFAULT_MS, startWorker = startBuiltWorker } = this.options
    this.running ??= new RunningThread(startWorker, lostAfterMs)
    return this.running
  }

  /** All requests were answered. */
  rest(): void {
    clearTimeout(this.ending)
    this.ending = setTimeout(() => this.abandon(), this.options.endAfterMs ?? DEFAULT_MS)
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
  private readonly memory = new Int32Array(new SharedArrayBuffer(SHARED_BYTES))
  private readonly port: MessagePort
  private readonly worker: Worker
  private sentBytes = 0
  private pulse = 0
  private pulseAt = 0

  constructor(
    start: StartWordWorker,
    private readonly lostAfterMs: number,
  ) {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const shared = this.memory.buffer as SharedArrayBuffer
    this.worker = start({ workerData: { port: port2, shared }, transferList: [port2] })
    // What ended the thread is not told while we are blocked; the missing pulse says it.
    this.worker.on('error', () => {})
    this.worker.unref()
  }

  /** There is room for more changes. */
  get isReady(): boolean {
    return ((this.sentBytes - Atomics.load(this.memory, TAKEN_CHANGE_BYTES)) | 0) < MAX_WAITING_BYTES
  }

  /** Bytes of changes are handed over, not copied. */
  send(request: WordRequest): void {
    if (request.kind !== 'changes') this.port.postMessage(request)
    else {
      this.sentBytes = (this.sentBytes + request.bytes.length) | 0
      this.port.postMessage(request, [request.bytes.buffer as ArrayBuffer])
    }
  }

  /** The next reply that is there already. */
  receive(): WordReply | undefined {
    const received = receiveMessageOnPort(this.port) as { message: WordReply } | undefined
    if (received?.message.kind === 'part') {
      Atomics.add(this.memory, TAKEN_PARTS, 1)
      Atomics.notify(this.memory, TAKEN_PARTS)
    }
    return received?.message
  }

  /** Blocks until `look` finds what it looks for. It is called whenever something may have changed, and may throw. */
  wait<T>(look: () => T | undefined): T {
    this.pulseAt = performance.now()
    for (;;) {
      const rung = Atomics.load(this.memory, BELL)
      const found = look()
      if (found !== undefined) return found
      this.checkPulse()
      Atomics.wait(this.memory, BELL, rung, LOOK_EVERY_MS)
    }
  }

  async end(): Promise<void> {
    this.port.close()
    await this.worker.terminate()
  }

  private checkPulse(): void {
    const pulse = Atomics.load(this.memory, PULSE)
    const now = performance.now()
    if (pulse !== this.pulse) {
      this.pulse = pulse
      this.pulseAt = now
    }
    if (now - this.pulseAt > this.lostAfterMs) throw new WordThreadLost('it gives no sign of life')
  }
}
