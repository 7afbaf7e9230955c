import { randomUUID } from 'node:crypto'
import type { Lease } from './model.js'
import { pause } from './persist.js'
import type { Session } from './session.js'
import { isWrongLastSequence, type StreamNames } from './streams.js'

const LEASE_MS = 2_000
const TURN_MS = 400
const ATTEMPT_MS = 1_000

/** The last message of the lease's subject. No member: it was given up. */
interface LeaseRecord {
  readonly member: string | undefined
  /** Tells this opening of the log from earlier ones of the same member. */
  readonly owner: string | undefined
  /** 0 when nobody ever had the lease. */
  readonly sequence: number
}

/**
 * A lease without clocks that agree. Its holder writes a record again and again, each by compare-and-set on the one before. A
 * record that others saw unchanged for `LEASE_MS` is theirs to replace, also by compare-and-set, so one of them gets it. The
 * holder counts from before it sent its last record, which is earlier than anybody saw it: it stops before others begin.
 */
export class LeaseKeeper implements Lease {
  private readonly owner = randomUUID()
  private readonly stop = new AbortController()
  private readonly listeners = new Set<() => void>()
  private readonly running: Promise<void>
  /** The record as it was last read or written, undefined when a write may have succeeded or not. */
  private record: LeaseRecord | undefined
  /** The highest sequence of a record that was read or written. */
  private known: number | undefined
  /** Since when the record is known not to have changed. */
  private seenAt = 0
  private heldUntil = 0
  private asideUntil = 0
  private provenAt = Number.NEGATIVE_INFINITY
  private expiry: NodeJS.Timeout | undefined
  private announced = ''

  constructor(
    private readonly session: Session,
    private readonly names: StreamNames,
    private readonly member: string,
  ) {
    this.running = this.run(AbortSignal.any([session.closed, this.stop.signal]))
  }

  get isHeld(): boolean {
    return performance.now() < this.heldUntil
  }

  holder(): string | undefined {
    if (this.isHeld) return this.member
    const isFresh = performance.now() - this.seenAt < LEASE_MS + TURN_MS
    return isFresh && !this.isOwn ? this.record?.member : undefined
  }

  get provenMs(): number {
    return performance.now() - this.provenAt
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async standAside(ms: number): Promise<void> {
    this.asideUntil = performance.now() + ms
    await this.giveUp()
  }

  async release(): Promise<void> {
    this.stop.abort()
    await this.running
    await this.giveUp()
  }

  private async giveUp(): Promise<void> {
    const wasHeld = this.isHeld
    this.heldUntil = 0
    // Whoever waits gets it after the usual time if this fails.
    if (wasHeld && this.record !== undefined) await this.write({}, this.record.sequence).catch(() => {})
    this.record = undefined
    this.announce()
  }

  private get isOwn(): boolean {
    return this.record?.owner === this.owner
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Without a leader nothing is known, and what is held runs out by itself.
      await this.turn().catch(() => {})
      this.announce()
      await pause(TURN_MS, signal)
    }
    clearTimeout(this.expiry)
  }

  private async turn(): Promise<void> {
    if (performance.now() < this.asideUntil) {
      await this.read()
      return
    }
    const record = this.isOwn && this.record !== undefined ? this.record : await this.read()
    const isFree = record.member === undefined || performance.now() - this.seenAt >= LEASE_MS
    if (this.isOwn || isFree) await this.take(record.sequence)
  }

  private async read(): Promise<LeaseRecord> {
    const { lease, leaseSubject } = this.names
    const asked = performance.now()
    const stored = await this.session.manager.streams.getMessage(lease, { last_by_subj: leaseSubject })
    const { member, owner } = stored === null ? {} : parseRecord(stored.data)
    const found: LeaseRecord = { member, owner, sequence: stored?.seq ?? 0 }
    // A leader that has lost its majority still answers, always the same.
    if (this.known !== undefined && found.sequence > this.known) this.provenAt = asked
    this.known = Math.max(this.known ?? 0, found.sequence)
    if (found.sequence !== this.record?.sequence) this.seenAt = performance.now()
    this.record = found
    return found
  }

  private async take(after: number): Promise<void> {
    const sentAt = performance.now()
    const sequence = await this.write({ member: this.member, owner: this.owner }, after)
    this.record = { member: this.member, owner: this.owner, sequence }
    this.seenAt = performance.now()
    this.provenAt = sentAt
    this.known = sequence
    // Whoever looked since it ran out has seen that it was not held, and waits to hear that it is.
    if (!this.isHeld) this.announced = ''
    this.heldUntil = performance.now() < this.asideUntil ? 0 : sentAt + LEASE_MS
    clearTimeout(this.expiry)
    this.expiry = setTimeout(() => this.announce(), this.heldUntil - performance.now() + 1)
    this.expiry.unref()
  }

  private async write(content: { member?: string; owner?: string }, after: number): Promise<number> {
    const { lease, leaseSubject } = this.names
    const expect = { streamName: lease, lastSubjectSequence: after }
    try {
      const options = { timeout: ATTEMPT_MS, expect }
      return await this.session.publish(leaseSubject, JSON.stringify(content), options)
    } catch (error) {
      if (isWrongLastSequence(error)) this.heldUntil = 0
      // It may have been written or not. Reading tells; nothing is known since when that holds.
      this.record = undefined
      throw error
    }
  }

  private announce(): void {
    const state = `${this.isHeld} ${this.holder()}`
    if (state === this.announced) return
    this.announced = state
    for (const listener of this.listeners) listener()
  }
}

function parseRecord(data: Uint8Array): { member?: string; owner?: string } {
  const parsed: unknown = JSON.parse(Buffer.from(data).toString())
  if (typeof parsed !== 'object' || parsed === null) return {}
  const { member, owner } = parsed as Record<string, unknown>
  return {
    member: typeof member === 'string' ? member : undefined,
    owner: typeof owner === 'string' ? owner : undefined,
  }
}
