import { Worker } from 'node:worker_threads'
import { BlockingThread, type StartBlockingThread } from '../threads/index.js'
import type { Reply, Request, ThreadOptions } from './embedding-protocol.js'

interface Data {
  readonly options: ThreadOptions
}

/** Starts the code of the embedding thread. */
export type StartWorker = StartBlockingThread<Data>

const startWorker: StartWorker = (options) => new Worker(new URL('./embedding-worker.js', import.meta.url), options)

interface Waiting {
  readonly isCancelled: () => boolean
  readonly onRequest: (problem: string | undefined) => void
}

/** Why there is no reply: the caller lost interest, or the thread no longer gives signs of life. */
type Silence = 'cancelled' | 'lost'

export type Answer = Extract<Reply, { kind: 'done' | 'surprise' }>

/** One embedding thread, as seen from a thread that blocks while it waits for replies. */
export class EmbeddingThread {
  private readonly thread: BlockingThread<Request, Reply, Data>

  constructor(
    { embedding, networks, userAgent }: ThreadOptions,
    lostAfterMs: number,
    start: StartWorker = startWorker,
  ) {
    this.thread = new BlockingThread({ start, data: { options: { embedding, networks, userAgent } }, lostAfterMs })
  }

  /** Blocks until the reply is there, the caller is no longer interested, or the thread is lost. */
  ask(request: Exclude<Request, { kind: 'cancel' }>, waiting: Waiting): Answer | Silence {
    this.thread.send(request)
    let answer: Answer | undefined
    try {
      const end = this.thread.wait(() => {
        answer = this.receive(request.id, waiting)
        return answer ?? (waiting.isCancelled() ? 'cancelled' : undefined)
      })
      return end ?? 'lost'
    } finally {
      if (answer === undefined) this.thread.send({ kind: 'cancel', id: request.id })
    }
  }

  close(): Promise<void> {
    return this.thread.end()
  }

  /** Replies to requests that were given up come late, and are dropped. */
  private receive(id: number, { onRequest }: Waiting): Answer | undefined {
    for (;;) {
      const message = this.thread.receive()
      if (message === undefined) return undefined
      if (message.kind === 'request') onRequest(message.problem)
      else if (message.id === id) return message
    }
  }
}
