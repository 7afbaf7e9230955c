import { randomUUID } from 'node:crypto'
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
import { Parcel } from './parcel.js'
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
// So many batches are on their way at once: a receiver that hangs holds up the others only when all of them wait for it.
const MAX_SENDING = 8
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
  private readonly sending = new Set<Promise<void>>()
  private readonly pauses = new Set<() => void>()
  private readonly stop = new AbortController()
  private readonly startTimer: StartTimer
  private isClosing = false

  constructor(private readonly options: WebhookSenderOptions) {
    this.backlog = new Backlog(options.limits ?? DEFAULT_LIMITS)
    this.startTimer = options.startTimer ?? systemTimer
  }

  /**
   * Sends the tasks of one finished batch (full view, one JSON object a line, ascending uid) to the webhooks that
   * exist now. Returns at once. `tasks` is not read when nobody wants to know.
   */
  notify(tasks: Iterable<string>): void {
    if (this.isClosing) return
    const recipients = this.options.registry.list()
    if (recipients.length === 0) return
    const lines = [...tasks]
    if (lines.length === 0) return
    const id = `msg_${(this.options.newId ?? randomUUID)()}`
    for (const { taskCount } of this.backlog.add(new Parcel(id, lines, recipients))) {
      this.options.log.warn({ taskCount }, 'webhooks: too many batches wait for slow receivers, the oldest is dropped')
    }
    this.sendReady()
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

  private sendReady(): void {
    while (this.sending.size < MAX_SENDING && !this.stop.signal.aborted) {
      const parcel = this.backlog.takeReady()
      if (parcel === undefined) return
      const work = this.deliver(parcel)
        .catch((error: unknown) => this.giveUp(parcel, error))
        .finally(() => {
          this.sending.delete(work)
          this.sendReady()
        })
      this.sending.add(work)
    }
  }

  private async deliver(parcel: Parcel): Promise<void> {
    const body = await parcel.body()
    const unreached: Webhook[] = []
    for (const webhook of parcel.recipients) {
      if (this.stop.signal.aborted) return
      const outcome = await this.call(webhook, parcel.id, body)
      if (!hasArrived(outcome)) this.report(webhook, parcel, outcome)
      if (isWorthRepeating(outcome)) unreached.push(webhook)
    }
    parcel.attempts++
    parcel.recipients = unreached
    if (unreached.length > 0 && parcel.attempts <= (this.options.maxRetries ?? 0)) this.pause(parcel)
    else this.backlog.remove(parcel)
  }

  private async call(webhook: Webhook, id: string, body: Buffer): Promise<Outcome<OutboundStream>> {
    const outcome = await this.options.outbound.stream({
      method: 'POST',
      url: webhook.url,
      headers: headersFor(webhook, this.signature(id, body)),
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
  private pause(parcel: Parcel): void {
    parcel.state = 'waiting'
    if (this.isClosing) return
    const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (parcel.attempts - 1), LONGEST_PAUSE_MS)
    const pauseMs = longestMs * (0.5 + (this.options.random ?? Math.random)() / 2)
    const cancel = this.startTimer(pauseMs, () => {
      this.pauses.delete(cancel)
      parcel.state = 'ready'
      this.sendReady()
    })
    this.pauses.add(cancel)
  }

  private giveUp(parcel: Parcel, error: unknown): void {
    this.backlog.remove(parcel)
    this.options.log.warn({ err: error }, 'webhooks: a batch could not be sent')
  }

  /** The url stays out of the log but for its origin: many services put a secret in the path. */
  private report(webhook: Webhook, parcel: Parcel, outcome: Outcome<OutboundStream>): void {
    const what = outcome.ok
      ? { status: outcome.value.status, origin: new URL(webhook.url).origin }
      : { problem: outcome.problem.kind, reason: outcome.problem.message }
    const facts = { webhook: webhook.uuid, attempt: parcel.attempts + 1, ...what }
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
