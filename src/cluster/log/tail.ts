import { AckPolicy, type Consumer, DeliverPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { pause } from './persist.js'
import type { Session } from './session.js'

/** A request for messages ends after so long, and its server shows every second that it lives (see the design's figures). */
const EXPIRES_MS = 3_000
const HEARTBEAT_MS = 1_000
/** A request that is not over by now has been forgotten. */
const FORGOTTEN_MS = EXPIRES_MS + HEARTBEAT_MS
/**
 * What may wait in memory for a slow reader, each up to 1 MB. (A limit in bytes makes the client wait for missed heartbeats after
 * every request that ends by the number of messages.)
 */
const FETCH_MESSAGES = 64
/** A consumer that nobody fetches from is removed by the server. */
const INACTIVE_MS = 60_000
/** After so long without a message the leader is asked whether there should have been one. Heartbeats take seconds to miss. */
const QUIET_MS = 200
/** Between looks at a log of which no consumer tells. */
const LOOK_MS = 50

export interface TailMessage {
  readonly seq: number
  readonly data: Uint8Array
}

/**
 * Messages of a stream as some replica hands them out: in order, perhaps with holes, perhaps damaged, perhaps again. They come
 * from a consumer, which lives on one server. While there is none, because that server died or because there is no majority to
 * make one, they are read one by one from any replica.
 */
export class Tail {
  private consumer: Consumer | undefined
  private opening: Promise<void> | undefined

  constructor(
    private readonly session: Session,
    private readonly stream: string,
    private readonly signal: AbortSignal,
  ) {}

  /** What comes from `next` on within some seconds. */
  async *messages(next: number): AsyncIterable<TailMessage> {
    if (this.consumer !== undefined) return yield* this.fetched(this.consumer, next)
    this.opening ??= this.open(next)
    yield* this.stored(next)
  }

  /** Has the next messages come from elsewhere. */
  forget(): void {
    const old = this.consumer
    this.consumer = undefined
    // It goes by itself if this fails.
    old?.delete().catch(() => {})
  }

  /** It may take seconds: servers are chosen for a consumer that do not answer. */
  private async open(next: number): Promise<void> {
    const { session, stream, signal } = this
    try {
      const info = await session.manager.consumers.add(stream, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: next,
        inactive_threshold: nanos(INACTIVE_MS),
        mem_storage: true,
        num_replicas: 1,
      })
      this.consumer = session.client.consumers.getConsumerFromInfo(info)
    } catch {
      await pause(LOOK_MS, signal)
    } finally {
      this.opening = undefined
    }
    if (signal.aborted) this.forget()
  }

  private async *fetched(consumer: Consumer, next: number): AsyncIterable<TailMessage> {
    const options = { max_messages: FETCH_MESSAGES, expires: EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS }
    const messages = await consumer.fetch(options).catch(() => undefined)
    if (messages === undefined) return this.forget()
    const { signal } = this
    const end = () => messages.stop()
    const watch = new QuietWatch(
      next,
      () => this.session.lastOf(this.stream),
      () => {
        this.forget()
        end()
      },
    )
    signal.addEventListener('abort', end, { once: true })
    try {
      if (!signal.aborted) yield* watch.watched(messages)
    } catch {
      this.forget()
    } finally {
      watch.end()
      signal.removeEventListener('abort', end)
      end()
    }
  }

  private async *stored(next: number): AsyncIterable<TailMessage> {
    const { session, stream, signal } = this
    for (let sequence = next; this.consumer === undefined && !signal.aborted; sequence++) {
      const found = await session.directly(stream, sequence)
      if (found === null) return pause(LOOK_MS, signal)
      yield found
    }
  }
}

/** Notices that a consumer has nothing to say although there is something. */
class QuietWatch {
  private readonly timer: NodeJS.Timeout
  private readonly startedAt = performance.now()
  /** Undefined while the reader is busy. */
  private waitingSince: number | undefined
  private isAsking = false

  constructor(
    private next: number,
    private readonly last: () => Promise<number | undefined>,
    private readonly onStall: () => void,
  ) {
    this.timer = setInterval(() => void this.look(), QUIET_MS / 2)
  }

  async *watched(messages: AsyncIterable<TailMessage>): AsyncIterable<TailMessage> {
    this.waitingSince = performance.now()
    for await (const message of messages) {
      this.waitingSince = undefined
      this.next = Math.max(this.next, message.seq + 1)
      yield message
      this.waitingSince = performance.now()
    }
  }

  end(): void {
    clearInterval(this.timer)
  }

  private async look(): Promise<void> {
    const { waitingSince, next } = this
    if (waitingSince === undefined || performance.now() - waitingSince < QUIET_MS || this.isAsking) return
    this.isAsking = true
    const last = await this.last()
    this.isAsking = false
    // What came meanwhile is a sign of life. A leader that does not answer is none.
    const isStalled = (last === undefined || last >= next) && this.waitingSince === waitingSince
    if (isStalled || performance.now() - this.startedAt >= FORGOTTEN_MS) this.onStall()
  }
}
