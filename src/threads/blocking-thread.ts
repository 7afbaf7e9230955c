import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'

// Numbers in shared memory, of 32 bits. The bell is rung for the thread that waits whenever there is something to see; the
// pulse changes as long as the other one is alive and at work. What follows belongs to those who use the memory.
const BELL = 0
const PULSE = 1
export const FIRST_OWN_CELL = 2

/** What a thread is started with. */
export interface BlockingThreadData {
  readonly port: MessagePort
  readonly shared: SharedArrayBuffer
}

/** Starts the code of such a thread, with more data of its own. */
export type StartBlockingThread<Data = unknown> = (options: {
  readonly workerData: BlockingThreadData & Data
  readonly transferList: MessagePort[]
}) => Worker

interface BlockingThreadOptions<Data> {
  readonly start: StartBlockingThread<Data>
  readonly data: Data
  /** Cells of shared memory for the users. */
  readonly ownCells?: number
  /** A thread that gives no sign of life for this long is lost. */
  readonly lostAfterMs: number
}

/** So often a waiting thread looks whether it should go on. */
const LOOK_EVERY_MS = 50

/**
 * A thread that works for one that blocks meanwhile, being inside a transaction: nothing is awaited, messages are taken
 * from a port by hand, and shared memory says that there are some. Where the asking thread can wait, see `WorkerThread`.
 */
export class BlockingThread<Request, Reply, Data = unknown> {
  readonly memory: Int32Array
  private readonly port: MessagePort
  private readonly worker: Worker
  private readonly lostAfterMs: number
  private pulse = 0
  private pulseAt = 0

  constructor({ start, data, ownCells = 0, lostAfterMs }: BlockingThreadOptions<Data>) {
    const shared = new SharedArrayBuffer((FIRST_OWN_CELL + ownCells) * Int32Array.BYTES_PER_ELEMENT)
    const { port1, port2 } = new MessageChannel()
    this.memory = new Int32Array(shared)
    this.port = port1
    this.lostAfterMs = lostAfterMs
    this.worker = start({ workerData: { ...data, port: port2, shared }, transferList: [port2] })
    // What ended the thread is not told while we are blocked; the missing pulse says it.
    this.worker.on('error', () => {})
    this.worker.unref()
  }

  /** `given` is memory that the thread takes over. */
  send(request: Request, given: ArrayBuffer[] = []): void {
    this.port.postMessage(request, given)
  }

  /** The next reply that is there already. */
  receive(): Reply | undefined {
    return receiveMessageOnPort(this.port)?.message as Reply | undefined
  }

  /**
   * Blocks until `look` finds what it looks for; undefined when the thread is lost. It is called whenever something may
   * have changed, and may throw.
   */
  wait<T>(look: () => T | undefined): T | undefined {
    this.pulseAt = performance.now()
    for (;;) {
      const rung = Atomics.load(this.memory, BELL)
      const found = look()
      if (found !== undefined) return found
      if (this.isLost()) return undefined
      Atomics.wait(this.memory, BELL, rung, LOOK_EVERY_MS)
    }
  }

  async end(): Promise<void> {
    this.port.close()
    await this.worker.terminate()
  }

  private isLost(): boolean {
    const pulse = Atomics.load(this.memory, PULSE)
    const now = performance.now()
    if (pulse !== this.pulse) {
      this.pulse = pulse
      this.pulseAt = now
    }
    return now - this.pulseAt > this.lostAfterMs
  }
}

/** Inside of such a thread: what it owes to the one that is blocked. */
export class BlockedAsker<Reply> {
  readonly memory: Int32Array
  private readonly port: MessagePort

  constructor({ port, shared }: BlockingThreadData) {
    this.port = port
    this.memory = new Int32Array(shared)
  }

  reply(message: Reply, given: ArrayBuffer[] = []): void {
    this.port.postMessage(message, given)
    this.ring()
  }

  /** There is something to see. */
  ring(): void {
    Atomics.add(this.memory, BELL, 1)
    Atomics.notify(this.memory, BELL)
  }

  /** A sign of life. */
  beat(): void {
    Atomics.add(this.memory, PULSE, 1)
  }
}
