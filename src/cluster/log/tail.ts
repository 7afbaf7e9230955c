import { AckPolicy, type Consumer, type ConsumerMessages, DeliverPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { pause } from './persist.js'
import type { Session } from './session.js'

/** A request for messages ends after so long, and its server shows every second that it lives (see the design's figures). */
const EXPIRES_MS = 3_000
const HEARTBEAT_MS = 1_000
/** A fetch that is not over by now has been forgotten. */
const FORGOTTEN_MS = EXPIRES_MS + HEARTBEAT_MS
/**
 * What may wait in memory for a slow reader, each up to 1 MB. (A limit in bytes makes the client wait for missed heartbeats after
 * every request that ends by the number of messages.)
 */
const FETCH_MESSAGES = 64
/** A consumer that nobody fetches from is removed by the server. */
const INACTIVE_MS = 60_000
const QUIET_MS = 300

export interface TailMessage {
  readonly seq: number
  readonly data: Uint8Array
}

/**
 * Messages of a stream as some replica hands them out: in order, perhaps with holes, perhaps damaged. Makes a new consumer,
 * maybe on another replica, whenever the one it has falls silent.
 */
export class Tail {
  private consumer: Consumer | undefined

  constructor(
    private readonly session: Session,
    private readonly stream: string,
    private readonly signal: AbortSignal,
  ) {}

  /** What comes from `next` on within some seconds. `next` is where the messages before ended, unless `forget` was called. */
  async *messages(next: number): AsyncIterable<TailMessage> {
    this.consumer ??= await this.open(next).catch(() => undefined)
    if (this.consumer === undefined) yield* this.stored(next)
    else yield* this.fetched(this.consumer)
  }

  /** Has the next messages come from a new consumer. */
  forget(): void {
    const old = this.consumer
    this.consumer = undefined
    // It goes by itself if this fails.
    old?.delete().catch(() => {})
  }

  private async open(next: number): Promise<Consumer> {
    const { manager, client } = this.session
    const info = await manager.consumers.add(this.stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: next,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    })
    return client.consumers.getConsumerFromInfo(info)
  }

  private async *fetched(consumer: Consumer): AsyncIterable<TailMessage> {
    const options = { max_messages: FETCH_MESSAGES, expires: EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS }
    const messages = await consumer.fetch(options).catch(() => undefined)
    if (messages === undefined) return this.forget()
    const end = () => messages.stop()
    const fail = () => {
      this.forget()
      end()
    }
    const timer = setTimeout(fail, FORGOTTEN_MS)
    this.signal.addEventListener('abort', end, { once: true })
    void watch(messages, fail)
    try {
      if (!this.signal.aborted) yield* messages
    } catch {
      this.forget()
    } finally {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', end)
      end()
    }
  }

  /** Without a majority no consumer can be made, but whoever is there still hands out what it has. */
  private async *stored(next: number): AsyncIterable<TailMessage> {
    for (let sequence = next; !this.signal.aborted; sequence++) {
      const asking = this.session.manager.direct.getMessage(this.stream, { seq: sequence })
      const found = await asking.catch(() => null)
      if (found === null) break
      yield found
    }
    await pause(QUIET_MS, this.signal)
  }
}

const SIGNS_OF_DEATH = new Set(['heartbeats_missed', 'consumer_not_found', 'consumer_deleted', 'no_responders'])

async function watch(messages: ConsumerMessages, onDeath: () => void): Promise<void> {
  for await (const { type } of messages.status()) {
    if (SIGNS_OF_DEATH.has(type)) onDeath()
  }
}
