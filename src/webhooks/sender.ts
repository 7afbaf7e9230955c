import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import {
  type HeaderPair,
  type Outbound,
  type OutboundStream,
  type Outcome,
  type StartTimer,
  systemTimer,
} from '../outbound/index.js'
import { type Clock, systemClock } from '../time/index.js'
import { Backlog, type BacklogLimits } from './backlog.js'
import { Lane } from './lane.js'
import { type Delivery, Parcel } from './parcel.js'
import type { WebhookRegistry } from './registry.js'
import { signatureHeaders } from './signature.js'
import type { Webhook } from './webhook.js'

/** Where undelivered notifications are reported. A logger of pino is one. */
export interface WebhookLog {
  warn(facts: Readonly<Record<string, unknown>>, message: string): void
}

export interface WebhookSenderOptions {
  readonly registry: Pick<WebhookRegistry, 'list'>
  readonly outbound: Pick<Outbound, 'stream'>
  readonly log: WebhookLog
  /** Signs every call in the way of Standard Webhooks; null or absent: no signature. */
  readonly signingKey?: Uint8Array | null
  /** How often a failed call is made again. Default 0: never (spec 2 §5.4). */
  readonly maxRetries?: number
  readonly limits?: BacklogLimits
  readonly clock?: Clock
  readonly startTimer?: StartTimer
  /** From 0 to 1, excluding 1. */
  readonly random?: () => number
  readonly newId?: () => string
}

const CALL_TIMEOUT_MS = 30_000
const DEFAULT_LIMITS: BacklogLimits = { maxParcels: 1_000, maxBytes: 64 * 1024 * 1024 }
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const CLOSING_GRACE_MS = 2_000

const BASE_HEADERS: readonly HeaderPair[] = [
  ['Content-Type', 'application/x-ndjson'],
  ['Content-Encoding', 'gzip'],
  ['Accept-Encoding', 'gzip'],
]

/**
 * Tells the webhooks which tasks finished. Everything happens in the background and failures end in the log: nobody
 * who finishes a batch waits or fails because of a receiver. Nothing survives a restart.
 */
export class WebhookSender {
  private readonly backlog: Backlog
  /** By the uuids of webhooks, while there is something for them. */
  private readonly lanes = new Map<string, Lane>()
  private readonly sending = new Set<Promise<void>>()
  private readonly pauses = new Set<() => void>()
  private readonly stop = new AbortController()
  private readonly startTimer: StartTimer
  private isClosing = false

  constructor(private readonly options: WebhookSenderOptions) {
    this.backlog = new Backlog(options.limits ?? DEFAULT_LIMITS)
    this.startTimer = options.startTimer ?? systemTimer
    // Every call that is under way listens to it.
    setMaxListeners(0, this.stop.signal)
  }

  /**
   * Sends the tasks of one finished batch (full view, one JSON object a line, ascending uid) to the webhooks that
   * exist now. Resolves when all of them got it or are not tried again, and not at all when the server stops before.
   * `tasks` is not read when nobody wants to know. `id` names the message: receivers that get it twice can tell.
   */
  notify(tasks: Iterable<string>, id = (this.options.newId ?? randomUUID)()): Promise<void> {
    if (this.isClosing) return new Promise(() => {})
    const recipients = this.options.registry.list()
    const lines = recipients.length === 0 ? [] : [...tasks]
    if (lines.length === 0) return Promise.resolve()
    const parcel = new Parcel(`msg_${id}`, lines, recipients)
    for (const dropped of this.backlog.add(parcel)) this.drop(dropped)
    for (const delivery of parcel.deliveries) this.send(delivery)
    return parcel.settled
  }

  /** Takes no more batches, gives those that wait two seconds and drops the rest. */
  async close(): Promise<void> {
    this.isClosing = true
    for (const cancel of this.pauses) cancel()
    const isQuiet = this.whenQuiet()
    let cancelTimer = () => {}
    const graceIsOver = new Promise<void>((resolve) => {
      cancelTimer = this.startTimer(CLOSING_GRACE_MS, resolve)
    })
    await Promise.race([isQuiet, graceIsOver])
    cancelTimer()
    this.stop.abort()
    await isQuiet
    if (this.backlog.size > 0) {
      this.options.log.warn({ batches: this.backlog.size }, 'webhooks: the server stops before all batches were sent')
    }
  }

  private async whenQuiet(): Promise<void> {
    while (this.sending.size > 0) await Promise.all(this.sending)
  }

  private drop({ deliveries, taskCount, settle }: Parcel): void {
    settle()
    for (const delivery of deliveries) this.lanes.get(delivery.webhook.uuid)?.drop(delivery)
    const webhooks = Array.from(deliveries, ({ webhook }) => webhook.uuid)
    const message = 'webhooks: too many batches wait for slow receivers, the oldest is dropped'
    this.options.log.warn({ taskCount, webhooks }, message)
  }

