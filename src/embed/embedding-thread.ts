import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { BELL, PULSE, type Reply, type Request, SHARED_BYTES, type ThreadOptions } from './embedding-protocol.js'

/** Starts the code of the embedding thread. */
export type StartWorker = (options: {
  readonly workerData: {
    readonly options: ThreadOptions
    readonly port: MessagePort
    readonly shared: SharedArrayBuffer
  }
  readonly transferList: MessagePort[]
}) => Worker

const startWorker: StartWorker = (options) => new Worker(new URL('./embedding-worker.js', import.meta.url), options)

interface Waiting {
  readonly isCancelled: () => boolean
  readonly onRequest: (problem: string | undefined) => void
}

/** Why there is no reply: the caller lost interest, or the thread no longer gives signs of life. */
type Silence = 'cancelled' | 'lost'

export type Answer = Extract<Reply, { kind: 'done' | 'surprise' }>

/** So often a waiting thread looks whether it should go on. */
const LOOK_EVERY_MS = 50

/** One embedding thread, as seen from a thread that blocks while it waits for replies. */
export class EmbeddingThread {
  private readonly memory = new Int32Array(new SharedArrayBuffer(SHARED_BYTES))
  private readonly port: MessagePort
  private readonly worker: Worker
  private pulse = 0
  private pulseAt = performance.now()

  constructor(
    { embedding, networks, userAgent }: ThreadOptions,
    private readonly lostAfterMs: number,
    start: StartWorker = startWorker,
  ) {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const shared = this.memory.buffer as SharedArrayBuffer
    const options = { embedding, networks, userAgent }
    this.worker = start({ workerData: { options, port: port2, shared }, transferList: [port2] })
    // What ended the thread is not told while we are blocked; the missing pulse says it.
    this.worker.on('error', () => {})
    this.worker.unref()
  }

  /** Blocks until the reply is there, the caller is no longer interested, or the thread is lost. */
  ask(request: Exclude<Request, { kind: 'cancel' }>, waiting: Waiting): Answer | Silence {
    this.pulseAt = performance.now()
    this.port.postMessage(request)
    let isOver = false
    try {
      for (;;) {
        const rung = Atomics.load(this.memory, BELL)
        const answer = this.receive(request.id, waiting)
        if (answer !== undefined) {
          isOver = true
          return answer
        }
        if (waiting.isCancelled()) return 'cancelled'
        if (this.isLost()) return 'lost'
        Atomics.wait(this.memory, BELL, rung, LOOK_EVERY_MS)
      }
    } finally {
      if (!isOver) this.port.postMessage({ kind: 'cancel', id: request.id } satisfies Request)
    }
  }

  async close(): Promise<void> {
    this.port.close()
    await this.worker.terminate()
  }

  /** Replies to requests that were given up come late, and are dropped. */
  private receive(id: number, { onRequest }: Waiting): Answer | undefined {
    for (;;) {
      const received = receiveMessageOnPort(this.port) as { message: Reply } | undefined
      if (received === undefined) return undefined
      const { message } = received
      if (message.kind === 'request') onRequest(message.problem)
      else if (message.id === id) return message
    }
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
