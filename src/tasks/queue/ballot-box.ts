import { setTimeout as sleep } from 'node:timers/promises'
import type { Ballot, Vote } from '../run/ballot.js'
import type { QueueReplication } from './replication.js'

/** A batch that this server is asked to prepare. */
export interface AskedBallot {
  readonly ballot: Ballot
  /** Aborts when whoever asked is gone, or has decided. */
  readonly signal: AbortSignal
  resolve(vote: Vote): void
  reject(reason: Error): void
  /** What was prepared is no longer held. */
  release(): void
}

/** What whoever asked hears. */
export interface HeldVote {
  /** Resolves when the batch has been prepared. */
  readonly vote: Promise<Vote>
  /** Resolves when it is no longer held: whoever has not decided by then has to ask again. */
  readonly released: Promise<void>
}

/** This server has come to another place in the log, or was asked for another batch meanwhile. */
export class BallotStale extends Error {
  constructor() {
    super('the batch is not the next one of this server')
    this.name = 'BallotStale'
  }
}

/** A decision takes so long at most from the log to this server, where all is well. Who gives up too early does the work twice. */
const DECISION_MS = 3_000

type LogPlaces = Pick<QueueReplication, 'lastBatch' | 'lastRegistered'>

/** Where others leave what they ask for, one batch at a time: the newest counts. */
export class BallotBox {
  private asked: AskedBallot | undefined
  private onNews: (() => void) | undefined

  /** `wake` is to look at the box. */
  ask(ballot: Ballot, signal: AbortSignal, wake: () => void): HeldVote {
    this.asked?.reject(new BallotStale())
    let release!: () => void
    const released = new Promise<void>((resolve) => void (release = resolve))
    const vote = new Promise<Vote>((resolve, reject) => {
      this.asked = { ballot, signal, resolve, reject, release }
    })
    signal.addEventListener('abort', () => this.look(), { once: true })
    this.look()
    wake()
    return { vote, released }
  }

  /** The batch that can be prepared now. One that comes too early stays until this server has come as far. */
  take({ lastBatch, lastRegistered }: LogPlaces): AskedBallot | undefined {
    const { asked } = this
    if (asked === undefined) return undefined
    const { after, registered } = asked.ballot
    const isEarly = after > lastBatch || registered > lastRegistered
    if (isEarly && !asked.signal.aborted) return undefined
    this.asked = undefined
    if (after === lastBatch && !asked.signal.aborted) return asked
    asked.reject(new BallotStale())
    return undefined
  }

  /** Prepares a batch, unless whoever asked is gone before, or another one is asked for. */
  async whileWanted<T>(signal: AbortSignal, run: { run(): Promise<T>; cancel(): void }): Promise<T> {
    const look = (): void => {
      if (signal.aborted || this.asked !== undefined) run.cancel()
      else this.onNews = look
    }
    look()
    try {
      return await run.run()
    } finally {
      this.onNews = undefined
    }
  }

  /** Holds what was prepared until it is known what becomes of it, or nobody is left to decide. */
  async hold(signal: AbortSignal, isKnown: () => boolean): Promise<void> {
    let late: Promise<unknown> | undefined
    let isLate = false
    while (!isKnown() && this.asked === undefined && !isLate) {
      if (signal.aborted) late ??= sleep(DECISION_MS, undefined, { ref: false }).then(() => void (isLate = true))
      const news = new Promise<void>((resolve) => void (this.onNews = resolve))
      await Promise.race(late === undefined ? [news] : [news, late])
    }
  }

  /** Something happened that may tell. */
  look(): void {
    const { onNews } = this
    this.onNews = undefined
    onNews?.()
  }
}