  private send(delivery: Delivery): void {
    const { uuid } = delivery.webhook
    const lane = this.lanes.get(uuid) ?? new Lane()
    this.lanes.set(uuid, lane)
    lane.add(delivery)
    this.advance(uuid, lane)
  }

  private advance(uuid: string, lane: Lane): void {
    for (;;) {
      const delivery = this.stop.signal.aborted ? undefined : lane.take()
      if (delivery === undefined) break
      const work = this.deliver(delivery)
        .catch((error: unknown) => this.giveUp(delivery, error))
        .finally(() => {
          this.sending.delete(work)
          lane.arrived()
          this.advance(uuid, lane)
        })
      this.sending.add(work)
    }
    if (lane.isIdle) this.lanes.delete(uuid)
  }

  private async deliver(delivery: Delivery): Promise<void> {
    delivery.isSending = true
    const body = await delivery.parcel.body()
    const outcome = await this.call(delivery, body)
    delivery.isSending = false
    delivery.attempts++
    if (!hasArrived(outcome)) this.report(delivery, outcome)
    const isWanted = isWorthRepeating(outcome) && delivery.attempts <= (this.options.maxRetries ?? 0)
    if (isWanted) this.pause(delivery)
    else this.settle(delivery)
  }

  private settle(delivery: Delivery): void {
    const { parcel } = delivery
    parcel.deliveries.delete(delivery)
    if (parcel.deliveries.size > 0) return
    this.backlog.remove(parcel)
    // What was cut off by the end of the server has not been sent.
    if (!this.stop.signal.aborted) parcel.settle()
  }

  private async call({ webhook, parcel }: Delivery, body: Buffer): Promise<Outcome<OutboundStream>> {
    const outcome = await this.options.outbound.stream({
      method: 'POST',
      url: webhook.url,
      headers: headersFor(webhook, this.signature(parcel.id, body)),
      body,
      chunked: true,
      timeoutMs: CALL_TIMEOUT_MS,
      maxAnswerBytes: 0,
      signal: this.stop.signal,
    })
    // Only the status counts; what the receiver says is not read.
    if (outcome.ok) outcome.value.discard()
    return outcome
  }

  private signature(id: string, body: Buffer): HeaderPair[] {
    const { signingKey, clock = systemClock } = this.options
    if (!signingKey) return []
    return signatureHeaders(signingKey, { id, timestampSeconds: Number(clock() / 1_000_000_000n), body })
  }

  /** Doubles from try to try, with jitter so that receivers are not hit by all senders at the same moment. */
  private pause(delivery: Delivery): void {
    if (this.isClosing) return
    const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (delivery.attempts - 1), LONGEST_PAUSE_MS)
    const pauseMs = longestMs * (0.5 + (this.options.random ?? Math.random)() / 2)
    const cancel = this.startTimer(pauseMs, () => {
      this.pauses.delete(cancel)
      // It may have been dropped meanwhile.
      if (this.backlog.has(delivery.parcel)) this.send(delivery)
    })
    this.pauses.add(cancel)
  }

  private giveUp(delivery: Delivery, error: unknown): void {
    this.settle(delivery)
    this.options.log.warn({ err: error }, 'webhooks: a batch could not be sent')
  }

  /** The url stays out of the log but for its origin: many services put a secret in the path. */
  private report({ webhook, attempts }: Delivery, outcome: Outcome<OutboundStream>): void {
    const what = outcome.ok
      ? { status: outcome.value.status, origin: new URL(webhook.url).origin }
      : { problem: outcome.problem.kind, reason: outcome.problem.message }
    const facts = { webhook: webhook.uuid, attempt: attempts, ...what }
    this.options.log.warn(facts, 'webhooks: a call failed')
  }
}

/** The webhook's own headers replace ours of the same name; a signature replaces everything. */
function headersFor(webhook: Webhook, signature: readonly HeaderPair[]): HeaderPair[] {
  const own = without([...webhook.headers], signature)
  return [...without(BASE_HEADERS, own), ...own, ...signature]
}

function without(headers: readonly HeaderPair[], others: readonly HeaderPair[]): HeaderPair[] {
  const names = new Set(others.map(([name]) => name.toLowerCase()))
  return headers.filter(([name]) => !names.has(name.toLowerCase()))
}

function hasArrived(outcome: Outcome<OutboundStream>): boolean {
  return outcome.ok && outcome.value.status < 400
}

// Request Timeout, Too Early, Too Many Requests. Any other 4xx says that the next try would fail as well.
const PASSING_STATUSES = new Set([408, 425, 429])

function isWorthRepeating(outcome: Outcome<OutboundStream>): boolean {
  if (!outcome.ok) return outcome.problem.kind === 'timeout' || outcome.problem.kind === 'connect'
  return outcome.value.status >= 500 || PASSING_STATUSES.has(outcome.value.status)
}
