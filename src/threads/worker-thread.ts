import type { Worker } from 'node:worker_threads'
import { toError } from './problem.js'
import type { QuestionMessage, Reply } from './questions.js'

export interface WorkerThreadOptions<Question, Notice> {
  /** For messages: `the indexing thread`. */
  readonly name: string
  create(): Worker
  /** It keeps something from one question to the next: one that was lost is not replaced. */
  readonly isUnique?: boolean
  /** How long the thread may have nothing to do before it is ended; undefined when it is not to be ended now. */
  endAfterMs?(givenBytes: number): number | undefined
  /** The last question of a thread that is ended because it had nothing to do. */
  readonly farewell?: Question
  /** The thread had nothing to do for long enough. */
  onEnd?(): void
  /** Something came from the thread. */
  onSign?(): void
  /** The thread said something that was not asked for. */
  onNotice?(notice: Notice): void
  /** The thread ended by itself, while so many waited for it. */
  onLost?(error: Error, awaited: number): void
  /** What those who wait are told instead of the error that ended the thread. */
  explain?(error: Error): Error
}

interface Pending<Outcome> {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/** The number of questions whose answer nobody waits for. */
const NOBODY = 0

/** Behind this number counting begins anew. */
const LAST_ID = 2 ** 31 - 1

/**
 * A thread that answers questions, as another one sees it: see `answerQuestions`. It starts with the first question, and
 * starts again after a crash, which fails the questions that were under way.
 */
export class WorkerThread<Question, Outcome, Notice = never> {
  private worker: Worker | undefined
  private readonly pending = new Map<number, Pending<Outcome>>()
  private lastId = NOBODY
  private ending: NodeJS.Timeout | undefined
  /** When the last one is gone that had nothing to do. */
  private ended: Promise<void> = Promise.resolve()
  /** To the thread that runs. */
  private givenBytes = 0
  /** What ended a thread that is not replaced. */
  private end: Error | undefined

  constructor(private readonly options: WorkerThreadOptions<Question, Notice>) {}

  /** Questions that have not been answered. */
  get load(): number {
    return this.pending.size
  }

  get isRunning(): boolean {
    return this.worker !== undefined
  }

  /** Without a question. */
  start(): void {
    this.running()
  }

  /** `given` is memory that the thread takes over. */
  ask(question: Question, given?: ArrayBuffer[]): Promise<Outcome> {
    return this.send(question, given).answered
  }

  /** As `ask`, with the number by which the thread knows the question. */
  send(question: Question, given: ArrayBuffer[] = []): { readonly id: number; readonly answered: Promise<Outcome> } {
    clearTimeout(this.ending)
    const id = this.nextId()
    const answered = new Promise<Outcome>((resolve, reject) => {
      const worker = this.running()
      this.pending.set(id, { resolve, reject })
      for (const memory of given) this.givenBytes += memory.byteLength
      worker.postMessage({ id, question } satisfies QuestionMessage<Question>, given)
    })
    return { id, answered }
  }

  /** A thread that does not run, or is lost meanwhile, has nothing to answer. */
  async askIfRunning(question: Question): Promise<Outcome | undefined> {
    const { worker } = this
    if (worker === undefined) {
      await this.ended
      return undefined
    }
    return this.ask(question).catch((error) => {
      if (this.worker === worker) throw error
      return undefined
    })
  }

  /** Asks a thread that runs, without waiting for the answer. */
  nudge(question: Question): void {
    this.worker?.postMessage({ id: NOBODY, question } satisfies QuestionMessage<Question>)
  }

  /** Ends a thread that is of no use any more. Nobody waits for its end, which code that is not ours may put off. */
  giveUp(reason: Error): void {
    const { worker } = this
    if (worker === undefined) return
    this.lost(worker, reason)
    void worker.terminate()
  }

  /** Ends the thread after a last question. */
  async close(farewell?: Question): Promise<void> {
    clearTimeout(this.ending)
    const { worker } = this
    if (farewell !== undefined) await this.askIfRunning(farewell)
    clearTimeout(this.ending)
    await Promise.all([this.ended, worker?.terminate()])
  }

  private nextId(): number {
    this.lastId = this.lastId === LAST_ID ? NOBODY + 1 : this.lastId + 1
    return this.lastId
  }

  private running(): Worker {
    if (this.worker !== undefined) return this.worker
    if (this.end !== undefined) throw this.end
    const worker = this.options.create()
    worker.on('message', (message: Reply<Outcome> | Notice) => {
      if (worker === this.worker) this.receive(message)
    })
    worker.on('error', (error) => this.lost(worker, error as Error))
    worker.on('exit', (code) => this.lost(worker, new Error(`${this.options.name} ended with code ${code}`)))
    this.worker = worker
    return worker
  }

  private receive(message: Reply<Outcome> | Notice): void {
    this.options.onSign?.()
    if (!isReply(message)) this.options.onNotice?.(message)
    else {
      const pending = this.pending.get(message.id)
      this.pending.delete(message.id)
      if (message.is === 'outcome') pending?.resolve(message.outcome)
      else pending?.reject(toError(message.problem))
      if (this.pending.size === 0) this.rest()
    }
  }

  private rest(): void {
    clearTimeout(this.ending)
    const ms = this.options.endAfterMs?.(this.givenBytes)
    if (ms !== undefined) this.ending = setTimeout(() => this.retire(), ms).unref()
  }

  private retire(): void {
    const { worker } = this
    if (worker === undefined) return
    this.forget()
    this.options.onEnd?.()
    this.ended = this.dismiss(worker)
  }

  private async dismiss(worker: Worker): Promise<void> {
    const { farewell } = this.options
    if (farewell !== undefined) {
      const answered = new Promise((resolve) => worker.once('message', resolve).once('exit', resolve))
      worker.postMessage({ id: NOBODY, question: farewell } satisfies QuestionMessage<Question>)
      await answered
    }
    await worker.terminate()
  }

  private forget(): void {
    this.worker = undefined
    this.givenBytes = 0
  }

  /** A crash is told twice, as an error and as an end; by the second time another thread may be at work. */
  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.forget()
    const { isUnique, onLost, explain } = this.options
    onLost?.(error, this.pending.size)
    const reason = explain?.(error) ?? error
    if (isUnique) this.end = reason
    const lost = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of lost) reject(reason)
  }
}

function isReply<Outcome, Notice>(message: Reply<Outcome> | Notice): message is Reply<Outcome> {
  return (message as { id?: number }).id !== undefined
}
