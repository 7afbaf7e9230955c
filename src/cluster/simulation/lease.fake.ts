import type { Lease } from '../log/model.js'
import type { Process } from './process.fixture.js'
import type { LeaseRecord, SimulatedStream } from './stream.fake.js'
import type { StreamClient } from './stream-client.fake.js'

const LEASE_MS = 2_000
const TURN_MS = 400
const ATTEMPT_MS = 1_000

export interface LeaseParts {
  readonly member: string
  readonly process: Process
  readonly signal: AbortSignal
}

/** As `LeaseKeeper`, except that a holder may believe for too long to be one: nothing may depend on that. */
export class SimulatedLease implements Lease {
  private readonly stop = new AbortController()
  private readonly listeners = new Set<() => void>()
  private readonly owner: string
  private record: LeaseRecord | undefined
  private known = Number.POSITIVE_INFINITY
  private seenAt = 0
  private heldUntil = 0
  private asideUntil = 0
  private provenAt = Number.NEGATIVE_INFINITY
  private announced = ''

  constructor(
    private readonly stream: SimulatedStream,
    private readonly client: StreamClient,
    private readonly parts: LeaseParts,
  ) {
    this.owner = parts.process.newId()
    parts.signal.addEventListener('abort', () => this.stop.abort())
    void this.run()
  }

  get isHeld(): boolean {
    return this.now < this.heldUntil
  }

  holder(): string | undefined {
    if (this.isHeld) return this.parts.member
    const isFresh = this.now - this.seenAt < LEASE_MS + TURN_MS
    return isFresh && !this.isOwn ? this.record?.member : undefined
  }

  get provenMs(): number {
    return this.now - this.provenAt
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async standAside(ms: number): Promise<void> {
    this.asideUntil = this.now + ms
    await this.giveUp()
  }

  async release(): Promise<void> {
    this.stop.abort()
    await this.giveUp()
  }

  private get now(): number {
    return this.parts.process.now()
  }

  private get isOwn(): boolean {
    return this.record?.owner === this.owner
  }

  private async giveUp(): Promise<void> {
    const { isHeld, record } = this
    this.heldUntil = 0
    if (isHeld && record !== undefined) await this.write(undefined, record.sequence)
    this.record = undefined
    this.announce()
  }

  private async run(): Promise<void> {
    const { signal } = this.stop
    while (!signal.aborted) {
      await this.turn()
      this.announce()
      await this.parts.process.pause(TURN_MS, signal)
    }
  }

  private async turn(): Promise<void> {
    if (!this.isOwn) await this.read()
    if (this.record === undefined || this.now < this.asideUntil) return
    const isFree = this.record.member === undefined || this.now - this.seenAt >= LEASE_MS
    if (this.isOwn || isFree) await this.take(this.record.sequence)
  }

  private async read(): Promise<void> {
    const asked = this.now
    const found = await this.client.request(() => this.stream.lease, ATTEMPT_MS).catch(() => undefined)
    if (found === undefined) return
    if (found.sequence !== this.record?.sequence) this.seenAt = this.now
    if (found.sequence > this.known) this.provenAt = asked
    this.known = found.sequence
    this.record = found
  }

  private async take(after: number): Promise<void> {
    const sentAt = this.now
    const { member, process } = this.parts
    const sequence = await this.write(member, after)
    if (sequence === undefined || this.stop.signal.aborted) return
    this.record = { member, owner: this.owner, sequence }
    this.seenAt = this.now
    this.provenAt = sentAt
    this.known = sequence
    if (this.now < this.asideUntil) return
    const { random, faults } = this.stream.options
    this.heldUntil = sentAt + LEASE_MS + random.between(0, faults.leaseOverrunMs)
    process.after(this.heldUntil - this.now + 1, () => this.announce())
  }

  private async write(member: string | undefined, after: number): Promise<number | undefined> {
    const owner = member === undefined ? undefined : this.owner
    const sequence = await this.client
      .request(() => this.stream.writeLease(member, owner, after), ATTEMPT_MS)
      .catch(() => undefined)
    // It may have been written or not. Reading tells.
    if (sequence === undefined) this.record = undefined
    return sequence
  }

  private announce(): void {
    const state = `${this.isHeld} ${this.holder()}`
    if (state === this.announced) return
    this.announced = state
    for (const listener of this.listeners) listener()
  }
}
