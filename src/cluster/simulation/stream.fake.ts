import type { LogEntry, NewEntry } from '../log/model.js'
import type { Faults } from './faults.fixture.js'
import type { Process } from './process.fixture.js'
import type { Random } from './random.fixture.js'
import type { VirtualTime } from './virtual-time.fixture.js'

/** Who holds the lease; no member: it was given up. */
export interface LeaseRecord {
  readonly member: string | undefined
  readonly owner: string | undefined
  readonly sequence: number
}

export type Appended = { readonly sequence: number } | { readonly isMoved: true }

/** Who is cut off from the majority, and what the minority that it reaches answers, if anything. */
interface Cut {
  readonly until: number
  readonly staleLast: number | undefined
}

export interface StreamOptions {
  readonly time: VirtualTime
  readonly random: Random
  readonly faults: Faults
  readonly trace: (line: string) => void
}

/** What the servers of the log hold together: one sequence of entries, one record of a lease, and the network around them. */
export class SimulatedStream {
  readonly entries: LogEntry[] = []
  readonly blobs = new Map<string, Uint8Array>()
  readonly readers = new Set<() => void>()
  readonly listeners = new Map<string, { readonly process: Process; readonly hear: (bytes: Uint8Array) => void }>()
  lease: LeaseRecord = { member: undefined, owner: undefined, sequence: 0 }
  private readonly storedAt = new Map<string, { readonly sequence: number; readonly at: number }>()
  private readonly cuts = new Map<string, Cut>()
  private electingUntil = 0

  constructor(readonly options: StreamOptions) {}

  // ---- what goes wrong

  elect(ms: number): void {
    this.electingUntil = this.options.time.now + ms
  }

  cutOff(member: string, ms: number): void {
    const { time, random } = this.options
    this.cuts.set(member, {
      until: time.now + ms,
      staleLast: random.chance(0.5) ? this.entries.length : undefined,
    })
  }

  heal(): void {
    this.electingUntil = 0
    this.cuts.clear()
  }

  isCutOff(member: string): boolean {
    return (this.cuts.get(member)?.until ?? 0) > this.options.time.now
  }

  /** What somebody who is cut off hears from a leader that does not know yet that it is none. */
  staleLast(member: string): number | undefined {
    return this.cuts.get(member)?.staleLast
  }

  /** Until when a request that arrives now finds no leader; undefined when there is one. */
  get leaderAt(): number | undefined {
    return this.electingUntil > this.options.time.now ? this.electingUntil : undefined
  }

  delayMs(): number {
    const { random, faults } = this.options
    if (random.chance(faults.slowMessages))
      return random.chance(0.2) ? random.between(200, 4_000) : random.between(5, 200)
    return random.between(0.2, 2)
  }

  // ---- entries

  last(kind?: string): number {
    if (kind === undefined) return this.entries.length
    for (let i = this.entries.length - 1; i >= 0; i--) if (this.entries[i]!.kind === kind) return i + 1
    return 0
  }

  append({ id, kind, body }: NewEntry, after: number | undefined): Appended {
    const { time, faults, trace } = this.options
    const known = this.storedAt.get(id)
    if (known !== undefined && time.now - known.at < faults.rememberedMs) return { sequence: known.sequence }
    if (after !== undefined && this.last(kind) !== after) return this.movedBy(id, kind, after)
    const sequence = this.entries.length + 1
    this.entries.push({ sequence, id, kind, body })
    this.storedAt.set(id, { sequence, at: time.now })
    trace(`log: ${sequence} ${kind} ${id}${after === undefined ? '' : ` after ${after}`}`)
    for (const wake of this.readers) wake()
    return { sequence }
  }

  /** An earlier attempt of the same append may be what the log has moved by. */
  private movedBy(id: string, kind: string, after: number): Appended {
    const next = this.entries.find((entry) => entry.kind === kind && entry.sequence > after)
    return next?.id === id ? { sequence: next.sequence } : { isMoved: true }
  }

  // ---- lease

  /** Undefined: somebody else was first. */
  writeLease(member: string | undefined, owner: string | undefined, after: number): number | undefined {
    if (this.lease.sequence !== after) return undefined
    this.lease = { member, owner, sequence: after + 1 }
    return after + 1
  }
}
